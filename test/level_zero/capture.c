/*
 * The plugin over Intel's own driver, which builds for a GPU that does not exist
 * (docs/internals/level_zero.md has the environment). Values of constants reach the driver's
 * compiler and appear in its code; refused values do not reach the driver.
 */
#define _GNU_SOURCE /* memmem */
#include "../../plugins/base/load.h"
#include "../../plugins/level_zero/driver.h"
#include "../fault/check.h"
#include "../support/embed.h"

#include <stdlib.h>
#include <string.h>

enum { BINARY_MAX = 1 << 20, CALLS_MAX = 16, CONSTANTS_MAX = 8 };

SPECPI_EMBED(scalars, "scalars.spv")
SPECPI_EMBED(link_main, "link_main.spv")
SPECPI_EMBED(link_part, "link_part.spv")

static pi_device device;
static pi_context context;

/* --- the modules that the driver gets */

typedef struct module_call {
  uint32_t modules;                  /* number of SPIR-V modules */
  uint32_t count[2];                 /* of constants in each module */
  uint32_t ids[2][CONSTANTS_MAX];    /* which */
  uint32_t values[2][CONSTANTS_MAX]; /* the first 4 bytes of each; 0 for those of less */
} module_call;

static module_call calls[CALLS_MAX];
static size_t call_count;
static __typeof__(zeModuleCreate) *module_create;

static void note_constants(module_call *call, uint32_t module,
                           const ze_module_constants_t *constants) {
  if (module >= 2 || !constants)
    return;
  call->count[module] = constants->numConstants;
  for (uint32_t i = 0; i < constants->numConstants && i < CONSTANTS_MAX; i++) {
    call->ids[module][i] = constants->pConstantIds[i];
    if (constants->pConstantIds[i] == 101 || constants->pConstantIds[i] == 105)
      memcpy(&call->values[module][i], constants->pConstantValues[i], sizeof(uint32_t));
  }
}

static ze_result_t note_module(ze_context_handle_t in, ze_device_handle_t of,
                               const ze_module_desc_t *desc, ze_module_handle_t *module,
                               ze_module_build_log_handle_t *log) {
  module_call *call = &calls[call_count++ % CALLS_MAX];
  *call = (module_call){.modules = 1};
  note_constants(call, 0, desc->pConstants);
  const ze_module_program_exp_desc_t *several = desc->pNext;
  if (several && several->stype == ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC) {
    call->modules = several->count;
    for (uint32_t i = 0; i < several->count && several->pConstants; i++)
      note_constants(call, i, several->pConstants[i]);
  }
  return module_create(in, of, desc, module, log);
}

/* --- programs */

typedef struct binary {
  size_t size;
  unsigned char *bytes;
} binary;

static pi_program new_program(const unsigned char *begin, const unsigned char *end) {
  pi_program program = NULL;
  must(piProgramCreate(context, begin, (size_t)(end - begin), &program));
  return program;
}

#define NEW_PROGRAM(name) new_program(name##_begin, name##_end)

static void set(pi_program program, pi_uint32 id, pi_uint32 value) {
  must(piextProgramSetSpecializationConstant(program, id, sizeof value, &value));
}

static binary binary_of(pi_program program) {
  binary code = {0};
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARY_SIZES, sizeof code.size, &code.size, NULL));
  assert_in_range(code.size, 1, BINARY_MAX);
  code.bytes = malloc(code.size);
  assert_non_null(code.bytes);
  must(piProgramGetInfo(program, PI_PROGRAM_INFO_BINARIES, sizeof code.bytes, &code.bytes, NULL));
  return code;
}

static binary build(pi_program program) {
  must(piProgramBuild(program, 1, &device, "", NULL, NULL));
  return binary_of(program);
}

/* Builds a new program of scalars with value for constant 105. */
static binary build_with(pi_uint32 value) {
  const pi_program program = NEW_PROGRAM(scalars);
  set(program, 105, value);
  const binary code = build(program);
  must(piProgramRelease(program));
  return code;
}

