/*
 * Sub-group functions that only the work-items with an odd input reach. Each kernel writes COLUMNS
 * numbers for each work-item; active.c computes the same numbers and compares.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define COLUMNS 16
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SIZE))) void
#define API __attribute__((overloadable))

#define NUMBERS(X)                                                                                 \
  X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong) X(half) X(float) X(double)
#define INTEGERS(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)
#define REDUCES(type, operation)                                                                   \
  type API sub_group_non_uniform_reduce_##operation(type value);                                   \
  type API sub_group_non_uniform_scan_inclusive_##operation(type value);                           \
  type API sub_group_non_uniform_scan_exclusive_##operation(type value);                           \
  type API sub_group_clustered_reduce_##operation(type value, uint size);
#define MOVES(type)                                                                                \
  type API sub_group_non_uniform_broadcast(type value, uint lane);                                 \
  type API sub_group_broadcast_first(type value);                                                  \
  type API sub_group_shuffle(type value, uint lane);                                               \
  type API sub_group_shuffle_xor(type value, uint mask);                                           \
  type API sub_group_shuffle_up(type value, uint delta);                                           \
  type API sub_group_shuffle_down(type value, uint delta);                                         \
  type API sub_group_rotate(type value, int delta);                                                \
  type API sub_group_clustered_rotate(type value, int delta, uint size);
#define DECLARE(type)                                                                              \
  MOVES(type)                                                                                      \
  int API sub_group_non_uniform_all_equal(type value);                                             \
  REDUCES(type, add) REDUCES(type, mul) REDUCES(type, min) REDUCES(type, max)
#define DECLARE_BITS(type) REDUCES(type, and) REDUCES(type, or) REDUCES(type, xor)
NUMBERS(DECLARE)
INTEGERS(DECLARE_BITS)
MOVES(float4)
MOVES(short3)
REDUCES(int, logical_and)
REDUCES(int, logical_or) REDUCES(int, logical_xor) int API sub_group_elect(void);
int API sub_group_non_uniform_all(int value);
int API sub_group_non_uniform_any(int value);
uint4 API sub_group_ballot(int value);
int API sub_group_inverse_ballot(uint4 votes);
int API sub_group_ballot_bit_extract(uint4 votes, uint lane);
uint API sub_group_ballot_bit_count(uint4 votes);
uint API sub_group_ballot_inclusive_scan(uint4 votes);
uint API sub_group_ballot_exclusive_scan(uint4 votes);
uint API sub_group_ballot_find_lsb(uint4 votes);
uint API sub_group_ballot_find_msb(uint4 votes);

/* Every type can hold the sum and the product of 32 inputs. */
#define KERNEL_OF(type)                                                                            \
  KERNEL active_##type(global long *out, global const int *in) {                                   \
    const size_t id = get_global_id(0);                                                            \
    const uint lane = (uint)get_local_id(0) % SIZE;                                                \
    global long *at = out + id * COLUMNS;                                                          \
    const type value = (type)(in[id] & 3);                                                         \
    const type factor = lane % 8 == 3 ? 2 : 1;                                                     \
    if (in[id] & 1) {                                                                              \
      at[0] = (long)sub_group_non_uniform_reduce_add(value);                                       \
      at[1] = (long)sub_group_non_uniform_reduce_min(value);                                       \
      at[2] = (long)sub_group_non_uniform_reduce_max(value);                                       \
      at[3] = (long)sub_group_non_uniform_scan_inclusive_add(value);                               \
      at[4] = (long)sub_group_non_uniform_scan_exclusive_add(value);                               \
      at[5] = (long)sub_group_clustered_reduce_add(value, 4);                                      \
      at[6] = (long)sub_group_non_uniform_reduce_mul(factor);                                      \
      at[7] = (long)sub_group_non_uniform_scan_exclusive_mul(factor);                              \
      at[8] = (long)sub_group_broadcast_first(value);                                              \
      at[9] = sub_group_non_uniform_all_equal(value);                                              \
      at[10] = sub_group_non_uniform_all_equal(factor * 0);                                        \
      at[11] = (long)sub_group_shuffle_xor(value, 1);                                              \
      at[12] = (long)sub_group_shuffle(value, 2);                                                  \
      at[13] = (long)sub_group_shuffle_up(value, 1);                                               \
      at[14] = (long)sub_group_shuffle_down(value, 2);                                             \
      at[15] = (long)sub_group_non_uniform_broadcast(value, 4);                                    \
    }                                                                                              \
  }
NUMBERS(KERNEL_OF)

