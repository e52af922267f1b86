/*
 * How the CUDA plugin finds its driver. dlopen and dlsym are this file's: each case is a process of
 * its own with a driver as it wants it.
 */
#define _POSIX_C_SOURCE 200809L /* fork */
#include "check.h"

#include "../../plugins/base/load.h"
#include "../../plugins/cuda/cuda.h"
#include "../../plugins/objects/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The driver of a case. */
static bool has_library = true;
static const char *missing = ""; /* a symbol that it lacks */
static bool has_proc_address;
static int version = 12040;
static int count = 1;
static const char *failing = ""; /* a function that fails with CUDA_ERROR_UNKNOWN */
static atomic_int open_count;
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

/* All other functions, of which only the address counts. */
static void other(void) {
  abort();
}

/* What only cuGetProcAddress gives. */
static void versioned(void) {
  abort();
}

/* C has no conversion between object and function pointers; copying the bytes is POSIX's way. */
#define AS_OBJECT(ret, function)                                                                   \
  do {                                                                                             \
    void (*as_object_function)(void) = (void (*)(void))(function);                                 \
    memcpy((ret), &as_object_function, sizeof as_object_function);                                 \
  } while (0)

/* Knows cuMemAlloc, and says of others either that they are not there or that they are NULL. */
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
char *__wrap_dlerror(void);

void *__wrap_dlopen(const char *name, int mode) {
  (void)mode;
  assert_string_equal(name, "libcuda.so.1");
  atomic_fetch_add(&open_count, 1);
  return has_library ? &has_library : NULL;
}

char *__wrap_dlerror(void) {
  static char text[] = "no such library";
  return text;
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
    AS_OBJECT(&ret, other);
  return ret;
}

/* Nothing is found, for this reason, which piPlatformsGet tells too, with the code of the note. */
static void expect_nothing(int code, const char *reason) {
  assert_false(driver_load());
  assert_string_equal(load_reason(), reason);
  assert_int_equal(cuda_device_count, 0);
  pi_uint32 platforms = 77;
  assert_success(piPlatformsGet(0, NULL, &platforms));
  assert_int_equal(platforms, 0);
  pi_platform platform = (pi_platform)&platforms;
  assert_success(piPlatformsGet(1, &platform, &platforms));
  assert_ptr_equal(platform, &platforms);
  const char *note;
  assert_int_equal(plugin_error_last(&note), code);
  assert_string_equal(note, reason);
}

static void no_library(void **state) {
  (void)state;
  has_library = false;
  expect_nothing(PI_NOTE_DRIVER_ABSENT, "libcuda.so.1 could not be loaded: no such library");
}

/* missing is set by whom this is called for each symbol. */
static void no_symbol(void **state) {
  (void)state;
  char reason[128];
  snprintf(reason, sizeof reason, "libcuda.so.1 has no %s", missing);
  expect_nothing(PI_NOTE_DRIVER_OLD, reason);
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

static void all_symbols(void **state) {
  (void)state;
  assert_true(driver_load());
  assert_string_equal(load_reason(), "");
  assert_int_equal(cuda_driver_version, 12040);
  assert_int_equal(cuda_device_count, 1);
  no_optional_symbol(NULL);
}

static void proc_address(void **state) {
  (void)state;
  has_proc_address = true;
  assert_true(driver_load());
  void *got = NULL;
  void *expected = NULL;
  memcpy(&got, &cu.MemAlloc, sizeof got);
  AS_OBJECT(&expected, versioned);
  assert_ptr_equal(got, expected);
  memcpy(&got, &cu.MemFree, sizeof got);
  AS_OBJECT(&expected, other);
  assert_ptr_equal(got, expected);
  assert_true(proc_count > 50);
}

static void old_driver(void **state) {
  (void)state;
  version = 11030;
  expect_nothing(PI_NOTE_DRIVER_OLD, "libcuda.so.1 is of CUDA 11.3; 11.4 or later is needed");
}

static void oldest_driver(void **state) {
  (void)state;
  version = 11040;
  assert_true(driver_load());
}

static void no_device(void **state) {
  (void)state;
  count = 0;
  expect_nothing(PI_SUCCESS, "libcuda.so.1 knows no device");
}

static void failing_call(void **state) {
  (void)state;
  char reason[128];
  snprintf(reason, sizeof reason,
           "libcuda.so.1 does not work: %s failed with CUDA_ERROR_UNKNOWN (999)", failing);
  expect_nothing(PI_SUCCESS, reason);
}

static void *load_in_thread(void *argument) {
  *(bool *)argument = driver_load();
  return NULL;
}

static void threads(void **state) {
  (void)state;
  pthread_t ids[8];
  bool found[8] = {false};
  for (size_t i = 0; i < 8; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, load_in_thread, &found[i]), 0);
  for (size_t i = 0; i < 8; i++) {
    assert_int_equal(pthread_join(ids[i], NULL), 0);
    assert_true(found[i]);
  }
  assert_int_equal(atomic_load(&open_count), 1);
}

