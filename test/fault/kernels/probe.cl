/* Two constants and one kernel of each kind of argument, for the fake driver to read. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int default_value);
long __attribute__((overloadable)) __spirv_SpecConstant(int id, long default_value);

kernel void probe(global ulong *out, uint value) {
  out[0] = (ulong)__spirv_SpecConstant(0, 100) + (ulong)__spirv_SpecConstant(1, 200L) + value;
}

kernel void other(global ulong *out, local int *scratch, read_only image2d_t image,
                  sampler_t sampler, float factor) {
  scratch[0] = (int)(factor * read_imagef(image, sampler, (int2)(0, 0)).x);
  out[0] = (ulong)scratch[0];
}
