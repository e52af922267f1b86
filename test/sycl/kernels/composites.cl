/* Constants of several leaves, with the ids and layouts of composites.cpp. */
#include "spec_constant.clh"

struct filter {
  char kind;
  float gain;
  double taps[3];
  short shift;
};

struct values {
  struct filter filter;
  int origin[3];
  char odd;
  long last;
};

kernel void write_composites(global struct values *out) {
  out->odd = __spirv_SpecConstant(1, (char)3);
  out->filter.kind = __spirv_SpecConstant(2, (char)5);
  out->filter.gain = __spirv_SpecConstant(3, 1.5f);
  out->filter.taps[0] = __spirv_SpecConstant(4, 0.25);
  out->filter.taps[1] = __spirv_SpecConstant(5, 0.5);
  out->filter.taps[2] = __spirv_SpecConstant(6, 0.75);
  out->filter.shift = __spirv_SpecConstant(7, (short)-2);
  out->origin[0] = __spirv_SpecConstant(8, 10);
  out->origin[1] = __spirv_SpecConstant(9, 20);
  out->origin[2] = __spirv_SpecConstant(10, 30);
  out->last = __spirv_SpecConstant(11, 77L);
}
