/* Atomic operations of every type, order and scope. The expected results do not depend on the order
 * of the work-items. */
#include "device.h"

#include <math.h>

enum { COUNT = 16 };

/* An integer or float type of OpenCL C. */
typedef struct number_type {
  const char *name;
  size_t bytes;
  bool is_signed, is_float;
} number_type;

static const number_type types[] = {
    {"char", 1, true, false},    {"uchar", 1, false, false}, {"short", 2, true, false},
    {"ushort", 2, false, false}, {"int", 4, true, false},    {"uint", 4, false, false},
    {"long", 8, true, false},    {"ulong", 8, false, false}, {"float", 4, true, true},
    {"double", 8, true, true},   {"half", 2, true, true},
};

enum { HALF = sizeof types / sizeof types[0] - 1 };

static CUmodule modules[2]; /* the second one has the kernels of half */

/* Converts a half that is a whole number from 0 to 2048. */
static double read_half(unsigned short bits) {
  return bits == 0 ? 0 : ldexp((bits & 0x3ff) + 1024, (bits >> 10) - 25);
}
static unsigned short write_half(int value) {
  int exponent;
  const double part = frexp(value, &exponent);
  return value == 0 ? 0
                    : (unsigned short)((unsigned)(exponent + 14) << 10 |
                                       ((unsigned)(part * 2048) & 0x3ff));
}

static void write_number(void *at, const number_type *type, long long value) {
  const float narrow = (float)value;
  const double wide = (double)value;
  const unsigned short half = write_half((int)value);
  memcpy(at,
         !type->is_float    ? (const void *)&value
         : type->bytes == 2 ? (const void *)&half
         : type->bytes == 4 ? (const void *)&narrow
                            : (const void *)&wide,
         type->bytes);
}

static long long read_number(const void *at, const number_type *type) {
  float narrow;
  double wide;
  unsigned short half;
  long long value = 0;
  memcpy(&value, at, type->bytes);
  memcpy(&narrow, at, sizeof narrow < type->bytes ? sizeof narrow : type->bytes);
  if (type->is_float && type->bytes == 2) {
    memcpy(&half, at, sizeof half);
    return (long long)read_half(half);
  }
  if (type->is_float && type->bytes == 4)
    return (long long)narrow;
  if (type->is_float) {
    memcpy(&wide, at, sizeof wide);
    return (long long)wide;
  }
  const unsigned left = 64 - 8 * (unsigned)type->bytes;
  return type->is_signed ? (long long)((unsigned long long)value << left) >> left : value;
}

/* Returns a number converted to the type. */
static long long as_type(const number_type *type, long long value) {
  unsigned char bytes[8] = {0};
  write_number(bytes, type, value);
  return read_number(bytes, type);
}

static void check_objects(const char *kernel, const number_type *type, const long long *before,
                          const unsigned char *objects, const unsigned char *seen) {
  long long expected[COUNT];
  memcpy(expected, before, sizeof expected);
  long long exchanged = before[3];
  for (int id = 0; id < ITEMS; id++) {
    expected[0] += id & 3;
    expected[1] = id * 37 % 101 < expected[1] ? id * 37 % 101 : expected[1];
    expected[2] = id * 37 % 101 > expected[2] ? id * 37 % 101 : expected[2];
    exchanged += id + 1 - read_number(seen + (size_t)id * type->bytes, type);
    expected[6] -= 1;
    expected[7] &= ~(1 << id % 3);
    expected[8] |= 1 << id % 3;
    expected[9] ^= id;
    expected[10] += 1;
  }
  /* Each exchanged number was seen by one work-item, but for the last, which is still there. */
  expected[3] = exchanged;
  expected[4] = before[5];
  for (int i = 0; i < (type->is_float ? 6 : 11); i++) {
    const long long got = read_number(objects + (size_t)i * type->bytes, type);
    if (got != as_type(type, expected[i]))
      fail_msg("%s_%s, object %d: %lld, not %lld", kernel, type->name, i, got, expected[i]);
  }
}

static void run_type(const char *order, const number_type *type) {
  static const long long before[COUNT] = {5, 90, 3, 7, 0, 42, 60, 0x7f, 0, 9, 1};
  unsigned char objects[COUNT * 8];
  unsigned char seen[ITEMS * 8];
  char name[64];
  CUdeviceptr memory[2];
  for (size_t i = 0; i < COUNT; i++)
    write_number(objects + i * type->bytes, type, before[i]);
  CU(cuMemAlloc(&memory[0], sizeof objects));
  CU(cuMemAlloc(&memory[1], sizeof seen));
  CU(cuMemcpyHtoD(memory[0], objects, sizeof objects));
  void *arguments[] = {&memory[0], &memory[1]};
  snprintf(name, sizeof name, "%s_%s", order, type->name);
  launch(modules[type == &types[HALF]], name, 1, 0, arguments);
  CU(cuMemcpyDtoH(objects, memory[0], sizeof objects));
  CU(cuMemcpyDtoH(seen, memory[1], sizeof seen));
  CU(cuMemFree(memory[0]));
  CU(cuMemFree(memory[1]));
  check_objects(order, type, before, objects, seen);
}

