/*
 * The Level Zero plugin's search for its loader. Each case runs in a child process, with a fake
 * loader that this file's dlopen and dlsym provide.
 */
#define _POSIX_C_SOURCE 200809L /* setenv, getpid */
#include "driver_cases.h"

#include "../../plugins/base/load.h"
#include "../../plugins/level_zero/level_zero.h"
#include "../../plugins/objects/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Properties of a case's loader. */
static ze_result_t init_result = ZE_RESULT_SUCCESS;
static ze_result_t get_result = ZE_RESULT_SUCCESS;
static uint32_t driver_count;
static bool crashes;
static atomic_int init_count;

static ze_result_t init(ze_init_flags_t flags) {
  assert_int_equal(flags, 0);
  atomic_fetch_add(&init_count, 1);
  return init_result;
}

static ze_result_t driver_get(uint32_t *count, ze_driver_handle_t *drivers) {
  if (crashes)
    abort();
  assert_true(!drivers || *count == driver_count);
  *count = driver_count;
  return get_result;
}

void *__wrap_dlopen(const char *name, int mode);
void *__wrap_dlsym(void *library, const char *name);

/* The probe's child process looks for drivers, and finds none. */
void *__wrap_dlopen(const char *name, int mode) {
  (void)mode;
  if (strcmp(name, "libze_loader.so.1") != 0)
    return NULL;
  atomic_fetch_add(&open_count, 1);
  return has_library ? &has_library : NULL;
}

void *__wrap_dlsym(void *library, const char *name) {
  assert_ptr_equal(library, &has_library);
  void *ret = NULL;
  if (strcmp(name, missing) == 0)
    return NULL;
  if (strcmp(name, "zeInit") == 0)
    AS_OBJECT(&ret, init);
  else if (strcmp(name, "zeDriverGet") == 0)
    AS_OBJECT(&ret, driver_get);
  else
    AS_OBJECT(&ret, other_function);
  return ret;
}

CASE(a_missing_library_is_reported) {
  has_library = false;
  expect_no_driver(PI_NOTE_DRIVER_ABSENT, "libze_loader.so.1 could not be loaded: no such library");
}

/* each_required_symbol_is_required runs this case once for each value of `missing`. */
static void no_symbol(void **state) {
  (void)state;
  char reason[128];
  snprintf(reason, sizeof reason, "libze_loader.so.1 has no %s", missing);
  expect_no_driver(PI_NOTE_DRIVER_OLD, reason);
  assert_null(ze.Init);
  assert_int_equal(atomic_load(&init_count), 0);
}

static void no_optional_symbol(void **state) {
  (void)state;
  assert_true(driver_load());
#define IS_THERE(name) assert_true((ze.name == NULL) == (strcmp(missing, "ze" #name) == 0));
  LEVEL_ZERO_REQUIRED(IS_THERE)
  LEVEL_ZERO_OPTIONAL(IS_THERE)
#undef IS_THERE
#define IS_THERE(name, parameters)                                                                 \
  assert_true((ze.name == NULL) == (strcmp(missing, "ze" #name) == 0));
  LEVEL_ZERO_NEWER(IS_THERE)
#undef IS_THERE
}

CASE(all_symbols_are_found) {
  no_optional_symbol(NULL);
  assert_string_equal(load_reason(), "");
  expect_no_platform(PI_SUCCESS, "no driver that libze_loader.so.1 finds has a device");
}

CASE(a_missing_driver_is_reported) {
  init_result = ZE_RESULT_ERROR_UNINITIALIZED;
  expect_no_driver(PI_SUCCESS,
                   "zeInit failed with 0x78000001 (ZE_RESULT_ERROR_UNINITIALIZED): no driver with "
                   "a device was found");
  assert_int_equal(atomic_load(&init_count), 0);
}

CASE(a_failing_init_is_reported) {
  init_result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  expect_no_driver(PI_SUCCESS, "zeInit failed with 0x70000002");
}

CASE(a_crashing_driver_is_not_used) {
  crashes = true;
  expect_no_driver(PI_NOTE_DRIVER_BROKEN,
                   "the Level Zero driver is not used: it ends a process with signal 6 (Aborted) "
                   "in zeDriverGet");
  assert_int_equal(getpid(), case_process);
  assert_int_equal(atomic_load(&init_count), 0);
}

CASE(a_crash_after_a_failure_is_reported) {
  crashes = true;
  init_result = ZE_RESULT_ERROR_UNINITIALIZED;
  expect_no_driver(PI_NOTE_DRIVER_BROKEN,
                   "zeInit failed with 0x78000001 (ZE_RESULT_ERROR_UNINITIALIZED): no driver with "
                   "a device was found; the Level Zero driver is not used: after that it ends a "
                   "process with signal 6 (Aborted) in zeDriverGet");
}

/* If the driver fails, piPlatformsGet fails too, and its next call tries again. */
CASE(a_failing_driver_is_tried_again) {
  get_result = ZE_RESULT_ERROR_DEVICE_LOST;
  pi_uint32 platforms = 77;
  assert_failure(piPlatformsGet(0, NULL, &platforms), PI_ERROR_DEVICE_NOT_AVAILABLE,
                 "zeDriverGet failed: ZE_RESULT_ERROR_DEVICE_LOST (0x70000001)");
  assert_int_equal(platforms, 77);
  get_result = ZE_RESULT_SUCCESS;
  assert_success(piPlatformsGet(0, NULL, &platforms));
  assert_int_equal(platforms, 0);
}

CASE(threads_initialise_the_driver_once) {
  threads_open_the_library_once(state);
  assert_int_equal(atomic_load(&init_count), 1);
}

/* Every error code of the table, an unknown one, and success. */
CASE(every_error_code_is_converted) {
  assert_success(ze_result(ZE_RESULT_SUCCESS, "zeInit"));
#define RESULT(ze, pi, way)                                                                        \
  assert_int_equal(ze_result(ZE_RESULT_##ze, "zeX"), pi);                                          \
  assert_true(pi != PI_SUCCESS);
  LEVEL_ZERO_RESULTS(RESULT)
#undef RESULT
  assert_failure(ze_result(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "zeX"), PI_ERROR_OUT_OF_RESOURCES,
                 "zeX failed: ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY (0x70000003)");
  assert_failure(ze_result((ze_result_t)0x123, "zeX"), PI_ERROR_UNKNOWN,
                 "zeX failed: unknown error 0x123");
}

CASE_TEST(another_runtime_opens_no_library)
CASE_TEST(a_known_runtime_fills_the_table)

TEST(each_required_symbol_is_required) {
#define MISSING(name)                                                                              \
  missing = "ze" #name;                                                                            \
  run_case(no_symbol);
  LEVEL_ZERO_REQUIRED(MISSING)
#undef MISSING
  missing = "";
}

TEST(each_optional_symbol_may_be_missing) {
#define MISSING(name)                                                                              \
  missing = "ze" #name;                                                                            \
  run_case(no_optional_symbol);
  LEVEL_ZERO_OPTIONAL(MISSING)
#undef MISSING
#define MISSING(name, parameters)                                                                  \
  missing = "ze" #name;                                                                            \
  run_case(no_optional_symbol);
  LEVEL_ZERO_NEWER(MISSING)
#undef MISSING
  missing = "";
}

int main(void) {
  /* Without a cache directory no case uses an answer of an earlier one. */
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  return tests_run(NULL, NULL);
}
