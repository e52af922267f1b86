/*
 * piextProgramSetSpecializationConstant. A test's name has the number of its row in the table of
 * docs/internals/conformance.md. After every refusal a build and a run prove that the program has
 * kept the values set before. Rows 30 and 34 are in constants_many.c.
 */
#define _GNU_SOURCE /* RTLD_NOW with -std=c11 */
#include "fixture.h"

#include "../../plugins/base/error.h"

#include <dlfcn.h>
#include <stdlib.h>

#define SET(program, id, value)                                                                    \
  expect_success(pi.piextProgramSetSpecializationConstant((program), (id), sizeof(value), &(value)))

static void set32(pi_program program, pi_uint32 id, pi_uint32 value) {
  SET(program, id, value);
}

/*
 * The numbers that the kernel of scalars.spvasm writes: its constants 101 to 107, widened to 64
 * bits.
 */
enum { TRUE_101, FALSE_102, U8_103, U16_104, U32_105, U64_106, F32_107, SCALARS };

static const uint64_t defaults[SCALARS] = {1, 0, 43, 3000, 43, 200, 0x406ccccd};

static void check_scalars(pi_program program, const uint64_t want[SCALARS]) {
  uint64_t got[SCALARS];
  build_program(program, NULL);
  if (is_built_only(program, "value"))
    return;
  run_for_output(program, "value", 1, sizeof got, got);
  for (int i = 0; i < SCALARS; i++)
    expect(want[i] == got[i], "constant %d: expected 0x%llx, got 0x%llx", 101 + i,
           (unsigned long long)want[i], (unsigned long long)got[i]);
}

/* Checks the first count numbers that a module's kernel writes. */
static void check_numbers(pi_program program, const pi_uint32 *want, size_t count) {
  pi_uint32 got[8];
  build_program(program, NULL);
  if (is_built_only(program, "value"))
    return;
  run_for_output(program, "value", 1, count * sizeof got[0], got);
  for (size_t i = 0; i < count; i++)
    expect(want[i] == got[i], "number %zu: expected %u, got %u", i, want[i], got[i]);
}

#define CHECK_NUMBERS(program, ...)                                                                \
  check_numbers(program, (const pi_uint32[]){__VA_ARGS__},                                         \
                sizeof((const pi_uint32[]){__VA_ARGS__}) / sizeof(pi_uint32))

/*
 * The leaves of composite, with ids 10 to 14. In PTX of mode emulate the whole structure is one
 * constant, with the first leaf's id.
 */
typedef struct record {
  pi_uint32 first;
  uint8_t second;
  pi_uint32 third[2];
  pi_uint32 last;
} record;

static void set_record(pi_program program, record value) {
  if (code_in_use == CODE_PTX_EMULATE) {
    SET(program, 10, value);
    return;
  }
  SET(program, 10, value.first);
  SET(program, 11, value.second);
  SET(program, 12, value.third[0]);
  SET(program, 13, value.third[1]);
  SET(program, 14, value.last);
}

/* The largest id of extreme_ids. In PTX it is one less, because UINT32_MAX stands for padding. */
static pi_uint32 largest_id(void) {
  return code_is_ptx() ? UINT32_MAX - 1 : UINT32_MAX;
}

/* Makes a program of the scalars and sets constant 105 to 25; check_old_value checks for that. */
static pi_program with_old_value(void) {
  const pi_program program = new_program(module_scalars());
  set32(program, 105, 25);
  return program;
}

static void check_old_value(pi_program program) {
  uint64_t want[SCALARS];
  memcpy(want, defaults, sizeof want);
  want[U32_105] = 25;
  check_scalars(program, want);
}

TEST(constants, row01_unset_is_default) {
  check_scalars(new_program(module_scalars()), defaults);
}

TEST(constants, row02_one_scalar) {
  check_old_value(with_old_value());
}