#define BITS_OF(type)                                                                              \
  KERNEL bits_##type(global long *out, global const int *in) {                                     \
    const size_t id = get_global_id(0);                                                            \
    global long *at = out + id * COLUMNS;                                                          \
    const type value = (type)in[id];                                                               \
    if (in[id] & 1) {                                                                              \
      at[0] = sub_group_non_uniform_reduce_and(value);                                             \
      at[1] = sub_group_non_uniform_reduce_or(value);                                              \
      at[2] = sub_group_non_uniform_reduce_xor(value);                                             \
      at[3] = sub_group_non_uniform_scan_inclusive_and(value);                                     \
      at[4] = sub_group_non_uniform_scan_exclusive_or(value);                                      \
      at[5] = sub_group_non_uniform_scan_exclusive_xor(value);                                     \
      at[6] = sub_group_clustered_reduce_or(value, 8);                                             \
      at[7] = sub_group_clustered_reduce_xor(value, 2);                                            \
    }                                                                                              \
  }
INTEGERS(BITS_OF)

KERNEL votes(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  global long *at = out + id * COLUMNS;
  const int value = in[id];
  if (value & 1) {
    const uint4 votes = sub_group_ballot(value & 2);
    at[0] = sub_group_elect();
    at[1] = sub_group_non_uniform_any(value & 2);
    at[2] = sub_group_non_uniform_all(value & 2);
    at[3] = votes.x;
    at[4] = sub_group_inverse_ballot(votes);
    at[5] = sub_group_ballot_bit_extract(votes, 3);
    at[6] = sub_group_ballot_bit_count(votes);
    at[7] = sub_group_ballot_inclusive_scan(votes);
    at[8] = sub_group_ballot_exclusive_scan(votes);
    at[9] = votes.x ? sub_group_ballot_find_lsb(votes) : 99;
    at[10] = votes.x ? sub_group_ballot_find_msb(votes) : 99;
    at[11] = sub_group_non_uniform_reduce_logical_and(value & 2);
    at[12] = sub_group_non_uniform_reduce_logical_or(value & 2);
    at[13] = sub_group_non_uniform_reduce_logical_xor(value & 2);
    at[14] = sub_group_non_uniform_scan_inclusive_logical_xor(value & 2);
    at[15] = sub_group_clustered_reduce_logical_or(value & 2, 4);
  }
}

/* All work-items of the sub-group are active; active.c checks whole sub-groups only. */
KERNEL moves(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  global long *at = out + id * COLUMNS;
  const int value = in[id];
  at[0] = sub_group_rotate(value, 3);
  at[1] = sub_group_rotate((double)value, -1);
  at[2] = sub_group_clustered_rotate((char)value, 1, 4);
  at[3] = (long)sub_group_shuffle_xor((float4)(1, 2, 3, value), 1).w;
  at[4] = sub_group_shuffle_xor((short3)((short)value, 2, 3), 2).x;
}

/*
 * Functions of a whole sub-group, called where only some of its work-items are active: in a branch,
 * in a function called from the branch, in a loop that work-items leave one by one, and after some
 * work-items have returned.
 */
__attribute__((noinline)) long of_function(int value) {
  return sub_group_reduce_add(value) * 100 + sub_group_reduce_max(value);
}
KERNEL apart(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  global long *at = out + id * COLUMNS;
  const int value = in[id] & 3;
  if (in[id] & 1) {
    at[0] = sub_group_reduce_add(value);
    at[1] = sub_group_scan_inclusive_add(value);
    at[2] = sub_group_scan_exclusive_add(value);
    at[3] = sub_group_any(in[id] & 2);
    at[4] = sub_group_all(in[id] & 2);
    at[5] = of_function(value);
    at[6] = sub_group_broadcast(value, 4);
  }
  long sum = 0;
  for (int i = 0; i < (in[id] & 7); i++)
    sum = sum * 40 + sub_group_reduce_add(1);
  at[7] = sum;
  at[8] = sub_group_reduce_add(1);
  if ((in[id] & 1) == 0)
    return;
  at[9] = sub_group_reduce_min(value);
}

/* Work-items leave the loop one by one; at each step the rest count themselves. */
KERNEL loops(global long *out, global const int *in) {
  const size_t id = get_global_id(0);
  long sum = 0;
  for (int i = 0; i < (in[id] & 7); i++)
    sum = sum * 40 + sub_group_non_uniform_reduce_add(1);
  out[id * COLUMNS] = sum;
  out[id * COLUMNS + 1] = sub_group_non_uniform_reduce_add(1);
}
