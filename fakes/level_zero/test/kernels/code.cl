/* The kernels of the tests of modules, kernels and launches. */
int __attribute__((overloadable)) __spirv_SpecConstant(int id, int value);
long __attribute__((overloadable)) __spirv_SpecConstant(int id, long value);
char __attribute__((overloadable)) __spirv_SpecConstant(int id, char value);
bool __attribute__((overloadable)) __spirv_SpecConstant(int id, bool value);
double __attribute__((overloadable)) __spirv_SpecConstant(int id, double value);

kernel void constants(global double *out) {
  out[0] = __spirv_SpecConstant(0, 100);
  out[1] = __spirv_SpecConstant(1, 200L);
  out[2] = __spirv_SpecConstant(2, (char)3);
  out[3] = __spirv_SpecConstant(3, false);
  out[4] = __spirv_SpecConstant(4, 0.5);
}

kernel void add(global int *out, global const int *in, int number) {
  const size_t i = get_global_id(0);
  out[i] = in[i] + number;
}

typedef struct {
  char a;
  int3 b;
  short c[3];
  double d;
} mixed;

kernel void by_value(global double *out, mixed value, char small, float4 vector) {
  out[0] = value.a + value.b.x + value.b.y + value.b.z;
  out[1] = value.c[0] + value.c[1] + value.c[2];
  out[2] = value.d;
  out[3] = small;
  out[4] = vector.x + vector.y + vector.z + vector.w;
}

kernel void reversed(global int *out, local int *room) {
  const size_t i = get_local_id(0);
  const size_t n = get_local_size(0);
  room[i] = (int)get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = room[n - 1 - i];
}

kernel void __attribute__((reqd_work_group_size(4, 2, 1))) sized(global int *out) {
  const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  out[i] = (int)(get_group_id(0) * 100 + get_group_id(1) * 10 + get_local_id(1));
}

kernel void place(global int *out) {
  const size_t i = get_global_id(0) - get_global_offset(0);
  out[i] = (int)get_global_id(0);
}

typedef struct {
  global int *out;
} holder;

kernel void through(global const holder *in) {
  in->out[get_global_id(0)] = 7;
}

kernel void is_null(global int *out, global int *pointer) {
  out[0] = pointer == 0;
}

global int counter = 5;
constant int table[2] = {11, 22};

kernel void count(global int *out) {
  counter += table[1];
  out[0] = counter;
}

int three_times(int value) {
  return value * 3;
}

/* Each work-group waits for all work-groups, like a grid-wide barrier. */
kernel void meet(global volatile int *arrived, global int *out, int groups) {
  atomic_inc(arrived);
  uint turns = 0;
  while (*arrived < groups && turns < 2000000000)
    turns++;
  out[get_group_id(0)] = *arrived >= groups;
}