TEST(constants, row03_all_integer_types) {
  const pi_program program = new_program(module_scalars());
  const uint8_t u8 = 19;
  const uint16_t u16 = 6000;
  const uint64_t u64 = UINT64_C(9223372036854775000);
  const float f32 = 1.5f;
  SET(program, 103, u8);
  SET(program, 104, u16);
  set32(program, 105, 25);
  SET(program, 106, u64);
  SET(program, 107, f32);
  const uint64_t want[SCALARS] = {1, 0, u8, u16, 25, u64, 0x3fc00000};
  check_scalars(program, want);
}

static void check_double(const double *set, double want) {
  if (!device_has("cl_khr_fp64"))
    skip_test("the device has no fp64");
  const pi_program program = new_program(module_doubles());
  double got = 0;
  if (set)
    SET(program, 101, *set);
  build_program(program, NULL);
  if (is_built_only(program, "value"))
    return;
  run_for_output(program, "value", 1, sizeof got, &got);
  expect_bytes(&want, &got, sizeof got);
}

TEST(constants, row03_double) {
  const double value = 13.5;
  check_double(NULL, 14534.53453);
  check_double(&value, value);
}

static void check_half(const uint16_t *set, uint16_t want) {
  if (!device_has("cl_khr_fp16"))
    skip_test("the device has no fp16");
  const pi_program program = new_program(module_halves());
  uint16_t got = 0;
  if (set)
    SET(program, 101, *set);
  build_program(program, NULL);
  if (is_built_only(program, "value"))
    return;
  run_for_output(program, "value", 1, sizeof got, &got);
  expect_equal(want, got);
}

TEST(constants, row03_half) {
  const uint16_t two = 0x4000;
  check_half(NULL, 0x3e00);
  check_half(&two, two);
}

/* A boolean takes one byte, and is true if any of its bits is set. */
static void check_boolean(uint8_t on, uint8_t off) {
  const pi_program program = new_program(module_scalars());
  SET(program, 101, off);
  SET(program, 102, on);
  uint64_t want[SCALARS];
  memcpy(want, defaults, sizeof want);
  want[TRUE_101] = 0;
  want[FALSE_102] = 1;
  check_scalars(program, want);
}

TEST(constants, row04_boolean) {
  check_boolean(1, 0);
}

TEST(constants, row04_boolean_0x02) {
  check_boolean(0x02, 0);
}

TEST(constants, row04_boolean_0xff) {
  check_boolean(0xff, 0);
}

static void check_limits(uint8_t u8, uint16_t u16, pi_uint32 u32, uint64_t u64, pi_uint32 f32) {
  const pi_program program = new_program(module_scalars());
  SET(program, 103, u8);
  SET(program, 104, u16);
  SET(program, 105, u32);
  SET(program, 106, u64);
  SET(program, 107, f32);
  const uint64_t want[SCALARS] = {1, 0, u8, u16, u32, u64, f32};
  check_scalars(program, want);
}

/* Largest numbers; FLT_MAX. */
TEST(constants, row05_limits_largest) {
  check_limits(UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX, 0x7f7fffff);
}

/* Smallest signed numbers; -0.0. */
TEST(constants, row05_limits_smallest) {
  check_limits(0x80, 0x8000, 0x80000000, UINT64_C(1) << 63, 0x80000000);
}

/* Zero everywhere; a NaN with a payload, and the smallest denormal. */
TEST(constants, row05_limits_nan_and_denormal) {
  check_limits(0, 0, 0, 0, 0x7fc12345);
  check_limits(1, 1, 1, 1, 0x00000001);
}

TEST(constants, row05_limits_double) {
  const uint64_t bits[] = {UINT64_C(0x7fefffffffffffff), UINT64_C(0x8000000000000000),
                           UINT64_C(0x7ff8000000012345)};
  for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
    double value;
    memcpy(&value, &bits[i], sizeof value);
    check_double(&value, value);
  }
}

TEST(constants, row05_limits_half) {
  const uint16_t largest = 0x7bff;
  check_half(&largest, largest);
}

TEST(constants, row06_subset) {
  const pi_program program = new_program(module_scalars());
  const uint16_t u16 = 80;
  SET(program, 104, u16);
  set32(program, 105, 20);
  const uint64_t want[SCALARS] = {1, 0, 43, u16, 20, 200, defaults[F32_107]};
  check_scalars(program, want);
}

