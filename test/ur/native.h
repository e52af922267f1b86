/* Level Zero's functions on native handles of a SYCL runtime's objects. */
#ifndef TEST_UR_NATIVE_H
#define TEST_UR_NATIVE_H

#include "run.h"

#include <level_zero/ze_api.h>

/* The opened libze_loader.so.1, and the native handles of place. */
extern void *native_library;
extern ze_context_handle_t native_context;
extern ze_device_handle_t native_device;

/* Opens the place and these, for a group of tests that run_close ends. */
int native_open(void **state);

/* Returns a function of Level Zero; ZE(name) has its type. */
void *native_find(const char *name);
#define ZE(name) ((__typeof__(name) *)(uintptr_t)native_find(#name))

/* Makes a module from one of the tests' kernels; constants and log may be NULL. */
ze_result_t native_module(run_module code, const ze_module_constants_t *constants,
                          ze_module_handle_t *ret, ze_module_build_log_handle_t *log);

/* Makes a kernel of a module. */
ze_kernel_handle_t native_kernel(ze_module_handle_t module, const char *name);

#define assert_ze(call) assert_int_equal((call), ZE_RESULT_SUCCESS)
#define assert_ze_refused(call, code, words)                                                       \
  do {                                                                                             \
    assert_int_equal((call), ZE_RESULT_ERROR_##code);                                              \
    assert_sentence(words);                                                                        \
  } while (0)

#endif
