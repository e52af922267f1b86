/* Six numbers per work-item: its global id and the size of its group. */
kernel void positions(global uint *out) {
  const size_t x = get_global_id(0) - get_global_offset(0);
  const size_t y = get_global_id(1) - get_global_offset(1);
  const size_t z = get_global_id(2) - get_global_offset(2);
  global uint *mine = out + 6 * (x + get_global_size(0) * (y + get_global_size(1) * z));
  for (uint d = 0; d < 3; d++) {
    mine[d] = (uint)get_global_id(d);
    mine[3 + d] = (uint)get_local_size(d);
  }
}