TEST(constants, row06_subset_of_leaves) {
  const pi_program program = new_program(module_composite());
  if (code_in_use == CODE_PTX_EMULATE)
    skip_test("in mode emulate the structure is set as one");
  set32(program, 10, 20);
  set32(program, 12, 40);
  set32(program, 14, 80);
  CHECK_NUMBERS(program, 20, 2, 40, 4, 80);
}

TEST(constants, row07_out_of_order) {
  const pi_program program = new_program(module_scalars());
  const uint64_t u64 = 300;
  const uint8_t yes = 1;
  SET(program, 106, u64);
  SET(program, 102, yes);
  set32(program, 105, 100);
  const uint64_t want[SCALARS] = {1, 1, 43, 3000, 100, 300, defaults[F32_107]};
  check_scalars(program, want);
}

TEST(constants, row08_last_one_wins) {
  const pi_program program = new_program(module_scalars());
  set32(program, 105, 42);
  set32(program, 105, 25);
  check_old_value(program);
}

TEST(constants, row09_unknown_id) {
  static const pi_uint32 unknown[] = {0, 10, 999, 0xdeadbeef};
  const pi_program program = with_old_value();
  const pi_uint32 value = 7;
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
    expect_error(PI_ERROR_INVALID_SPEC_ID, pi.piextProgramSetSpecializationConstant(
                                               program, unknown[i], sizeof value, &value));
  check_old_value(program);
}

/* Whatever error code it returns, setting an unknown id changes no value. */
TEST(constants, row10_unknown_id_keeps_old_values) {
  const pi_program program = with_old_value();
  const pi_uint32 value = 7;
  expect_refused(pi.piextProgramSetSpecializationConstant(program, 999, sizeof value, &value));
  check_old_value(program);
}

TEST(constants, row11_wrong_size) {
  static const unsigned char large[0x1000];
  static const size_t wrong[] = {0, 1, 2, 3, 5, 8, 0x1000};
  const pi_program program = with_old_value();
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    expect_error(PI_ERROR_INVALID_VALUE,
                 pi.piextProgramSetSpecializationConstant(program, 105, wrong[i], large));
  for (size_t size = 0; size <= 8; size++) {
    if (size != 1)
      expect_error(PI_ERROR_INVALID_VALUE,
                   pi.piextProgramSetSpecializationConstant(program, 103, size, large));
    if (size != 8)
      expect_error(PI_ERROR_INVALID_VALUE,
                   pi.piextProgramSetSpecializationConstant(program, 106, size, large));
  }
  check_old_value(program);
}

TEST(constants, row12_wrong_size_keeps_old_values) {
  static const unsigned char large[8];
  const pi_program program = with_old_value();
  expect_refused(pi.piextProgramSetSpecializationConstant(program, 105, 8, large));
  check_old_value(program);
}

TEST(constants, row13_null_value) {
  const pi_program program = with_old_value();
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextProgramSetSpecializationConstant(program, 105, 4, NULL));
  check_old_value(program);
}

TEST(constants, row14_null_program) {
  const pi_uint32 value = 7;
  expect_error(PI_ERROR_INVALID_PROGRAM,
               pi.piextProgramSetSpecializationConstant(NULL, 105, sizeof value, &value));
  check_old_value(with_old_value());
}

TEST(constants, row17_native_program) {
  const pi_program program = with_old_value();
  build_program(program, NULL);
  const pi_program loaded = reload(program);
  const pi_uint32 value = 7;
  expect_error(PI_ERROR_INVALID_PROGRAM,
               pi.piextProgramSetSpecializationConstant(loaded, 105, sizeof value, &value));
  check_old_value(loaded);
}

