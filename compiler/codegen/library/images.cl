/*
 * Images and samplers. Images are CUDA surfaces, whose bytes this file converts to numbers; a
 * sampler is a number that says how to sample them. A pixel's place is x, y, z and layer, of which
 * a shape uses some.
 */
#include "device.h"

#include "../../../plugins/code/image_argument.h"

typedef const image_argument *image;

/* Shapes, named as in OpenCL's type names. */
typedef enum shape { SHAPE_1d, SHAPE_1d_array, SHAPE_2d, SHAPE_2d_array, SHAPE_3d } shape;
#define SHAPES(X) X(1d) X(1d_array) X(2d) X(2d_array) X(3d)
/* Number of a shape's axes to which a sampler applies. A layer is no such axis. */
#define AXES(shape) (SHAPE_##shape <= SHAPE_1d_array ? 1u : SHAPE_##shape < SHAPE_3d ? 2u : 3u)

/* ---- Bytes ---- */

/* X(type, bytes, is signed): types of channels. */
#define CHANNEL_TYPES(X)                                                                           \
  X(CLK_SNORM_INT8, 1, true)                                                                       \
  X(CLK_SNORM_INT16, 2, true)                                                                      \
  X(CLK_UNORM_INT8, 1, false)                                                                      \
  X(CLK_UNORM_INT16, 2, false)                                                                     \
  X(CLK_SIGNED_INT8, 1, true)                                                                      \
  X(CLK_SIGNED_INT16, 2, true)                                                                     \
  X(CLK_SIGNED_INT32, 4, true)                                                                     \
  X(CLK_UNSIGNED_INT8, 1, false)                                                                   \
  X(CLK_UNSIGNED_INT16, 2, false)                                                                  \
  X(CLK_UNSIGNED_INT32, 4, false)                                                                  \
  X(CLK_HALF_FLOAT, 2, false)                                                                      \
  X(CLK_FLOAT, 4, false)

static uint channel_bytes(uint type) {
  switch (type) {
#define CHANNEL_BYTES(type, bytes, is_signed)                                                      \
  case type:                                                                                       \
    return bytes;
    CHANNEL_TYPES(CHANNEL_BYTES)
#undef CHANNEL_BYTES
  default:
    return 4;
  }
}

static bool is_signed_type(uint type) {
  switch (type) {
#define IS_SIGNED(type, bytes, is_signed)                                                          \
  case type:                                                                                       \
    return is_signed;
    CHANNEL_TYPES(IS_SIGNED)
#undef IS_SIGNED
  default:
    return false;
  }
}

static uint channel_count(uint order) {
  return order == CLK_R ? 1 : order == CLK_RG ? 2 : 4;
}

/* Syntax of a shape, and of a place in it, in surface instructions; x is in bytes. */
#define GEOMETRY_1d "1d"
#define GEOMETRY_1d_array "a1d"
#define GEOMETRY_2d "2d"
#define GEOMETRY_2d_array "a2d"
#define GEOMETRY_3d "3d"
#define PLACE_1d "%{%[x]%}"
#define PLACE_1d_array "%{%[layer],%[x]%}"
#define PLACE_2d "%{%[x],%[y]%}"
#define PLACE_2d_array "%{%[layer],%[x],%[y],%[y]%}"
#define PLACE_3d "%{%[x],%[y],%[z],%[z]%}"
#define OPERANDS                                                                                   \
  [surface] "l"(it->surface), [x] "r"(at.x * (int)bytes), [y] "r"(at.y), [z] "r"(at.z),            \
      [layer] "r"(at.w)

/* Loads a pixel's bytes, at most 16; pixels outside of the image are 0. */
#define LOAD(shape, type, to)                                                                      \
  "suld.b." GEOMETRY_##shape type ".zero " to ", [%[surface], " PLACE_##shape "];"
