// Kernels with an argument of each kind.
typedef struct {
  float gain;
  char levels[3];
} tone_t;
typedef struct __attribute__((packed)) {
  char first;
  double second;
} packed_t;

kernel void memory(global float *data, constant short *table, local double *scratch,
                   global tone_t *tones, global uchar *bytes, global float4 *vectors,
                   global float (*rows)[4], global void *any) {
  data[get_global_id(0)] += table[0] + scratch[0] + tones->gain + bytes[0] + vectors->x + rows[0][1] +
                            ((global char *)any)[0];
}

kernel void values(global float *data, int choice, char small, ulong large, double real, float3 vector,
                   tone_t tone, packed_t packed) {
  data[0] = choice ? small + large + real + vector.x + tone.gain + packed.second : 0;
}

kernel void nothing() {}

#ifndef NO_IMAGES
kernel void images(read_only image2d_t in, write_only image3d_t out, read_only image2d_array_t many,
                   sampler_t sampler) {
  write_imagef(out, (int4)(0), read_imagef(in, sampler, (int2)(0)) + read_imagef(many, sampler, (int4)(0)));
}
#endif