/* A program from source has no constants. It comes from OpenCL, as PI has no entry to make one. */
TEST(constants, row17_source_program) {
  typedef void *create_function(void *context, pi_uint32 count, const char **texts,
                                const size_t *lengths, pi_int32 *error);
  const bool opencl_code = the_backend() == PI_EXT_PLATFORM_BACKEND_OPENCL && !code_is_ptx();
  void *opencl = opencl_code ? dlopen("libOpenCL.so.1", RTLD_NOW) : NULL;
  void *symbol = opencl ? dlsym(opencl, "clCreateProgramWithSource") : NULL;
  if (!symbol)
    skip_test("not OpenCL, or its library is not found");
  create_function *create;
  memcpy(&create, &symbol, sizeof create);
  const char *text = "kernel void value(global uint *out) { out[0] = 77; }";
  pi_native_handle context = 0;
  pi_int32 error = 0;
  expect_success(pi.piextContextGetNativeHandle(the_context(), &context));
  void *native = create((void *)context, 1, &text, NULL, &error);
  expect(native && error == 0, "clCreateProgramWithSource returned %d", error);
  pi_program program = NULL;
  expect_success(pi.piextProgramCreateWithNativeHandle((pi_native_handle)native, the_context(),
                                                       true, &program));
  release_program_later(program);
  const pi_uint32 value = 7;
  expect_error(device_takes_il() ? PI_ERROR_INVALID_PROGRAM : PI_ERROR_INVALID_OPERATION,
               pi.piextProgramSetSpecializationConstant(program, 105, sizeof value, &value));
  CHECK_NUMBERS(program, 77);
}

TEST(constants, row18_no_device_with_il) {
  const module code = module_scalars();
  if (device_takes_il())
    skip_test("the device takes code like this");
  pi_program program;
  expect_error_keeps(PI_ERROR_INVALID_OPERATION, program,
                     pi.piProgramCreate(the_context(), code.bytes, code.size, &program));
}

/* The value is copied at the call; AddressSanitizer reports a later read. */
TEST(constants, row19_value_is_copied) {
  const pi_program program = new_program(module_scalars());
  pi_uint32 *value = malloc(sizeof *value);
  expect(value, "no memory");
  *value = 25;
  expect_success(pi.piextProgramSetSpecializationConstant(program, 105, sizeof *value, value));
  *value = 99;
  free(value);
  check_old_value(program);
}

TEST(constants, row20_unaligned_value) {
  const pi_program program = new_program(module_scalars());
  unsigned char room[2 * sizeof(uint64_t)];
  const pi_uint32 u32 = 25;
  const uint64_t u64 = UINT64_C(0x0123456789abcdef);
  memcpy(room + 1, &u32, sizeof u32);
  expect_success(pi.piextProgramSetSpecializationConstant(program, 105, sizeof u32, room + 1));
  memcpy(room + 3, &u64, sizeof u64);
  expect_success(pi.piextProgramSetSpecializationConstant(program, 106, sizeof u64, room + 3));
  uint64_t want[SCALARS];
  memcpy(want, defaults, sizeof want);
  want[U32_105] = u32;
  want[U64_106] = u64;
  check_scalars(program, want);
}

/* Setting after a build succeeds; the code already built keeps its value. */
TEST(constants, row21_set_after_build) {
  const pi_program program = with_old_value();
  build_program(program, NULL);
  set32(program, 105, 99);
  uint64_t got[SCALARS];
  run_for_output(program, "value", 1, sizeof got, got);
  expect_equal(25, got[U32_105]);
}

/* The second build has the second value; a kernel of the first one keeps the first. */
TEST(constants, row22_build_twice) {
  const pi_program program = with_old_value();
  build_program(program, NULL);
  const pi_kernel first = new_kernel(program, "value");
  set32(program, 105, 99);
  uint64_t want[SCALARS];
  memcpy(want, defaults, sizeof want);
  want[U32_105] = 99;
  check_scalars(program, want);
  uint64_t got[SCALARS] = {0};
  const pi_mem out = new_buffer(sizeof got, NULL);
  set_buffer(first, 0, out);
  run_kernel(first, 1);
  read_buffer(out, sizeof got, got);
  expect_equal(25, got[U32_105]);
}

