/* The kernels of the tests of images. */
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

kernel void copy_1d(read_only image1d_t in, write_only image1d_t out) {
  const int i = (int)get_global_id(0);
  write_imageui(out, i, read_imageui(in, nearest, i));
}

kernel void copy_1d_array(read_only image1d_array_t in, write_only image1d_array_t out) {
  const int2 i = {(int)get_global_id(0), (int)get_global_id(1)};
  write_imageui(out, i, read_imageui(in, nearest, i));
}

kernel void copy_2d(read_only image2d_t in, write_only image2d_t out) {
  const int2 i = {(int)get_global_id(0), (int)get_global_id(1)};
  write_imageui(out, i, read_imageui(in, nearest, i));
}

kernel void copy_2d_array(read_only image2d_array_t in, write_only image2d_array_t out) {
  const int4 i = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0};
  write_imageui(out, i, read_imageui(in, nearest, i));
}

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
kernel void copy_3d(read_only image3d_t in, write_only image3d_t out) {
  const int4 i = {(int)get_global_id(0), (int)get_global_id(1), (int)get_global_id(2), 0};
  write_imageui(out, i, read_imageui(in, nearest, i));
}

kernel void sample(read_only image2d_t in, sampler_t how, float2 where, global float4 *out) {
  *out = read_imagef(in, how, where);
}
