// Signs of halves. A conversion to float may lose the sign of a NaN. The bits are of NaN, -NaN, 1, -1, -0
// and the largest half.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// launch: signs --global 6 --arg i16[12]=zero --arg i16[6]=0x7e00,0xfe00,0x3c00,0xbc00,0x8000,0x7bff
// result: 32256 32256 15360 15360 0 31743 -512 -512 -17408 -17408 -32768 -1025
kernel void signs(global short *o, global const short *a) {
  const size_t i = get_global_id(0);
  const half x = as_half(a[i]);
  const half2 both = copysign((half2)(x, x), (half2)(as_half(a[0]), as_half(a[1])));
  o[i] = as_short(both.x);
  o[6 + i] = as_short(copysign(x, as_half(a[1])));
}