TEST(constants, row22_build_many_times) {
  const pi_program program = new_program(module_extreme_ids());
  for (pi_uint32 i = 0; i < 4; i++) {
    set32(program, 0, i);
    CHECK_NUMBERS(program, i, 2000);
  }
  CHECK_NUMBERS(program, 3, 2000);
}

static void compile(pi_program program) {
  const pi_device device = the_device();
  expect_success(pi.piProgramCompile(program, 1, &device, "", 0, NULL, NULL, NULL, NULL));
}

static pi_program link(pi_program main, pi_program part) {
  const pi_program parts[] = {main, part};
  const pi_device device = the_device();
  pi_program linked = NULL;
  expect_success(pi.piProgramLink(the_context(), 1, &device, "", 2, parts, NULL, NULL, &linked));
  release_program_later(linked);
  return linked;
}

static void check_linked(pi_program linked, pi_uint32 want) {
  pi_uint32 got = 0;
  if (is_built_only(linked, "value"))
    return;
  run_for_output(linked, "value", 1, sizeof got, &got);
  expect_equal(want, got);
}

/*
 * A compilation uses the values that were set before it; later ones are for the next compilation.
 */
TEST(constants, row23_compile_and_link) {
  const pi_program main = new_program(module_link_main());
  const pi_program part = new_program(module_link_part());
  set32(main, 101, 5);
  compile(main);
  compile(part);
  set32(main, 101, 999);
  const pi_program linked = link(main, part);
  set32(main, 101, 99999);
  check_linked(linked, 5002);
}

TEST(constants, row23_compile_twice) {
  const pi_program main = new_program(module_link_main());
  const pi_program part = new_program(module_link_part());
  compile(part);
  set32(main, 101, 5);
  compile(main);
  set32(main, 101, 6);
  compile(main);
  check_linked(link(main, part), 6002);
}

/* The same id in two modules is two constants. */
TEST(constants, row24_two_modules) {
  if (code_in_use == CODE_PTX_EMULATE)
    skip_test("in mode emulate a constant outside of a kernel's module has no buffer");
  const pi_program main = new_program(module_link_main());
  const pi_program part = new_program(module_link_part());
  set32(main, 101, 5);
  set32(part, 101, 7);
  compile(main);
  compile(part);
  check_linked(link(main, part), 5007);
}

TEST(constants, row25_same_id_same_size) {
  const pi_program program = new_program(module_same_id());
  set32(program, 5, 33);
  CHECK_NUMBERS(program, 33, 33);
}

TEST(constants, row25_same_id_other_size) {
  const pi_program program = new_program(module_same_id_sizes());
  const uint64_t value = 33;
  set32(program, 6, 21);
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextProgramSetSpecializationConstant(program, 5, 4, &value));
  expect_error(PI_ERROR_INVALID_VALUE,
               pi.piextProgramSetSpecializationConstant(program, 5, 8, &value));
  CHECK_NUMBERS(program, 21, 21);
}

TEST(constants, row26_composite) {
  const pi_program program = new_program(module_composite());
  set_record(program, (record){11, 22, {33, 44}, 55});
  CHECK_NUMBERS(program, 11, 22, 33, 44, 55);
}

/* Padding in a device image's descriptors has this id; a module that lacks it refuses it. */
TEST(constants, row27_padding) {
  const pi_program program = with_old_value();
  const pi_uint32 value = 7;
  expect_error(PI_ERROR_INVALID_SPEC_ID, pi.piextProgramSetSpecializationConstant(
                                             program, PI_SPEC_ID_PADDING, sizeof value, &value));
  check_old_value(program);
}

/* The same for a module with padding between the leaves of a structure. */
TEST(constants, row27_padding_of_structure) {
  const pi_program program = new_program(module_composite());
  const uint8_t bytes[3] = {7, 7, 7};
  set_record(program, (record){11, 22, {33, 44}, 55});
  expect_error(PI_ERROR_INVALID_SPEC_ID, pi.piextProgramSetSpecializationConstant(
                                             program, PI_SPEC_ID_PADDING, sizeof bytes, bytes));
  CHECK_NUMBERS(program, 11, 22, 33, 44, 55);
}

