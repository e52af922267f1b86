/* Kernels for tests of arguments and of work-groups. */

typedef struct record {
  int number;
  char letter;
  long large;
} record;

/* One argument of every kind that is passed by value. */
kernel void values(global long *out, char c, uchar uc, short s, ushort us, int i, uint ui, long l,
                   float f, int4 v, record r) {
  out[0] = c;
  out[1] = uc;
  out[2] = s;
  out[3] = us;
  out[4] = i;
  out[5] = ui;
  out[6] = l;
  out[7] = as_int(f);
  out[8] = v.x + 10 * v.y + 100 * v.z + 1000 * v.w;
  out[9] = r.number;
  out[10] = r.letter;
  out[11] = r.large;
}

kernel void add(global const int *a, global const int *b, global int *out) {
  const size_t i = get_global_id(0);
  out[i] = a[i] + b[i];
}

/* Sums each group's numbers in local memory, whose size the host sets. */
kernel void group_sum(global const int *in, global int *out, local int *scratch) {
  const size_t me = get_local_id(0);
  scratch[me] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me != 0)
    return;
  int sum = 0;
  for (size_t i = 0; i < get_local_size(0); i++)
    sum += scratch[i];
  out[get_group_id(0)] = sum;
}

kernel void from_constant(constant int *in, global int *out) {
  out[get_global_id(0)] = in[get_global_id(0)] + 1;
}

kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed_group(global uint *out) {
  out[get_global_id(0) + get_global_size(0) * get_global_id(1)] = (uint)get_local_size(0);
}

/* Loads a pointer from memory, so that the runtime does not know of the allocation it points to. */
kernel void indirect(global ulong *pointers) {
  global int *behind = (global int *)pointers[0];
  behind[get_global_id(0)] = (int)get_global_id(0) + 5;
}

/* Runs for some milliseconds, for tests whose events must not complete at once. */
kernel void slow(global uint *out, uint rounds) {
  uint x = out[0];
  for (uint i = 0; i < rounds; i++)
    x = x * 1664525u + 1013904223u;
  out[0] = x;
}
