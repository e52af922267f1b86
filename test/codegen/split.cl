/* Each of 40 work-items reads a number that another one wrote. */
kernel void split(global int *out) {
  local int values[40];
  const size_t lane = get_local_id(0);
  values[lane] = 3 * (int)lane;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = values[39 - lane];
}
