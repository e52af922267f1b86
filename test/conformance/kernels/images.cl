/* Kernels that access images with and without a sampler. */

kernel void copy_2d(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  const int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
  write_imageui(out, at, read_imageui(in, nearest, at) + 1u);
}

/* Reads to the left of the image, where the addressing mode of the host's sampler decides. */
kernel void sample(read_only image2d_t in, sampler_t sampler, global uint *out) {
  out[0] = read_imageui(in, sampler, (float2)(-3.5f, 0.5f)).x;
  out[1] = read_imageui(in, sampler, (float2)(1.5f, 0.5f)).x;
}