static void atomics_of_every_type_are_right(void **state) {
  (void)state;
  static const char *const orders[] = {"relaxed", "acq_rel", "seq_cst"};
  for (size_t o = 0; o < sizeof orders / sizeof orders[0]; o++)
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
      run_type(orders[o], &types[t]);
}

/* Builds PTX of a module for a GPU; the caller frees the text. */
static char *make_ptx(const char *name, const char *gpu, unsigned level) {
  size_t size;
  codegen *generators = make_generators(CODEGEN_PROGRAM, 120000);
  unsigned char *bytes = read_module(name, &size);
  codegen_request request = request_of(bytes, size);
  request.gpu = gpu;
  request.optimization = level;
  request.no_offset = true;
  char *ptx = build_module(generators, request);
  free(bytes);
  codegen_free(generators);
  return ptx;
}

/* Checks whether the PTX of a kernel contains a word. */
static void expect_words(const char *ptx, const char *kernel, bool has, const char *word) {
  char entry[64];
  snprintf(entry, sizeof entry, ".entry %s(", kernel);
  const char *at = strstr(ptx, entry);
  assert_non_null(at);
  const char *end = strstr(at, "\n}");
  assert_non_null(end);
  const char *found = strstr(at, word);
  if ((found != NULL && found < end) != has)
    fail_msg("%s %s %s", kernel, has ? "lacks" : "has", word);
}

static void atomics_have_their_scope_and_order_in_ptx(void **state) {
  (void)state;
  char *ptx = make_ptx("atomic.spv", "sm_80", 3);
  expect_words(ptx, "relaxed_int", true, "atom.global.add.u32");
  expect_words(ptx, "relaxed_int", false, "fence");
  expect_words(ptx, "relaxed_int", false, ".sys");
  expect_words(ptx, "acq_rel_int", true, "atom.sys.add.u32");
  expect_words(ptx, "acq_rel_int", true, "atom.sys.cas.b32");
  expect_words(ptx, "acq_rel_float", true, "atom.sys.add.f32");
  expect_words(ptx, "acq_rel_short", true, "atom.sys.cas.b32");
  expect_words(ptx, "acq_rel_int", true, "fence.acq_rel.sys");
  expect_words(ptx, "acq_rel_int", false, "membar");
  expect_words(ptx, "seq_cst_long", true, "membar.cta");
  free(ptx);
  ptx = make_ptx("atomic.spv", "sm_60", 3);
  expect_words(ptx, "acq_rel_int", false, "fence.");
  expect_words(ptx, "acq_rel_int", true, "membar.sys");
  assert_non_null(strstr(ptx, ".version 7.1"));
  free(ptx);
}

static int start_modules(unsigned level) {
  CUdevice device;
  CUcontext context;
  CU(cuInit(0));
  CU(cuDeviceGet(&device, 0));
  CU(cuDevicePrimaryCtxRetain(&context, device));
  CU(cuCtxSetCurrent(context));
  char *ptx = make_ptx("atomic.spv", "sm_80", level);
  CU(cuModuleLoadData(&modules[0], ptx));
  free(ptx);
  ptx = make_ptx("atomic-half.bc", "sm_80", level);
  CU(cuModuleLoadData(&modules[1], ptx));
  free(ptx);
  return 0;
}

static int start_optimised(void **state) {
  (void)state;
  return start_modules(3);
}

static int start_plain(void **state) {
  (void)state;
  return start_modules(0);
}

static int end_modules(void **state) {
  (void)state;
  CU(cuModuleUnload(modules[0]));
  CU(cuModuleUnload(modules[1]));
  CU(cuDevicePrimaryCtxRelease(0));
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(atomics_of_every_type_are_right)};
  const struct CMUnitTest texts[] = {cmocka_unit_test(atomics_have_their_scope_and_order_in_ptx)};
  return cmocka_run_group_tests_name("optimised", tests, start_optimised, end_modules) +
         cmocka_run_group_tests_name("not optimised", tests, start_plain, end_modules) +
         cmocka_run_group_tests_name("texts", texts, NULL, NULL);
}
