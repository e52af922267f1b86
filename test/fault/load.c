/*
 * The driver is looked for once in a process, so each case here has a process of its own:
 * a lack of memory, and failures of the driver, while it is loaded.
 */
#include "check.h"
#include "world.h"

#include "../../plugins/opencl/opencl.h"
#include "../unit/memory.h"

#include <sys/wait.h>
#include <unistd.h>

enum { DONE = 10, NOT_REACHED, WRONG, STEPS_MAX = 100 };

/* Runs one case in a child; its answer is DONE or NOT_REACHED. */
static int in_child(int (*child)(unsigned long step), unsigned long step) {
  fflush(NULL);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0)
    _exit(child(step));
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/* Zero platforms, no failure, a reason. */
static bool says_why(void) {
  pi_platform platform = NULL;
  pi_uint32 count = 99;
  return piPlatformsGet(1, &platform, &count) == PI_SUCCESS && count == 0 && !platform &&
         *opencl_load_error() != '\0';
}

static int without_memory(unsigned long step) {
  memory_watch((long)step);
  opencl_load();
  const memory_use use = memory_unwatch();
  if (!use.failed)
    return NOT_REACHED;
  return use.held == 0 && says_why() ? DONE : WRONG;
}

static int without_list(unsigned long step) {
  fake_opencl_fail("clGetPlatformIDs", step + 1, CL_OUT_OF_HOST_MEMORY);
  opencl_load();
  if (!fake_opencl_unfail())
    return NOT_REACHED;
  return says_why() ? DONE : WRONG;
}

/* A platform whose version cannot be read is there all the same, and can do the least. */
static int without_version(unsigned long step) {
  fake_opencl_fail("clGetPlatformInfo", step + 1, CL_OUT_OF_HOST_MEMORY);
  opencl_load();
  if (!fake_opencl_unfail())
    return NOT_REACHED;
  pi_uint32 count = 0;
  return piPlatformsGet(0, NULL, &count) == PI_SUCCESS && count == 1 ? DONE : WRONG;
}

static void run_steps(int (*child)(unsigned long step)) {
  unsigned long step = 0;
  int answer;
  while ((answer = in_child(child, step)) == DONE)
    assert_true(++step < STEPS_MAX);
  assert_int_equal(answer, NOT_REACHED);
  assert_true(step > 0);
}

static void memory(void **state) {
  (void)state;
  run_steps(without_memory);
}

static void list(void **state) {
  (void)state;
  run_steps(without_list);
}

static void version(void **state) {
  (void)state;
  run_steps(without_version);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(memory), cmocka_unit_test(list),
                                     cmocka_unit_test(version)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
