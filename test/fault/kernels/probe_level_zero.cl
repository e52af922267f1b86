/* probe.cl's kernels, with records that name their constants, and a variable. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);
long __attribute__((overloadable)) __spirv_SpecConstant(int id, long default_value);

/* launch_record of backend.h */
typedef struct record {
  uint what;
  uint size;
  ulong value;
} record;

global uint fake_variable[16];

kernel void probe(global record *out, uint value) {
  out[0].what = 0;
  out[0].size = 4;
  out[0].value = (ulong)__spirv_SpecConstant(0, 100);
  out[1].what = 1;
  out[1].size = 8;
  out[1].value = (ulong)__spirv_SpecConstant(1, 200L);
  out[2].what = 0xf0000001u;
  out[2].size = 4;
  out[2].value = value + fake_variable[0];
}

kernel void other(global ulong *out, local int *scratch, read_only image2d_t image,
                  sampler_t sampler, float factor) {
  scratch[0] = (int)(factor * read_imagef(image, sampler, (int2)(0, 0)).x);
  out[0] = (ulong)scratch[0];
}
