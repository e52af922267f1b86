/*
 * Constants of every kind. For each there is a kernel copy_NAME, which writes the constant's bytes
 * for gpu-ptx to compare. If a name starts with flag, the constant's leaves of one byte are bool.
 */
#include <specpi/device.h>
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* A pointer to bool cannot be an argument. */
#define COPIED(type, name, ...)                                                                    \
  SPECPI_CONSTANT(type, name, __VA_ARGS__);                                                        \
  kernel void copy_##name(global uchar *out) {                                                     \
    *(global type *)out = specpi_get(name);                                                        \
  }

COPIED(bool, flag, true)
COPIED(char, c, -2)
COPIED(uchar, uc, 200)
COPIED(short, s, -3)
COPIED(ushort, us, 65535)
COPIED(int, i, -4)
COPIED(uint, ui, 0xFFFFFFFFu)
COPIED(long, l, -5L)
COPIED(ulong, ul, 1UL << 63)
COPIED(half, h, 1.5h)
COPIED(float, f, 2.5f)
COPIED(double, d, 3.5)

COPIED(char2, c2, (char2)(1, -2))
COPIED(uchar16, uc16, (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255))
COPIED(short3, s3, (short3)(1, -2, 3))
COPIED(int4, i4, (int4)(1, -2, 3, -4))
COPIED(long2, l2, (long2)(1, -2))
COPIED(half4, h4, (half4)(0.5h, -1.0h, 2.0h, 65504.0h))
COPIED(float3, f3, (float3)(1, 2, 3))
COPIED(float8, f8, (float8)(1, 2, 3, 4, 5, 6, 7, 8))
COPIED(double4, d4, (double4)(1, 2, 3, 1e300))

typedef struct {
  bool on;
  int number;
  bool also[3];
} flags;
COPIED(flags, flag_some, {true, 7, {false, true, false}})

typedef struct {
  char c;
  double d;
  struct {
    short s;
    float3 v;
    struct {
      char last;
    } inner[2];
  } nested[2];
  half h;
} nest;
COPIED(nest, nested, {1, 2.5, {{3, {4, 5, 6}, {{7}, {8}}}, {9, {10, 11, 12}, {{13}, {14}}}}, 1.5h})

typedef struct __attribute__((packed)) {
  char c;
  double d;
  short s;
  struct __attribute__((packed)) {
    uchar u;
    int i;
    half h;
  } part[2];
  long l;
  float f;
} pack;
COPIED(pack, packed, {1, 2.5, -3, {{4, 5, 0.5h}, {6, 7, 2.0h}}, -8, 9.5f})

typedef struct {
  float3 v[3];
  short3 s[2][2];
  char3 c;
} threes;
COPIED(threes, vectors,
       {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
        {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}},
        {13, 14, 15}})

typedef struct {
  int w[5][7];
} matrix;
COPIED(matrix, weights, {{{1, 2, 3}, {4}, {5, 6}, {7}, {8, 9, 10, 11, 12, 13, 14}}})

/* A constant with many uses: a loop's bound, an index, a helper's result. */
typedef struct {
  int count;
  uint numbers[8];
} series;
SPECPI_CONSTANT(series, used, {3, {1, 2, 3, 4, 5, 6, 7, 8}});

__attribute__((noinline)) uint used_number(int i) {
  return specpi_get(used).numbers[i];
}

/* used.numbers[0 .. used.count), followed by their sum. */
__attribute__((reqd_work_group_size(1, 1, 1))) kernel void sum_used(global uint *out) {
  uint sum = 0;
  for (int i = 0; i < specpi_get(used).count; i++) {
    out[i] = used_number(i);
    sum += specpi_get(used).numbers[i];
  }
  out[specpi_get(used).count] = sum;
}
