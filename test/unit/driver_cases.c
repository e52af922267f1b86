#define _POSIX_C_SOURCE 200809L /* fork */
#include "driver_cases.h"

#include "../../plugins/base/load.h"
#include "../../plugins/objects/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool has_library = true;
const char *missing = "";
atomic_int open_count;
pid_t case_process;

char *__wrap_dlerror(void);

char *__wrap_dlerror(void) {
  static char text[] = "no such library";
  return text;
}

void other_function(void) {
  abort();
}

void expect_no_platform(int code, const char *note) {
  pi_uint32 platforms = 77;
  assert_success(piPlatformsGet(0, NULL, &platforms));
  assert_int_equal(platforms, 0);
  pi_platform platform = (pi_platform)&platforms;
  assert_success(piPlatformsGet(1, &platform, &platforms));
  assert_ptr_equal(platform, &platforms);
  const char *told;
  assert_int_equal(plugin_error_last(&told), code);
  assert_string_equal(told, note);
}

void expect_no_driver(int code, const char *reason) {
  assert_false(driver_load());
  assert_string_equal(load_reason(), reason);
  expect_no_platform(code, reason);
}

void another_runtime_opens_no_library(void **state) {
  (void)state;
  static pi_plugin plugin = {.PiVersion = "12.27"};
  /* Keeps the message about the refusal out of the test's log. */
  assert_non_null(freopen("/dev/null", "w", stderr));
  assert_int_equal(piPluginInit(&plugin), PI_ERROR_INVALID_OPERATION);
  assert_int_equal(atomic_load(&open_count), 0);
}

void a_known_runtime_fills_the_table(void **state) {
  (void)state;
  static pi_plugin plugin = {.PiVersion = PI_VERSION_STRING};
  assert_success(piPluginInit(&plugin));
  assert_true(plugin.PiFunctionTable.piKernelSetArg == piKernelSetArg);
  assert_int_equal(plugin.PiFunctionTable.piPlatformsGet(0, NULL, NULL), PI_ERROR_INVALID_VALUE);
}

static void *load_in_thread(void *argument) {
  *(bool *)argument = driver_load();
  return NULL;
}

void threads_open_the_library_once(void **state) {
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

void run_case(CMUnitTestFunction of_case) {
  fflush(NULL);
  const pid_t child = tests_fork();
  if (child == 0) {
    const struct CMUnitTest tests[] = {{"case", of_case, NULL, NULL, NULL}};
    case_process = getpid();
    _exit(cmocka_run_group_tests(tests, NULL, NULL));
  }
  tests_join(child);
}
