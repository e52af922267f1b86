/* A named constant of every scalar type; compiled.cpp has the same structure. */
#include <specpi/device.h>

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

struct scalars {
  long i64;
  ulong u64;
  double f64;
  int i32;
  uint u32;
  float f32;
  short i16;
  ushort u16;
  half f16;
  char i8;
  uchar u8;
  uchar truth;
};

SPECPI_CONSTANT(long, i64, -64);
SPECPI_CONSTANT(ulong, u64, 64);
SPECPI_CONSTANT(double, f64, 0.5);
SPECPI_CONSTANT(int, i32, -32);
SPECPI_CONSTANT(uint, u32, 32);
SPECPI_CONSTANT(float, f32, 0.25f);
SPECPI_CONSTANT(short, i16, -16);
SPECPI_CONSTANT(ushort, u16, 16);
SPECPI_CONSTANT(half, f16, 0.125h);
SPECPI_CONSTANT(char, i8, -8);
SPECPI_CONSTANT(uchar, u8, 8);
SPECPI_CONSTANT(bool, truth, true);

kernel void write_scalars(global struct scalars *out) {
  out->i64 = specpi_get(i64);
  out->u64 = specpi_get(u64);
  out->f64 = specpi_get(f64);
  out->i32 = specpi_get(i32);
  out->u32 = specpi_get(u32);
  out->f32 = specpi_get(f32);
  out->i16 = specpi_get(i16);
  out->u16 = specpi_get(u16);
  out->f16 = specpi_get(f16);
  out->i8 = specpi_get(i8);
  out->u8 = specpi_get(u8);
  out->truth = specpi_get(truth);
}