/* A runtime of another version: the driver is left alone. */
static void refused_runtime(void **state) {
  (void)state;
  static pi_plugin plugin = {.PiVersion = "12.27"};
  /* The refusal's line on stderr would only disturb the log. */
  assert_non_null(freopen("/dev/null", "w", stderr));
  assert_int_equal(piPluginInit(&plugin), PI_ERROR_INVALID_OPERATION);
  assert_int_equal(atomic_load(&open_count), 0);
}

static void known_runtime(void **state) {
  (void)state;
  static pi_plugin plugin = {.PiVersion = PI_VERSION_STRING};
  assert_success(piPluginInit(&plugin));
  assert_int_equal(atomic_load(&open_count), 1);
  assert_true(plugin.PiFunctionTable.piTearDown == piTearDown);
  assert_true(plugin.PiFunctionTable.piPlatformsGet == piPlatformsGet);
}

/* Every code that the table has, one that it has not, and success. */
static void errors(void **state) {
  (void)state;
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

static void run(CMUnitTestFunction of_case) {
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const struct CMUnitTest tests[] = {{"case", of_case, NULL, NULL, NULL}};
    _exit(cmocka_run_group_tests(tests, NULL, NULL));
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

#define CASE(name)                                                                                 \
  static void in_process_##name(void **state) {                                                    \
    (void)state;                                                                                   \
    run(name);                                                                                     \
  }
#define CASES(X)                                                                                   \
  X(no_library)                                                                                    \
  X(all_symbols)                                                                                   \
  X(proc_address)                                                                                  \
  X(old_driver)                                                                                    \
  X(oldest_driver)                                                                                 \
  X(no_device)                                                                                     \
  X(threads)                                                                                       \
  X(refused_runtime)                                                                               \
  X(known_runtime)                                                                                 \
  X(errors)
CASES(CASE)

static void each_required_symbol(void **state) {
  (void)state;
#define CUDA_MISSING(name, symbol, since)                                                          \
  missing = symbol;                                                                                \
  run(no_symbol);
  CUDA_REQUIRED(CUDA_MISSING)
#undef CUDA_MISSING
  missing = "";
}

static void each_optional_symbol(void **state) {
  (void)state;
#define CUDA_MISSING(name, symbol, since)                                                          \
  missing = symbol;                                                                                \
  run(no_optional_symbol);
  CUDA_OPTIONAL(CUDA_MISSING)
#undef CUDA_MISSING
  missing = "";
}

static void each_failing_call(void **state) {
  (void)state;
  static const char *const calls[] = {"cuDriverGetVersion", "cuInit", "cuDeviceGetCount"};
  for (size_t i = 0; i < 3; i++) {
    failing = calls[i];
    run(failing_call);
  }
  failing = "";
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define CASE_TEST(name) cmocka_unit_test(in_process_##name),
      CASES(CASE_TEST) cmocka_unit_test(each_required_symbol),
      cmocka_unit_test(each_optional_symbol),
      cmocka_unit_test(each_failing_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
