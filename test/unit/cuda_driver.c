/*
 * The CUDA plugin's search for its driver. Each case runs in a child process, with a fake driver
 * that this file's dlopen and dlsym provide.
 */
#include "driver_cases.h"

#include "../../plugins/base/load.h"
#include "../../plugins/cuda/cuda.h"
#include "../../plugins/objects/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Properties of a case's driver. */
static bool has_proc_address;
static int version = 12040;
static int count = 1;
static const char *failing = ""; /* a function that fails with CUDA_ERROR_UNKNOWN */
static unsigned proc_count;

static CUresult result_of(const char *name) {
  return strcmp(failing, name) == 0 ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}

static CUresult CUDAAPI init(unsigned flags) {
  return flags == 0 ? result_of("cuInit") : CUDA_ERROR_INVALID_VALUE;
}

static CUresult CUDAAPI get_version(int *ret) {
  *ret = version;
  return result_of("cuDriverGetVersion");
}

static CUresult CUDAAPI get_count(int *ret) {
  *ret = count;
  return result_of("cuDeviceGetCount");
}

static CUresult CUDAAPI get_error_name(CUresult code, const char **ret) {
  *ret = code == CUDA_ERROR_UNKNOWN ? "CUDA_ERROR_UNKNOWN" : NULL;
  return *ret ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult CUDAAPI get_error_string(CUresult code, const char **ret) {
  *ret = code == CUDA_ERROR_UNKNOWN ? "unknown error" : NULL;
  return *ret ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* A function that only cuGetProcAddress returns. */
static void versioned(void) {
  abort();
}

/* Knows only cuMemAlloc. For other names it fails, or succeeds with NULL, by turns. */
static CUresult CUDAAPI get_proc_address(const char *name, void **ret, int asked,
                                         cuuint64_t flags) {
  proc_count++;
  assert_int_equal(flags, CU_GET_PROC_ADDRESS_LEGACY_STREAM);
  *ret = NULL;
  if (strcmp(name, "cuMemAlloc") == 0) {
    assert_int_equal(asked, 3020);
    AS_OBJECT(ret, versioned);
    return CUDA_SUCCESS;
  }
  return proc_count % 2 ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

void *__wrap_dlopen(const char *name, int mode);
void *__wrap_dlsym(void *library, const char *name);

void *__wrap_dlopen(const char *name, int mode) {
  (void)mode;
  assert_string_equal(name, "libcuda.so.1");
  atomic_fetch_add(&open_count, 1);
  return has_library ? &has_library : NULL;
}

void *__wrap_dlsym(void *library, const char *name) {
  assert_ptr_equal(library, &has_library);
  void *ret = NULL;
  if (strcmp(name, missing) == 0)
    return NULL;
  if (strcmp(name, "cuGetProcAddress") == 0) {
    if (has_proc_address)
      AS_OBJECT(&ret, get_proc_address);
    return ret;
  }
  if (strcmp(name, "cuInit") == 0)
    AS_OBJECT(&ret, init);
  else if (strcmp(name, "cuDriverGetVersion") == 0)
    AS_OBJECT(&ret, get_version);
  else if (strcmp(name, "cuDeviceGetCount") == 0)
    AS_OBJECT(&ret, get_count);
  else if (strcmp(name, "cuGetErrorName") == 0)
    AS_OBJECT(&ret, get_error_name);
  else if (strcmp(name, "cuGetErrorString") == 0)
    AS_OBJECT(&ret, get_error_string);
  else
    AS_OBJECT(&ret, other_function);
  return ret;
}

CASE(a_missing_library_is_reported) {
  has_library = false;
  expect_no_driver(PI_NOTE_DRIVER_ABSENT, "libcuda.so.1 could not be loaded: no such library");
}

/* each_required_symbol_is_required runs this case once for each value of `missing`. */
static void no_symbol(void **state) {
  (void)state;
  char reason[128];
  snprintf(reason, sizeof reason, "libcuda.so.1 has no %s", missing);
  expect_no_driver(PI_NOTE_DRIVER_OLD, reason);
  assert_null(cu.Init);
}

static void no_optional_symbol(void **state) {
  (void)state;
  assert_true(driver_load());
#define CUDA_IS_THERE(name, symbol, since)                                                         \
  if (strcmp(missing, symbol) == 0)                                                                \
    assert_true(cu.name == NULL);                                                                  \
  else                                                                                             \
    assert_true(cu.name != NULL);
  CUDA_REQUIRED(CUDA_IS_THERE)
  CUDA_OPTIONAL(CUDA_IS_THERE)
#undef CUDA_IS_THERE
}

CASE(all_symbols_are_found) {
  assert_true(driver_load());
  assert_string_equal(load_reason(), "");
  assert_int_equal(cuda_driver_version, 12040);
  assert_int_equal(cuda_device_count, 1);
  no_optional_symbol(NULL);
}

CASE(the_drivers_own_lookup_comes_first) {
  has_proc_address = true;
  assert_true(driver_load());
  void *got = NULL;
  void *expected = NULL;
  memcpy(&got, &cu.MemAlloc, sizeof got);
  AS_OBJECT(&expected, versioned);
  assert_ptr_equal(got, expected);
  memcpy(&got, &cu.MemFree, sizeof got);
  AS_OBJECT(&expected, other_function);
  assert_ptr_equal(got, expected);
  assert_true(proc_count > 50);
}

CASE(an_old_driver_is_refused) {
  version = 11030;
  expect_no_driver(PI_NOTE_DRIVER_OLD, "libcuda.so.1 is of CUDA 11.3; 11.4 or later is needed");
}

CASE(the_oldest_allowed_driver_is_loaded) {
  version = 11040;
  assert_true(driver_load());
}

CASE(a_driver_without_device_is_reported) {
  count = 0;
  expect_no_driver(PI_SUCCESS, "libcuda.so.1 knows no device");
}

static void failing_call(void **state) {
  (void)state;
  char reason[128];
  snprintf(reason, sizeof reason,
           "libcuda.so.1 does not work: %s failed with CUDA_ERROR_UNKNOWN (999)", failing);
  expect_no_driver(PI_SUCCESS, reason);
}

/* Filling the table loads the driver. */
CASE(filling_the_table_loads_the_driver) {
  a_known_runtime_fills_the_table(state);
  assert_int_equal(atomic_load(&open_count), 1);
}

/* Every error code of the table, an unknown one, and success. */
CASE(every_error_code_is_converted) {
  assert_true(driver_load());
  assert_success(cu_result(CUDA_SUCCESS, "cuInit"));
  assert_failure(cu_result(CUDA_ERROR_UNKNOWN, "cuMemAlloc"), PI_ERROR_UNKNOWN,
                 "cuMemAlloc failed: CUDA_ERROR_UNKNOWN (999), unknown error");
#define CUDA_RESULT(cuda, pi) assert_int_equal(cu_result(CUDA_ERROR_##cuda, "cuX"), pi);
  CUDA_RESULTS(CUDA_RESULT)
#undef CUDA_RESULT
  assert_failure(cu_result(CUDA_ERROR_OUT_OF_MEMORY, "cuX"), PI_ERROR_OUT_OF_RESOURCES,
                 "cuX failed: unknown error (2), the driver has no text for it");
}

CASE_TEST(threads_open_the_library_once)
CASE_TEST(another_runtime_opens_no_library)

TEST(each_required_symbol_is_required) {
#define CUDA_MISSING(name, symbol, since)                                                          \
  missing = symbol;                                                                                \
  run_case(no_symbol);
  CUDA_REQUIRED(CUDA_MISSING)
#undef CUDA_MISSING
  missing = "";
}

TEST(each_optional_symbol_may_be_missing) {
#define CUDA_MISSING(name, symbol, since)                                                          \
  missing = symbol;                                                                                \
  run_case(no_optional_symbol);
  CUDA_OPTIONAL(CUDA_MISSING)
#undef CUDA_MISSING
  missing = "";
}

TEST(each_failing_call_is_reported) {
  static const char *const calls[] = {"cuDriverGetVersion", "cuInit", "cuDeviceGetCount"};
  for (size_t i = 0; i < 3; i++) {
    failing = calls[i];
    run_case(failing_call);
  }
  failing = "";
}
