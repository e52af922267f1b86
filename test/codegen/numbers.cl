/* Code for which random tests found wrong results. Writes COLUMNS numbers for each work-item. */
#define COLUMNS 16

kernel void numbers(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  global long *at = out + id * COLUMNS;
  const int value = in[id];
  const ulong bits = 0x123456789abcdef0ul * (ulong)(value + 1);
  const ulong places = (ulong)(value * 3 - 64);
  at[0] = (long)rotate(bits, places);
  at[1] = (long)((bits << (places & 63)) | (bits >> (-places & 63)));
  at[2] = (long)((bits >> (places & 63)) | (bits << (-places & 63)));
  at[3] = ctz((uchar)value);
  at[4] = ctz((short)(value << 4));
  at[5] = ctz(bits);
  ushort half_bits;
  vstore_half_rtp(as_float(value + 1), 0, (private half *)&half_bits);
  at[7] = half_bits;
  at[6] = mad_hi(value << 20, value << 20, value);
  at[8] = as_int(convert_float_rtz(INT_MAX - (value & 63)));
  at[9] = as_int(convert_float_rtn(UINT_MAX - (uint)(value & 63)));
  at[10] = as_int(convert_float_rtz(LONG_MAX - (long)(value & 63)));
  at[11] = as_long(convert_double_rtz(ULONG_MAX - (ulong)(value & 63)));
  at[12] = as_int(convert_float_rtp(-INT_MAX + (value & 63)));
}