/* libsycl sets this id on every program when profilers ask for it. */
TEST(constants, row28_itt) {
  const pi_program program = with_old_value();
  const uint8_t yes = 1;
  SET(program, PI_SPEC_ID_ITT, yes);
  check_old_value(program);
  SET(reload(program), PI_SPEC_ID_ITT, yes);
}

TEST(constants, row29_extreme_ids) {
  const pi_program program = new_program(module_extreme_ids());
  CHECK_NUMBERS(new_program(module_extreme_ids()), 1000, 2000);
  set32(program, 0, 1);
  set32(program, largest_id(), 2);
  CHECK_NUMBERS(program, 1, 2);
}

/* OpSpecConstantOp: a product, a sum with that product, and a selection by a comparison. */
TEST(constants, row31_derived) {
  const pi_program program = new_program(module_derived());
  CHECK_NUMBERS(new_program(module_derived()), 12, 20, 4);
  set32(program, 1, 2);
  set32(program, 2, 100);
  CHECK_NUMBERS(program, 6, 106, 3);
}

/* Sizes 3, 5 and 7 by execution mode LocalSizeId. */
static pi_kernel with_local_size(void) {
  const pi_program program = new_program(module_local_size());
  set32(program, 1, 3);
  set32(program, 2, 5);
  set32(program, 3, 7);
  build_program(program, NULL);
  return new_kernel(program, "value");
}

TEST(constants, row31_local_size) {
  const pi_kernel kernel = with_local_size();
  const size_t size[3] = {3, 5, 7};
  pi_uint32 product = 0;
  const size_t zero[3] = {0, 0, 0};
  const pi_mem out = new_buffer(sizeof product, NULL);
  set_buffer(kernel, 0, out);
  expect_success(pi.piEnqueueKernelLaunch(the_queue(), kernel, 3, zero, size, size, 0, NULL, NULL));
  read_buffer(out, sizeof product, &product);
  expect_equal(105, product);
}

TEST(constants, row31_local_size_query) {
  const size_t want[3] = {3, 5, 7};
  const size_t ignored[3] = {0, 0, 0};
  size_t got[3] = {9, 9, 9};
  expect_success(pi.piKernelGetGroupInfo(with_local_size(), the_device(),
                                         PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, sizeof got,
                                         got, NULL));
  if (memcmp(ignored, got, sizeof got) == 0)
    skip_test("the driver's compiler ignores execution mode LocalSizeId");
  expect_bytes(want, got, sizeof got);
}

TEST(constants, row32_group_decoration) {
  const pi_program program = new_program(module_group_decoration());
  CHECK_NUMBERS(new_program(module_group_decoration()), 10, 20);
  set32(program, 5, 50);
  set32(program, 6, 60);
  CHECK_NUMBERS(program, 50, 60);
}

/* A SpecId on anything but a constant is ignored: setting that id is refused. */
TEST(constants, row33_misplaced) {
  const module code = module_misplaced();
  pi_program program = NULL;
  const pi_uint32 value = 7;
  if (!device_takes_il())
    skip_test("the device takes no IL");
  if (pi.piProgramCreate(the_context(), code.bytes, code.size, &program) != PI_SUCCESS)
    return; /* refusing the whole module is right, too */
  release_program_later(program);
  for (pi_uint32 id = 7; id <= 9; id++)
    expect_error(PI_ERROR_INVALID_SPEC_ID,
                 pi.piextProgramSetSpecializationConstant(program, id, sizeof value, &value));
  set32(program, 10, value);
  check_old_value(with_old_value());
}

/* piProgramCreate refuses a damaged copy, so that it never reaches the compiler. */
static void check_damaged(const uint32_t *words, size_t size) {
  pi_program program = NULL;
  expect_refused(pi.piProgramCreate(the_context(), words, size, &program));
}

