/*
 * Built-in functions. Each kernel writes COLUMNS numbers for each work-item; run.c computes the
 * same numbers and compares. SIZE is the size of the sub-groups.
 */
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define COLUMNS 16
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SIZE))) void

int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
int __attribute__((overloadable)) intel_sub_group_shuffle(int value, uint lane);
int __attribute__((overloadable)) intel_sub_group_shuffle_xor(int value, uint mask);
int __attribute__((overloadable)) intel_sub_group_shuffle_up(int before, int value, uint delta);
int __attribute__((overloadable)) intel_sub_group_shuffle_down(int value, int behind, uint delta);
uint2 __attribute__((overloadable)) intel_sub_group_block_read2(const global uint *from);
void __attribute__((overloadable)) intel_sub_group_block_write2(global uint *to, uint2 value);

KERNEL ids(global long *out) {
  const size_t at = (get_global_id(1) * get_global_size(0) + get_global_id(0)) * COLUMNS;
  out[at + 0] = get_local_id(0) + 100 * get_local_id(1);
  out[at + 1] = get_group_id(0) + 100 * get_group_id(1);
  out[at + 2] = get_local_size(0) + 100 * get_local_size(1);
  out[at + 3] = get_num_groups(0) + 100 * get_num_groups(1);
  out[at + 4] = get_local_linear_id();
  out[at + 5] = get_global_linear_id();
  out[at + 6] = get_work_dim();
  out[at + 7] = get_sub_group_size();
  out[at + 8] = get_max_sub_group_size();
  out[at + 9] = get_num_sub_groups();
  out[at + 10] = get_sub_group_id();
  out[at + 11] = get_sub_group_local_id();
  out[at + 12] = get_global_offset(0);
  out[at + 13] = __spirv_SpecConstant(7, 16);
}

KERNEL work_groups(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  global long *at = out + id * COLUMNS;
  const int value = in[id];
  at[0] = work_group_reduce_add(value);
  at[1] = work_group_reduce_min((long)value);
  at[2] = work_group_reduce_max((float)value);
  at[3] = work_group_scan_inclusive_add((ulong)value);
  at[4] = work_group_scan_exclusive_add(value);
  at[5] = work_group_scan_inclusive_max(value);
  at[6] = work_group_scan_exclusive_min((double)value);
  at[7] = work_group_broadcast(value, 3);
  at[8] = work_group_any(value == 7);
  at[9] = work_group_all(value >= 0);
}

KERNEL sub_groups(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  global long *at = out + id * COLUMNS;
  const int value = in[id];
  at[0] = sub_group_reduce_add(value);
  at[1] = sub_group_reduce_min((long)value);
  at[2] = sub_group_scan_inclusive_add((float)value);
  at[3] = sub_group_scan_exclusive_add((ulong)value);
  at[4] = sub_group_scan_exclusive_max(value);
  at[5] = sub_group_broadcast((long)value << 33, 2);
  at[6] = sub_group_any(value == 7);
  at[7] = sub_group_all(value >= 0);
  at[8] = intel_sub_group_shuffle(value, 1);
  at[9] = intel_sub_group_shuffle_xor(value, 1);
  at[10] = intel_sub_group_shuffle_up(-1, value, 1);
  at[11] = intel_sub_group_shuffle_down(value, -2, 1);
}

KERNEL blocks(global uint *out, global const uint *in) {
  const size_t first = 2 * SIZE * (get_global_id(0) / SIZE);
  intel_sub_group_block_write2(out + first, intel_sub_group_block_read2(in + first) + 1);
}

