/* Reads its constants from a buffer, as code in mode emulate does. */
kernel void from_buffer(global long *out, global const char *constants) {
  out[0] = *(global const int *)constants;
  out[1] = *(global const uint *)(constants + 4) + ((long)constants[8] << 32);
  out[2] = *(global const long *)(constants + 16);
}
