/* Images of every shape, with samplers and without. Each work-item handles one pixel. */
#define PLACE(dimension) ((int)get_global_id(dimension))

kernel void copy_f(read_only image2d_t in, write_only image2d_t to, global float4 *out) {
  const int2 at = (int2)(PLACE(0), PLACE(1));
  const float4 pixel = read_imagef(in, at);
  out[at.y * get_image_width(in) + at.x] = pixel;
  write_imagef(to, at, pixel);
}
kernel void copy_i(read_only image2d_t in, write_only image2d_t to, global int4 *out) {
  const int2 at = (int2)(PLACE(0), PLACE(1));
  const int4 pixel = read_imagei(in, at);
  out[at.y * get_image_width(in) + at.x] = pixel;
  write_imagei(to, at, pixel);
}
kernel void copy_ui(read_only image2d_t in, write_only image2d_t to, global uint4 *out) {
  const int2 at = (int2)(PLACE(0), PLACE(1));
  const uint4 pixel = read_imageui(in, at);
  out[at.y * get_image_width(in) + at.x] = pixel;
  write_imageui(to, at, pixel);
}

/* Adds 1 to each pixel in place, and stores the image's sizes. */
#define SHAPE(shape, type, at)                                                                     \
  kernel void add_##shape(read_write image##shape##_t image, global int *out) {                    \
    const type place = at;                                                                         \
    write_imageui(image, place, read_imageui(image, place) + 1u);                                  \
    /* Writes outside of the image are ignored. */                                                 \
    write_imageui(image, place - 1000, (uint4)(77));                                               \
    write_imageui(image, place + 1000, (uint4)(77));                                               \
    out[0] = get_image_width(image);                                                               \
    out[1] = get_image_channel_data_type(image) - CLK_SNORM_INT8;                                  \
    out[2] = get_image_channel_order(image) - CLK_R;                                               \
    SIZES_##shape                                                                                  \
  }
#define SIZES_1d out[3] = 0;
#define SIZES_1d_array out[3] = (int)get_image_array_size(image);
#define SIZES_2d out[3] = get_image_height(image);
#define SIZES_2d_array out[3] = get_image_height(image) + 100 * (int)get_image_array_size(image);
#define SIZES_3d out[3] = get_image_dim(image).y + 100 * get_image_depth(image);
SHAPE(1d, int, PLACE(0))
SHAPE(1d_array, int2, ((int2)(PLACE(0), PLACE(1))))
SHAPE(2d, int2, ((int2)(PLACE(0), PLACE(1))))
SHAPE(2d_array, int4, ((int4)(PLACE(0), PLACE(1), PLACE(2), 0)))
SHAPE(3d, int4, ((int4)(PLACE(0), PLACE(1), PLACE(2), 0)))

kernel void sample_1d(read_only image1d_t in, sampler_t by, global const float4 *at,
                      global float4 *out) {
  out[PLACE(0)] = read_imagef(in, by, at[PLACE(0)].x);
}
kernel void sample_1d_array(read_only image1d_array_t in, sampler_t by, global const float4 *at,
                            global float4 *out) {
  out[PLACE(0)] = read_imagef(in, by, at[PLACE(0)].xz);
}
kernel void sample_2d(read_only image2d_t in, sampler_t by, global const float4 *at,
                      global float4 *out) {
  out[PLACE(0)] = read_imagef(in, by, at[PLACE(0)].xy);
}
kernel void sample_3d(read_only image3d_t in, sampler_t by, global const float4 *at,
                      global float4 *out) {
  out[PLACE(0)] = read_imagef(in, by, at[PLACE(0)]);
}
kernel void sample_2d_array(read_only image2d_array_t in, sampler_t by, global const float4 *at,
                            global float4 *out) {
  out[PLACE(0)] = read_imagef(in, by, at[PLACE(0)]);
}

/* A sampler defined in the source, and an image passed to a function that is not inlined. */
constant sampler_t repeats = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
__attribute__((noinline)) float4 read(read_only image2d_t in, float2 at) {
  return read_imagef(in, repeats, at);
}
kernel void sample_fixed(read_only image2d_t in, global const float4 *at, global float4 *out) {
  out[PLACE(0)] = read(in, at[PLACE(0)].xy);
}

/* Reads outside of an image, and writes of numbers outside of a channel's range. */
constant sampler_t clamps = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#define KIND(suffix, type)                                                                         \
  kernel void border_##suffix(read_only image2d_t in, global type *out) {                          \
    *out = read_image##suffix(in, clamps, (int2)(-1, PLACE(0)));                                   \
  }                                                                                                \
  kernel void write_##suffix(write_only image2d_t to, global const type *in) {                     \
    write_image##suffix(to, (int2)(PLACE(0), PLACE(1)),                                            \
                        in[PLACE(1) * get_image_width(to) + PLACE(0)]);                            \
  }
KIND(f, float4)
KIND(i, int4)
KIND(ui, uint4)