#define LOAD_PIXEL(shape)                                                                          \
  static uint4 load_##shape(image it, int4 at, uint bytes) {                                       \
    uint4 ret = 0;                                                                                 \
    if (bytes == 1)                                                                                \
      __asm volatile(LOAD(shape, ".b8", "%0") : "=r"(ret.x) : OPERANDS);                           \
    else if (bytes == 2)                                                                           \
      __asm volatile(LOAD(shape, ".b16", "%0") : "=r"(ret.x) : OPERANDS);                          \
    else if (bytes == 4)                                                                           \
      __asm volatile(LOAD(shape, ".b32", "%0") : "=r"(ret.x) : OPERANDS);                          \
    else if (bytes == 8)                                                                           \
      __asm volatile(LOAD(shape, ".v2.b32", "%{%0,%1%}") : "=r"(ret.x), "=r"(ret.y) : OPERANDS);   \
    else                                                                                           \
      __asm volatile(LOAD(shape, ".v4.b32", "%{%0,%1,%2,%3%}")                                     \
                     : "=r"(ret.x), "=r"(ret.y), "=r"(ret.z), "=r"(ret.w)                          \
                     : OPERANDS);                                                                  \
    if (bytes < 4)                                                                                 \
      ret.x &= (1u << 8 * bytes) - 1;                                                              \
    return ret;                                                                                    \
  }
SHAPES(LOAD_PIXEL)

#define STORE(shape, type, from)                                                                   \
  "sust.b." GEOMETRY_##shape type ".zero [%[surface], " PLACE_##shape "], " from ";"
#define STORE_PIXEL(shape)                                                                         \
  static void store_##shape(image it, int4 at, uint bytes, uint4 pixel) {                          \
    if (bytes == 1)                                                                                \
      __asm volatile(STORE(shape, ".b8", "%0") : : "r"(pixel.x), OPERANDS);                        \
    else if (bytes == 2)                                                                           \
      __asm volatile(STORE(shape, ".b16", "%0") : : "r"(pixel.x), OPERANDS);                       \
    else if (bytes == 4)                                                                           \
      __asm volatile(STORE(shape, ".b32", "%0") : : "r"(pixel.x), OPERANDS);                       \
    else if (bytes == 8)                                                                           \
      __asm volatile(STORE(shape, ".v2.b32", "%{%0,%1%}")                                          \
                     :                                                                             \
                     : "r"(pixel.x), "r"(pixel.y), OPERANDS);                                      \
    else                                                                                           \
      __asm volatile(STORE(shape, ".v4.b32", "%{%0,%1,%2,%3%}")                                    \
                     :                                                                             \
                     : "r"(pixel.x), "r"(pixel.y), "r"(pixel.z), "r"(pixel.w), OPERANDS);          \
  }
SHAPES(STORE_PIXEL)

/* ---- Conversions between bytes and numbers ---- */

/* Returns a channel's bits; signed types are sign-extended. */
static uint bits_of(image it, uint4 pixel, uint i) {
  const uint bytes = channel_bytes(it->type);
  const uint word = i * bytes / 4;
  const uint bits = (word == 0   ? pixel.x
                     : word == 1 ? pixel.y
                     : word == 2 ? pixel.z
                                 : pixel.w) >>
                    i * bytes % 4 * 8;
  const uint left = 32 - 8 * bytes;
  return is_signed_type(it->type) ? (uint)((int)(bits << left) >> left) : bits << left >> left;
}

/* Returns bits / by rounded to nearest; a product with the reciprocal may be off by one ulp. */
static float quotient(float bits, float by) {
  const float near = bits * (1 / by);
  return __builtin_fmaf(__builtin_fmaf(-near, by, bits), 1 / by, near);
}

static float float_of(uint type, uint bits) {
  switch (type) {
  case CLK_SNORM_INT8:
    return __builtin_fmaxf(quotient((int)bits, 127), -1.0f);
  case CLK_SNORM_INT16:
    return __builtin_fmaxf(quotient((int)bits, 32767), -1.0f);
  case CLK_UNORM_INT8:
    return quotient(bits, 255);
  case CLK_UNORM_INT16:
    return quotient(bits, 65535);
  case CLK_HALF_FLOAT:
    return (float)as_half((ushort)bits);
  default:
    return as_float(bits);
  }
}

