/* A constant of every type, with the ids and the layout of scalars.cpp. */
#include "spec_constant.clh"

struct values {
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
  uchar truth_of_byte; /* a bool in DPC++'s form, an 8-bit integer constant */
  uchar truth;         /* a bool in SPIR-V's form, a boolean constant */
};

kernel void write_scalars(global struct values *out) {
  out->i64 = __spirv_SpecConstant(10, -64L);
  out->u64 = as_ulong(__spirv_SpecConstant(11, 64L));
  out->f64 = __spirv_SpecConstant(12, 0.5);
  out->i32 = __spirv_SpecConstant(13, -32);
  out->u32 = as_uint(__spirv_SpecConstant(14, 32));
  out->f32 = __spirv_SpecConstant(15, 0.25f);
  out->i16 = __spirv_SpecConstant(16, (short)-16);
  out->u16 = as_ushort(__spirv_SpecConstant(17, (short)16));
  out->f16 = __spirv_SpecConstant(18, 0.125h);
  out->i8 = __spirv_SpecConstant(19, (char)-8);
  out->u8 = as_uchar(__spirv_SpecConstant(20, (char)8));
  out->truth_of_byte = __spirv_SpecConstant(21, (char)1) != 0;
  out->truth = __spirv_SpecConstant(22, (bool)true);
}
