/*
 * Writes six numbers per work-item: its global id and the size of its group. The host passes the
 * first id, because not every compiler has get_global_offset.
 */
kernel void positions(global uint *out, uint first_x, uint first_y, uint first_z) {
  const size_t x = get_global_id(0) - first_x;
  const size_t y = get_global_id(1) - first_y;
  const size_t z = get_global_id(2) - first_z;
  global uint *mine = out + 6 * (x + get_global_size(0) * (y + get_global_size(1) * z));
  for (uint d = 0; d < 3; d++) {
    mine[d] = (uint)get_global_id(d);
    mine[3 + d] = (uint)get_local_size(d);
  }
}
