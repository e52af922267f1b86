// Bits of a number of 64 bits with a sign, more than it has after the shift: copies of the sign.
// RUN: %specpi-cc --emit=ptx %s -o - | grep 'shr.s64'
// RUN: %specpi-cc --emit=ptx %s -o - | %not grep 'bfe.u64.*, 40, 32;'
kernel void k(global long *out, global const long *in) {
  out[0] = (in[0] >> 40) & 0xffffffff;
}