/* Converts value * most to the nearest integer from least to most; NaN becomes 0. */
static uint limit_bits(float value, float least, float most) {
  const float limited = __builtin_fminf(__builtin_fmaxf(value * most, least), most);
  return value == value ? (uint)(int)__builtin_rintf(limited) : 0;
}

static uint bits_of_float(uint type, float value) {
  switch (type) {
  case CLK_SNORM_INT8:
    return limit_bits(value, -128, 127);
  case CLK_SNORM_INT16:
    return limit_bits(value, -32768, 32767);
  case CLK_UNORM_INT8:
    return limit_bits(value, 0, 255);
  case CLK_UNORM_INT16:
    return limit_bits(value, 0, 65535);
  case CLK_HALF_FLOAT:
    return as_ushort((half)value);
  default:
    return as_uint(value);
  }
}

/* Saturates an integer to the channel's type, which also decides whether the value is signed,
 * because SPIR-V does not. */
static uint bits_of_int(uint type, uint value) {
  const uint bits = 8 * channel_bytes(type);
  if (is_signed_type(type)) {
    const int most = INT_MAX >> (32 - bits), signed_value = (int)value;
    return (uint)(signed_value > most ? most : signed_value < ~most ? ~most : signed_value);
  }
  const uint most = UINT_MAX >> (32 - bits);
  return value > most ? most : value;
}

/* Conversions of a whole pixel to one kind of numbers: f, i or ui. */
#define NUMBERS_OF(kind, type, make)                                                               \
  static type##4 unpack_##kind(image it, uint4 pixel) {                                            \
    const uint count = channel_count(it->order);                                                   \
    type##4 ret = (type##4)(0, 0, 0, 1);                                                           \
    ret.x = make(bits_of(it, pixel, 0));                                                           \
    if (count > 1)                                                                                 \
      ret.y = make(bits_of(it, pixel, 1));                                                         \
    if (count > 2) {                                                                               \
      ret.z = make(bits_of(it, pixel, 2));                                                         \
      ret.w = make(bits_of(it, pixel, 3));                                                         \
    }                                                                                              \
    return ret;                                                                                    \
  }                                                                                                \
  static type##4 border_##kind(image it) {                                                         \
    return (type##4)(0, 0, 0, it->order == CLK_RGBA ? 0 : 1);                                      \
  }
#define AS_FLOAT(bits) float_of(it->type, bits)
NUMBERS_OF(f, float, AS_FLOAT)
NUMBERS_OF(i, int, (int))
NUMBERS_OF(ui, uint, (uint))

/* Packs the bits of a pixel's channels into its bytes. */
static uint4 pack(image it, uint4 bits) {
  const uint bytes = channel_bytes(it->type);
  if (bytes == 4)
    return bits;
  if (bytes == 2)
    return (uint4)((bits.x & 0xffff) | bits.y << 16, (bits.z & 0xffff) | bits.w << 16, 0, 0);
  return (uint4)((bits.x & 0xff) | (bits.y & 0xff) << 8 | (bits.z & 0xff) << 16 | bits.w << 24, 0,
                 0, 0);
}

static bool is_inside(image it, int4 at) {
  return (uint)at.x < it->width && (uint)at.y < it->height && (uint)at.z < it->depth &&
         (uint)at.w < it->layers;
}

/* ---- Samplers ---- */

typedef enum addressing { NONE, CLAMP_TO_EDGE, CLAMP, REPEAT, MIRRORED_REPEAT } addressing;
#define IS_NORMALIZED(sampler) ((sampler)&1)
#define IS_LINEAR(sampler) ((sampler) >> 1 & 1)
#define ADDRESSING(sampler) ((addressing)((sampler) >> 2))