/* Returns a copy of the scalars for the caller to damage. */
static uint32_t *copy_of_scalars(size_t *size) {
  if (code_is_ptx())
    skip_test("about the words of SPIR-V; constants.row36_ptx_... are about PTX");
  const module code = module_scalars();
  uint32_t *words = malloc(code.size);
  expect(words, "no memory");
  memcpy(words, code.bytes, code.size);
  *size = code.size;
  return words;
}

TEST(constants, row36_damaged_length) {
  size_t size;
  uint32_t *words = copy_of_scalars(&size);
  check_damaged(words, size - 1); /* not a multiple of 4 */
  check_damaged(words, 16);       /* less than a header */
  check_damaged(words, 3);
  free(words);
  check_old_value(with_old_value());
}

TEST(constants, row36_damaged_magic) {
  size_t size;
  uint32_t *words = copy_of_scalars(&size);
  words[0] = 0x12345678;
  check_damaged(words, size);
  free(words);
  check_old_value(with_old_value());
}

TEST(constants, row36_damaged_byte_order) {
  size_t size;
  uint32_t *words = copy_of_scalars(&size);
  for (size_t i = 0; i < size / 4; i++)
    words[i] = __builtin_bswap32(words[i]);
  check_damaged(words, size);
  free(words);
  check_old_value(with_old_value());
}

TEST(constants, row36_damaged_word_count) {
  size_t size;
  uint32_t *words = copy_of_scalars(&size);
  const uint32_t first = words[5];
  words[5] = first & 0xffff; /* an instruction of no words */
  check_damaged(words, size);
  words[5] = 0xffff0000 | first; /* an instruction that runs past the end */
  check_damaged(words, size);
  free(words);
  check_old_value(with_old_value());
}

TEST(constants, row36_truncated) {
  size_t size;
  uint32_t *words = copy_of_scalars(&size);
  /* Cut after the first word of an instruction of two words. */
  check_damaged(words, 24);
  free(words);
  check_old_value(with_old_value());
}

/* Builds with different values differ; setting the default value counts as not setting it. */
TEST(constants, row37_distinct_builds) {
  const struct {
    pi_uint32 id;
    bool set;
    pi_uint32 value;
    pi_uint32 want[2];
  } builds[] = {
      {0, true, 1, {1, 2000}},
      {0, true, 2, {2, 2000}},
      {0, false, 0, {1000, 2000}},
      {0, true, 1000, {1000, 2000}},
      {largest_id(), true, 1, {1000, 1}},
      {0, true, 1, {1, 2000}},
  };
  for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) {
    const pi_program program = new_program(module_extreme_ids());
    if (builds[i].set)
      set32(program, builds[i].id, builds[i].value);
    check_numbers(program, builds[i].want, 2);
  }
}

/* A binary contains its values, and refuses to be set others. */
TEST(constants, row38_binary_is_specialised) {
  const pi_program program = new_program(module_extreme_ids());
  set32(program, 0, 71);
  build_program(program, NULL);
  const pi_program loaded = reload(program);
  CHECK_NUMBERS(loaded, 71, 2000);
}

TEST(constants, row38_binary_refuses_set) {
  const pi_program program = new_program(module_extreme_ids());
  const pi_uint32 value = 5;
  set32(program, 0, 71);
  build_program(program, NULL);
  const pi_program loaded = reload(program);
  expect_error(PI_ERROR_INVALID_PROGRAM,
               pi.piextProgramSetSpecializationConstant(loaded, 0, sizeof value, &value));
  CHECK_NUMBERS(loaded, 71, 2000);
}

/* Builds a module that was compiled without optimisation, with and without optimisation. */
TEST(constants, row39_unoptimised) {
  const char *const options[] = {"", unoptimised_option()};
  for (int i = 0; i < 2; i++) {
    const pi_program program = new_program(module_unoptimised());
    pi_uint32 got[2] = {0};
    set32(program, 2, 41);
    build_program(program, options[i]);
    run_for_output(program, "value", 1, sizeof got, got);
    expect_equal(10, got[0]);
    expect_equal(42, got[1]);
  }
}
