/*
 * Calls every entry point on a thread that has no current context, or a foreign one. The entry
 * point must make its own context current and create objects in it. The fake driver checks both.
 */
#include "check.h"
#include "scenarios.h"

#include "../../fakes/cuda/fake_cuda.h"

#include <pthread.h>

/* A call on a thread of its own. Only the main thread may use cmocka. */
typedef struct visit {
  pi_result (*call)(world *w);
  world *world;
  bool has_foreign; /* another device's context is current */
  pi_result result;
  char sentence[512];
} visit;

static void *call_on_thread(void *argument) {
  visit *self = argument;
  CUcontext foreign = NULL;
  if (self->has_foreign && cuCtxCreate_v2(&foreign, 0, 1) != CUDA_SUCCESS)
    return NULL;
  self->result = self->call(self->world);
  const char *sentence;
  plugin_error_last(&sentence);
  snprintf(self->sentence, sizeof self->sentence, "%s", sentence);
  if (foreign && cuCtxDestroy(foreign) != CUDA_SUCCESS)
    self->result = PI_ERROR_UNKNOWN;
  return NULL;
}

static void run(const char *entry, pi_result (*call)(world *w), bool has_foreign) {
  static world w;
  char list[4096];
  const size_t before = driver_list(list, sizeof list);
  world_begin(&w);
  visit visit = {call, &w, has_foreign, PI_ERROR_UNKNOWN, "no call"};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, call_on_thread, &visit), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  outputs_release(&w);
  world_end(&w);
  if (visit.result != PI_SUCCESS)
    fail_with("%s with %s context: %s (%d): \"%s\"", entry, has_foreign ? "another" : "no",
              enumerator_name("pi_result", visit.result), (int)visit.result, visit.sentence);
  if (!driver_settles(before, list, sizeof list))
    fail_with("%s with %s context: the driver has objects left:\n%s", entry,
              has_foreign ? "another" : "no", list);
}

#define CONTEXT_TEST(entry, call)                                                                  \
  TEST(test_##entry) {                                                                             \
    run(#entry, call, false);                                                                      \
    run(#entry, call, true);                                                                       \
  }
#define PI_FUNCTION(name, since, parameters, arguments) CONTEXT_TEST(name, call_##name)
#include <pi/pi_functions.def>
#define MORE_TEST(name) CONTEXT_TEST(name, more_##name)
MORE_SCENARIOS(MORE_TEST)

/* With an argument: only the tests whose names match, e.g. 'test_piQueue*'. */
int main(int argc, char **argv) {
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return tests_run(NULL, NULL);
}