/* The two pixels of an axis that a sample blends, and the weight of the second one. */
typedef struct taps {
  int first, second;
  float part;
} taps;

static int limit_index(int at, int least, int most) {
  return at < least ? least : at > most ? most : at;
}

static taps taps_of(float at, uint size, uint sampler) {
  const addressing mode = ADDRESSING(sampler);
  const bool is_linear = IS_LINEAR(sampler);
  const int last = (int)size - 1;
  if (mode == REPEAT)
    at -= __builtin_floorf(at);
  else if (mode == MIRRORED_REPEAT)
    at = __builtin_fabsf(at - 2.0f * __builtin_rintf(0.5f * at));
  if (IS_NORMALIZED(sampler))
    at *= (float)size;
  /* Limits the place so that it fits an int. Beyond, all places give the same pixels. */
  at = __builtin_fminf(__builtin_fmaxf(is_linear ? at - 0.5f : at, -1e9f), 1e9f);
  const float whole = __builtin_floorf(at);
  taps ret = {.first = (int)whole, .second = (int)whole + 1, .part = at - whole};
  if (mode == REPEAT) {
    ret.first = ret.first < 0 ? last : ret.first > last ? 0 : ret.first;
    ret.second = ret.second > last ? 0 : ret.second;
  } else if (mode == CLAMP_TO_EDGE || mode == MIRRORED_REPEAT) {
    ret.first = limit_index(ret.first, 0, last);
    ret.second = limit_index(ret.second, 0, last);
  }
  return ret;
}

static int layer_of(image it, float layer) {
  const float most = (float)(it->layers - 1);
  return (int)__builtin_fminf(__builtin_fmaxf(__builtin_rintf(layer), 0), most);
}

/* Returns the place of the pixel that a sampler without a linear filter chooses. */
static int4 nearest(image it, float4 at, uint sampler, uint axes) {
  return (int4)(taps_of(at.x, it->width, sampler).first,
                axes < 2 ? 0 : taps_of(at.y, it->height, sampler).first,
                axes < 3 ? 0 : taps_of(at.z, it->depth, sampler).first, layer_of(it, at.w));
}

/* ---- Reads and writes ---- */

#define PIXEL_BYTES(it) (channel_bytes((it)->type) * channel_count((it)->order))
#define READ(shape, kind, type)                                                                    \
  static type##4 read_##kind##_##shape(image it, int4 at) {                                        \
    return is_inside(it, at) ? unpack_##kind(it, load_##shape(it, at, PIXEL_BYTES(it)))            \
                             : border_##kind(it);                                                  \
  }
/* Samples an image: the nearest pixel, or a linear blend of the pixels around the place. */
#define SAMPLE(shape)                                                                              \
  READ(shape, f, float)                                                                            \
  READ(shape, i, int)                                                                              \
  READ(shape, ui, uint)                                                                            \
  static float4 sample_##shape(image it, float4 at, uint sampler) {                                \
    if (!IS_LINEAR(sampler))                                                                       \
      return read_f_##shape(it, nearest(it, at, sampler, AXES(shape)));                            \
    const taps x = taps_of(at.x, it->width, sampler);                                              \
    const taps y = taps_of(at.y, it->height, sampler);                                             \
    const taps z = taps_of(at.z, it->depth, sampler);                                              \
    const uint axes = AXES(shape);                                                                 \
    float4 sum = 0;                                                                                \
    for (uint i = 0; i < 1u << axes; i++) {                                                        \
      const int4 place = (int4)(i & 1 ? x.second : x.first,                                        \
                                axes < 2 ? 0                                                       \
                                : i & 2  ? y.second                                                \
                                         : y.first,                                                 \
                                axes < 3 ? 0                                                       \
                                : i & 4  ? z.second                                                \
                                         : z.first,                                                 \
                                layer_of(it, at.w));                                               \
      const float weight = (i & 1 ? x.part : 1 - x.part) *                                         \
                           (axes < 2 ? 1                                                           \
                            : i & 2  ? y.part                                                      \
                                     : 1 - y.part) *                                                \
                           (axes < 3 ? 1                                                           \
                            : i & 4  ? z.part                                                      \
                                     : 1 - z.part);                                                 \
      sum += weight * read_f_##shape(it, place);                                                   \
    }                                                                                              \
    return sum;                                                                                    \
  }
