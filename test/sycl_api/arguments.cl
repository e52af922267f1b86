/* Kernels in OpenCL C with the names of types in arguments.cpp. They have no function objects. */

kernel void _ZTS9Arguments(global int *out, int factor, global const int *in, local int *own,
                           long more) {
  const size_t at = get_local_id(0);
  own[at] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int other = own[get_local_size(0) - 1 - at];
  out[get_global_id(0)] = other * factor + (int)more;
}

typedef struct mixed {
  char kind;
  double number;
} mixed;

kernel void _ZTS6Values(global double *out, mixed value, float4 wide) {
  out[get_global_id(0) - get_global_offset(0)] =
      value.kind + value.number + wide.x * wide.w + get_global_offset(0);
}

kernel __attribute__((reqd_work_group_size(4, 2, 1))) void _ZTS8Required(global int *out) {
  local int sums[8];
  const size_t at = get_local_id(1) * 4 + get_local_id(0);
  sums[at] = (int)at;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (at == 0)
    for (int i = 0; i < 8; i++)
      out[get_group_id(0)] += sums[i];
}

kernel void _ZTS4None(void) {
}
