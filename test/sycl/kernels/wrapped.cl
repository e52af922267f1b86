/* Named constants, read like in SYCL's device headers. The pass assigns their ids. */
struct pair {
  int first;
  char second;
};

int get_int(constant char *name, constant void *value, constant void *buffer) __asm(
    "_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_");
struct pair get_pair(constant char *name, constant void *value, constant void *buffer) __asm(
    "_Z40__sycl_getComposite2020SpecConstantValueI4pairET_PKcPKvS5_");

constant struct {
  int value;
} factor = {3};
constant struct {
  struct pair value;
} sum = {{1000, 7}};

kernel void NAME(global int *out, int value) {
  struct pair it = get_pair("sum", &sum, 0);
  out[get_global_id(0)] = value * get_int("factor", &factor, 0) + it.first + it.second;
}