SHAPES(SAMPLE)

/* ---- Functions that modules call ---- */

/* Coordinates and layer that a shape lacks are 0. */
#define POINT_1d(type, at) (type##4)(at, 0, 0, 0)
#define POINT_1d_array(type, at) (type##4)((at).x, 0, 0, (at).y)
#define POINT_2d(type, at) (type##4)((at).x, (at).y, 0, 0)
#define POINT_2d_array(type, at) (type##4)((at).x, (at).y, 0, (at).z)
#define POINT_3d(type, at) (type##4)((at).x, (at).y, (at).z, 0)
#define COORDINATES_1d(type) type
#define COORDINATES_1d_array(type) type##2
#define COORDINATES_2d(type) type##2
#define COORDINATES_2d_array(type) type##4
#define COORDINATES_3d(type) type##4

/* X(access, shape) */
#define SHAPES_OF(X, access)                                                                       \
  X(access, 1d) X(access, 1d_array) X(access, 2d) X(access, 2d_array) X(access, 3d)
#define IMAGES(X) SHAPES_OF(X, read_only) SHAPES_OF(X, write_only) SHAPES_OF(X, read_write)

/* Images and samplers are pointers in LLVM IR; these functions of system.ll convert them. */
#define STATE_OF(access, shape)                                                                    \
  image API state_of(access image##shape##_t of) __asm("__specpi_image");
IMAGES(STATE_OF)
uint rules_of(sampler_t of) __asm("__specpi_sampler");

#define READ_PLAIN(access, shape)                                                                  \
  float4 API read_imagef(access image##shape##_t of, COORDINATES_##shape(int) at) {                \
    return read_f_##shape(state_of(of), POINT_##shape(int, at));                                   \
  }                                                                                                \
  half4 API read_imageh(access image##shape##_t of, COORDINATES_##shape(int) at) {                 \
    return __builtin_convertvector(read_f_##shape(state_of(of), POINT_##shape(int, at)), half4);   \
  }                                                                                                \
  int4 API read_imagei(access image##shape##_t of, COORDINATES_##shape(int) at) {                  \
    return read_i_##shape(state_of(of), POINT_##shape(int, at));                                   \
  }                                                                                                \
  uint4 API read_imageui(access image##shape##_t of, COORDINATES_##shape(int) at) {                \
    return read_ui_##shape(state_of(of), POINT_##shape(int, at));                                  \
  }
SHAPES_OF(READ_PLAIN, read_only)
SHAPES_OF(READ_PLAIN, read_write)

#define FLOATS_int(shape, at) __builtin_convertvector(POINT_##shape(int, at), float4)
#define FLOATS_float(shape, at) POINT_##shape(float, at)
#define READ_SAMPLED_BY(shape, type)                                                               \
  float4 API read_imagef(read_only image##shape##_t of, sampler_t by,                              \
                         COORDINATES_##shape(type) at) {                                           \
    return sample_##shape(state_of(of), FLOATS_##type(shape, at), rules_of(by));                   \
  }                                                                                                \
  half4 API read_imageh(read_only image##shape##_t of, sampler_t by,                               \
                        COORDINATES_##shape(type) at) {                                            \
    return __builtin_convertvector(                                                                \
        sample_##shape(state_of(of), FLOATS_##type(shape, at), rules_of(by)), half4);              \
  }                                                                                                \
  int4 API read_imagei(read_only image##shape##_t of, sampler_t by,                                \
                       COORDINATES_##shape(type) at) {                                             \
    const image it = state_of(of);                                                                 \
    return read_i_##shape(it,                                                                      \
                          nearest(it, FLOATS_##type(shape, at), rules_of(by) & ~2u, AXES(shape))); \
  }                                                                                                \
  uint4 API read_imageui(read_only image##shape##_t of, sampler_t by,                              \
                         COORDINATES_##shape(type) at) {                                           \
    const image it = state_of(of);                                                                 \
    return read_ui_##shape(                                                                        \
        it, nearest(it, FLOATS_##type(shape, at), rules_of(by) & ~2u, AXES(shape)));               \
  }
#define READ_SAMPLED(shape) READ_SAMPLED_BY(shape, int) READ_SAMPLED_BY(shape, float)
SHAPES(READ_SAMPLED)

#define WRITE_KIND(access, shape, suffix, number, make)                                            \
  void API write_image##suffix(access image##shape##_t to, COORDINATES_##shape(int) at,            \
                               number##4 value) {                                                  \
    const image it = state_of(to);                                                                 \
    const uint kind = it->type;                                                                    \
    const int4 place = POINT_##shape(int, at);                                                     \
    if (is_inside(it, place))                                                                      \
      store_##shape(it, place, PIXEL_BYTES(it),                                                    \
                    pack(it, (uint4)(make(kind, value.x), make(kind, value.y),                     \
                                     make(kind, value.z), make(kind, value.w))));                  \
  }
#define WRITE(access, shape)                                                                       \
  WRITE_KIND(access, shape, f, float, bits_of_float)                                               \
  WRITE_KIND(access, shape, h, half, bits_of_float)                                                \
  WRITE_KIND(access, shape, i, int, bits_of_int)                                                   \
  WRITE_KIND(access, shape, ui, uint, bits_of_int)
SHAPES_OF(WRITE, write_only)
SHAPES_OF(WRITE, read_write)

#define DIMENSIONS_1d(access)
#define DIMENSIONS_1d_array(access)                                                                \
  size_t API get_image_array_size(access image1d_array_t of) { return state_of(of)->layers; }
#define DIMENSIONS_PLANE(image_type)                                                               \
  int2 API get_image_dim(image_type of) {                                                          \
    return (int2)((int)state_of(of)->width, (int)state_of(of)->height);                            \
  }                                                                                                \
  int API get_image_height(image_type of) { return (int)state_of(of)->height; }
#define DIMENSIONS_2d(access) DIMENSIONS_PLANE(access image2d_t)
#define DIMENSIONS_2d_array(access)                                                                \
  DIMENSIONS_PLANE(access image2d_array_t)                                                         \
  size_t API get_image_array_size(access image2d_array_t of) { return state_of(of)->layers; }
#define DIMENSIONS_3d(access)                                                                      \
  int4 API get_image_dim(access image3d_t of) {                                                    \
    const image it = state_of(of);                                                                 \
    return (int4)((int)it->width, (int)it->height, (int)it->depth, 0);                             \
  }                                                                                                \
  int API get_image_height(access image3d_t of) { return (int)state_of(of)->height; }              \
  int API get_image_depth(access image3d_t of) { return (int)state_of(of)->depth; }
#define QUERIES(access, shape)                                                                     \
  DIMENSIONS_##shape(access) int API get_image_width(access image##shape##_t of) {                 \
    return (int)state_of(of)->width;                                                               \
  }                                                                                                \
  int API get_image_channel_data_type(access image##shape##_t of) {                                \
    return (int)state_of(of)->type;                                                                \
  }                                                                                                \
  int API get_image_channel_order(access image##shape##_t of) { return (int)state_of(of)->order; }
IMAGES(QUERIES)

/* Converts a sampler constant of the program, which has OpenCL's encoding with the filter in bits 4
 * and 5, to the numbers that hosts pass. */
ulong __specpi_sampler_of(uint rules) {
  return (rules & 1) | (rules >> 5 & 1) << 1 | (rules >> 1 & 7) << 2;
}
