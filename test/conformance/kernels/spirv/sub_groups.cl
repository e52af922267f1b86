/* Kernels with sub-groups of three sizes, and of a size that the device chooses, in one module. */
enum { COLUMNS = 16, MOST = 32 };

int __attribute__((overloadable)) intel_sub_group_shuffle(int value, uint lane);
int __attribute__((overloadable)) intel_sub_group_shuffle_xor(int value, uint mask);

/* All kernels call this function, so its sub-group size depends on the calling kernel. */
__attribute__((noinline)) void look_around(global int *out, global const int *in,
                                           local int *shared) {
  const size_t id = get_global_linear_id();
  const uint lane = get_sub_group_local_id();
  const uint own = get_sub_group_id() * MOST;
  const uint size = get_sub_group_size();
  const int value = in[id];
  global int *at = out + id * COLUMNS;
  at[0] = get_sub_group_id();
  at[1] = lane;
  at[2] = size;
  at[3] = get_max_sub_group_size();
  at[4] = get_num_sub_groups();
  at[5] = sub_group_reduce_add(value);
  at[6] = sub_group_scan_inclusive_max(value);
  at[7] = sub_group_scan_exclusive_add(value);
  at[8] = sub_group_broadcast(value, size - 1);
  at[9] = sub_group_any(value > 90);
  at[10] = sub_group_all(value > 10);
  at[11] = intel_sub_group_shuffle(value, size - 1 - lane);
  at[12] = intel_sub_group_shuffle_xor(value, 1);
  shared[own + lane] = value;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  at[13] = shared[own + (lane + 1) % size];
  /* Work-items diverge, then meet at a barrier of the work-group. */
  if (lane & 1)
    shared[own + lane] = -value;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  at[14] = shared[(get_sub_group_id() + 1) % get_num_sub_groups() * MOST];
  at[15] = work_group_reduce_add(value);
}

#define KERNEL(name, ...)                                                                          \
  kernel __VA_ARGS__ void name(global int *out, global const int *in, local int *shared) {         \
    look_around(out, in, shared);                                                                  \
  }
#define SIZED(size) KERNEL(size_##size, __attribute__((intel_reqd_sub_group_size(size))))
SIZED(8) SIZED(16) SIZED(32) KERNEL(any_size)