static bool is_same(binary a, binary b) {
  return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* Returns whether the number is in the code, as the operand of an instruction would be. */
static bool has_number(binary code, pi_uint32 number) {
  return memmem(code.bytes, code.size, &number, sizeof number) != NULL;
}

/* --- tests */

enum { FIRST = 0x12345678, SECOND = 0x0badcafe, DEFAULT_105 = 43 };

TEST(values_are_in_the_code) {
  const binary first = build_with(FIRST);
  const binary second = build_with(SECOND);
  const binary again = build_with(FIRST);
  assert_true(has_number(first, FIRST));
  assert_false(has_number(first, SECOND));
  assert_true(has_number(second, SECOND));
  assert_false(has_number(second, FIRST));
  assert_false(is_same(first, second));
  assert_true(is_same(first, again));
  free(first.bytes);
  free(second.bytes);
  free(again.bytes);
}

/* Setting the default value makes the same code as setting none. */
TEST(setting_the_default_changes_no_code) {
  const pi_program program = NEW_PROGRAM(scalars);
  const binary unset = build(program);
  const binary set = build_with(DEFAULT_105);
  assert_true(is_same(unset, set));
  free(unset.bytes);
  free(set.bytes);
  must(piProgramRelease(program));
}

/* The driver gets the set values only, once for each id. */
TEST(driver_gets_what_was_set) {
  const pi_program program = NEW_PROGRAM(scalars);
  call_count = 0;
  free(build(program).bytes);
  set(program, 105, SECOND);
  set(program, 105, FIRST);
  free(build(program).bytes);
  assert_int_equal(call_count, 2);
  assert_int_equal(calls[0].count[0], 0);
  assert_int_equal(calls[1].modules, 1);
  assert_int_equal(calls[1].count[0], 1);
  assert_int_equal(calls[1].ids[0][0], 105);
  assert_int_equal(calls[1].values[0][0], FIRST);
  must(piProgramRelease(program));
}

/* Sets a constant without any function of the driver: a call would end the test with SIGSEGV. */
static pi_result set_without_driver(pi_program program, pi_uint32 id, size_t size,
                                    const void *value) {
  const level_zero_driver saved = ze;
  memset(&ze, 0, sizeof ze);
  const pi_result result = piextProgramSetSpecializationConstant(program, id, size, value);
  ze = saved;
  return result;
}

TEST(refusals_do_not_reach_the_driver) {
  static const unsigned char large[4096];
  static const pi_uint32 unknown[] = {0, 10, 100, 108, 999, 0xdeadbeef, PI_SPEC_ID_PADDING};
  static const size_t wrong[] = {0, 1, 2, 3, 5, 8, sizeof large};
  const pi_uint32 value = FIRST;
  const pi_program program = NEW_PROGRAM(scalars);
  assert_int_equal(set_without_driver(program, 105, sizeof value, &value), PI_SUCCESS);
  for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
    assert_int_equal(set_without_driver(program, unknown[i], 4, large), PI_ERROR_INVALID_SPEC_ID);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_int_equal(set_without_driver(program, 105, wrong[i], large), PI_ERROR_INVALID_VALUE);
  assert_int_equal(set_without_driver(program, 105, 4, NULL), PI_ERROR_INVALID_VALUE);
  assert_int_equal(set_without_driver(NULL, 105, 4, large), PI_ERROR_INVALID_PROGRAM);
  /* The build has the value set before. */
  call_count = 0;
  const binary got = build(program);
  const binary want = build_with(FIRST);
  assert_int_equal(calls[0].count[0], 1);
  assert_int_equal(calls[0].values[0][0], FIRST);
  assert_true(is_same(got, want));
  free(got.bytes);
  free(want.bytes);
  must(piProgramRelease(program));
}

/* The caller may free the value's memory once it is set. */
TEST(values_are_copied) {
  const pi_program program = NEW_PROGRAM(scalars);
  pi_uint32 *value = malloc(sizeof *value);
  assert_non_null(value);
  *value = FIRST;
  must(piextProgramSetSpecializationConstant(program, 105, sizeof *value, value));
  *value = SECOND;
  free(value);
  const binary code = build(program);
  assert_true(has_number(code, FIRST));
  assert_false(has_number(code, SECOND));
  free(code.bytes);
  must(piProgramRelease(program));
}

/* A second build is another module; a kernel keeps the module of its build. */
TEST(rebuild_is_a_new_module) {
  const pi_program program = NEW_PROGRAM(scalars);
  pi_kernel kernel = NULL;
  pi_kernel after = NULL;
  set(program, 105, FIRST);
  const binary first = build(program);
  must(piKernelCreate(program, "value", &kernel));
  set(program, 105, SECOND);
  const binary still = binary_of(program);
  const binary second = build(program);
  must(piKernelCreate(program, "value", &after));
  assert_true(is_same(first, still));
  assert_true(has_number(second, SECOND));
  assert_false(has_number(second, FIRST));
  must(piKernelRelease(after));
  must(piProgramRelease(program));
  must(piKernelRelease(kernel));
  free(first.bytes);
  free(still.bytes);
  free(second.bytes);
}

/* A program from a binary has the values in the binary, and takes no others. */
TEST(binary_has_the_values) {
  const binary code = build_with(FIRST);
  const unsigned char *bytes = code.bytes;
  const pi_uint32 value = SECOND;
  pi_program program = NULL;
  pi_kernel kernel = NULL;
  pi_int32 status = -1;
  must(piProgramCreateWithBinary(context, 1, &device, &code.size, &bytes, 0, NULL, &status,
                                 &program));
  assert_int_equal(status, PI_SUCCESS);
  assert_int_equal(set_without_driver(program, 105, sizeof value, &value),
                   PI_ERROR_INVALID_PROGRAM);
  must(piProgramBuild(program, 1, &device, "", NULL, NULL));
  must(piKernelCreate(program, "value", &kernel));
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
  free(code.bytes);
}

/* value = 1000 * main's constant 101 + part's constant 101. */
static binary link(pi_uint32 of_main, pi_uint32 of_part) {
  const pi_program parts[2] = {NEW_PROGRAM(link_main), NEW_PROGRAM(link_part)};
  const pi_uint32 values[2] = {of_main, of_part};
  pi_program linked = NULL;
  for (size_t i = 0; i < 2; i++) {
    set(parts[i], 101, values[i]);
    must(piProgramCompile(parts[i], 1, &device, "", 0, NULL, NULL, NULL, NULL));
    set(parts[i], 101, 99); /* too late for this link */
  }
  must(piProgramLink(context, 1, &device, "", 2, parts, NULL, NULL, &linked));
  const binary code = binary_of(linked);
  must(piProgramRelease(linked));
  must(piProgramRelease(parts[0]));
  must(piProgramRelease(parts[1]));
  return code;
}

TEST(linked_modules_keep_their_values) {
  const binary codes[] = {link(1234, 567), link(567, 1234), link(1234, 1234), link(1234, 567)};
  assert_true(has_number(codes[0], 1234567));
  assert_true(has_number(codes[1], 568234));
  assert_true(has_number(codes[2], 1235234));
  assert_false(is_same(codes[0], codes[1]));
  assert_false(is_same(codes[0], codes[2]));
  assert_true(is_same(codes[0], codes[3]));
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
    free(codes[i].bytes);
}

static int open_device(void **state) {
  (void)state;
  pi_platform platform;
  pi_uint32 count = 0;
  must(piPlatformsGet(1, &platform, &count));
  if (count == 0)
    fail_with("no platform: %s", load_reason());
  must(piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &device, NULL));
  must(piContextCreate(NULL, 1, &device, NULL, NULL, &context));
  module_create = ze.ModuleCreate;
  ze.ModuleCreate = note_module;
  return 0;
}

static int close_device(void **state) {
  (void)state;
  must(piContextRelease(context));
  return 0;
}

int main(void) {
  return tests_run(open_device, close_device);
}
