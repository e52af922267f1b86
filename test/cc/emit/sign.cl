// A signed number of 64 bits is shifted, and more bits are used than it has then: copies of its sign.
// RUN: %specpi-cc --emit=ptx %s -o - | grep 'shr.s64'
// RUN: %specpi-cc --emit=ptx %s -o - | %not grep 'bfe.u64.*, 40, 32;'
kernel void k(global long *out, global const long *in) {
  out[0] = (in[0] >> 40) & 0xffffffff;
}