KERNEL atomics(global atomic_int *ints, global atomic_long *longs, global long *seen) {
  local atomic_int shared;
  if (get_local_id(0) == 0)
    atomic_store_explicit(&shared, 0, memory_order_relaxed, memory_scope_work_group);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  const int id = (int)get_global_id(0);
  atomic_fetch_add_explicit(&ints[0], id, memory_order_acq_rel, memory_scope_device);
  atomic_fetch_max_explicit(&ints[1], id, memory_order_relaxed, memory_scope_device);
  atomic_fetch_min_explicit(&ints[2], id, memory_order_seq_cst, memory_scope_all_svm_devices);
  atomic_fetch_or_explicit(&ints[3], 1 << id % 31, memory_order_relaxed, memory_scope_device);
  atomic_fetch_sub_explicit(&longs[0], (long)id << 32, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(&longs[1], (long)id << 32, memory_order_relaxed, memory_scope_device);
  atomic_fetch_add_explicit(&shared, 1, memory_order_relaxed, memory_scope_work_group);
  int expected = atomic_load_explicit(&ints[4], memory_order_acquire, memory_scope_device);
  while (!atomic_compare_exchange_strong_explicit(&ints[4], &expected, expected + 2,
                                                  memory_order_acq_rel, memory_order_acquire,
                                                  memory_scope_device))
    ;
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  seen[id] =
      atomic_load_explicit(&shared, memory_order_relaxed, memory_scope_work_group) +
      100 * (atomic_exchange_explicit(&ints[5 + id], 5, memory_order_release, memory_scope_device));
}

/* Reads a constant table, and private, local and global memory through generic pointers. */
constant int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
__attribute__((noinline)) int sum_of(const int *from, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += from[i];
  /* Local memory begins at address 0, so that a valid local pointer may equal NULL. */
  return sum + (to_local(from) == from ? 1000 : 0) + (to_global(from) ? 2000 : 0);
}
KERNEL spaces(global long *out, global const int *in, local int *given) {
  local int own[8];
  int mine[8];
  const size_t id = get_global_id(0);
  const size_t lane = get_local_id(0);
  for (int i = 0; i < 8; i++)
    mine[(i + lane) & 7] = in[i] + (int)lane;
  if (lane < 8) {
    own[lane] = in[lane] * 2;
    given[lane] = in[lane] * 3;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id * COLUMNS + 0] = sum_of(mine, 8);
  out[id * COLUMNS + 1] = sum_of(own, 8);
  out[id * COLUMNS + 2] = sum_of(given, 8);
  out[id * COLUMNS + 3] = sum_of(in, 8);
  out[id * COLUMNS + 4] = table[lane & 7];
}

/* A structure passed by value. One function reads it in a loop; another one changes its copy. */
typedef struct record {
  long base;
  long step;
  int tail[4];
} record;
__attribute__((noinline)) long sum_of_record(record it, int count) {
  long sum = it.base;
  for (int i = 0; i < count; i++)
    sum += it.step * it.tail[i & 3];
  return sum;
}
__attribute__((noinline)) long change_record(record it, int count) {
  for (int i = 0; i < count; i++)
    it.step += it.tail[i & 3];
  return it.step;
}
KERNEL records(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  record it = {in[0], in[1], {in[2], in[3], in[4], in[5]}};
  out[id * COLUMNS + 0] = sum_of_record(it, (int)id % 5);
  out[id * COLUMNS + 1] = change_record(it, (int)id % 5);
  out[id * COLUMNS + 2] = it.step;
}

__attribute__((noinline)) static void meet(void) {
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* Work-items branch, meet at a barrier in a function, and branch again on the same condition. */
KERNEL flags(global long *out, global const int *in) {
  local int shared[64];
  const size_t lane = get_local_id(0);
  global long *at = out + get_global_id(0) * COLUMNS;
  bool is_more = false;
  shared[lane] = in[get_global_id(0)];
  at[0] = -1;
  if (in[get_global_id(0)] > 3) {
    at[1] = 7;
    is_more = true;
  }
  meet();
  if (is_more)
    at[0] = shared[lane ^ 1];
}

KERNEL halves(global half *out, global const half *in) {
  const size_t id = get_global_id(0);
  const half4 asked = {in[id], -in[id], (half)NAN, (half)INFINITY};
  const short4 answers =
      isnan(asked) + (short)2 * isinf(asked) + (short)4 * isgreater(asked, (half4)(8));
  out[id * 5 + 0] = sqrt(in[id]);
  out[id * 5 + 1] = fmax(in[id], (half)3);
  out[id * 5 + 2] = fma(in[id], in[id], (half)1);
  out[id * 5 + 3] = copysign(in[id], (half)-1);
  /* True is -1 in a vector, so that -answers is (0 or 4, 0, 1, 6). */
  out[id * 5 + 4] = (half)(-answers.x - 10 * answers.y - 100 * answers.z - 200 * answers.w);
}

KERNEL prints(global float *in) {
  if (get_global_id(0) == 3)
    in[0] = printf("item %d of %lu: %s %.1f %c\n", (int)get_global_id(0), get_global_size(0), "has",
                   in[0], 'x');
}

/* Prints with every conversion, from one work-item. in[0] receives the or-ed results of printf. */
KERNEL prints_all(global float *in) {
  if (get_global_id(0) != 0)
    return;
  const float value = in[0];
  const int number = (int)(value * 2);
  int result = printf("%.1v4hlf|%v2hld|%#v3hhx|%v2ld|\n", (float4)(value, 1, -2, 3.25f),
                      (int2)(number, -7), (uchar3)(1, 200, 255), (long2)(1L << 40, -number));
  result |= printf("%hhd|%hu|%ld|%lu|%lx|%i|%o|%5u|%-5d|%+d|%%\n", (char)-number, (ushort)65535,
                   -1L << 40, ~0UL, 0x123456789abcdefL, number, 8, number, number, number);
  result |=
      printf("%f|%.2e|%g|%a|%10.3f|%G\n", (half)value, (double)value, value, 1.0, -value, 1e-10);
  result |=
      printf("%s|%10s|%c|%p|%d\n", "text", "right", 'y', (global void *)0x1234, (short)-number);
  result |= printf("plain 100%%\n");
  in[0] = result;
}
