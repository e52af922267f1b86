/* Reference counts and the kinds of handles. */
#include "check.h"

#include "../../plugins/objects/handle.h"

#include <pthread.h>

static void counts(void **state) {
  (void)state;
  pi_handle handle;
  pi_handle_init(&handle, PI_HANDLE_COMMAND_BUFFER);
  assert_int_equal(pi_handle_references(&handle), 1);
  pi_handle_retain(&handle);
  pi_handle_retain(&handle);
  assert_int_equal(pi_handle_references(&handle), 3);
  assert_false(pi_handle_release(&handle));
  assert_false(pi_handle_release(&handle));
  assert_true(pi_handle_is(&handle, PI_HANDLE_COMMAND_BUFFER));
  assert_int_equal(pi_handle_references(&handle), 1);
  assert_true(pi_handle_release(&handle));
}

static void kinds(void **state) {
  (void)state;
  for (unsigned kind = PI_HANDLE_PLATFORM; kind <= PI_HANDLE_COMMAND_BUFFER; kind++) {
    pi_handle handle;
    pi_handle_init(&handle, (pi_handle_kind)kind);
    for (unsigned other = PI_HANDLE_PLATFORM; other <= PI_HANDLE_COMMAND_BUFFER; other++)
      assert_int_equal(pi_handle_is(&handle, (pi_handle_kind)other), kind == other);
    assert_true(pi_handle_release(&handle));
    assert_false(pi_handle_is(&handle, (pi_handle_kind)kind));
  }
  assert_false(pi_handle_is(NULL, PI_HANDLE_PLATFORM));
}

enum { THREADS = 4, ROUNDS = 10000 };

/* Retains and releases; gives up one reference more, and says whether it was the last. */
static void *hammer(void *argument) {
  pi_handle *handle = argument;
  for (int i = 0; i < ROUNDS; i++) {
    pi_handle_retain(handle);
    if (pi_handle_release(handle))
      return handle;
  }
  return pi_handle_release(handle) ? handle : NULL;
}

static void exactly_one_thread_sees_the_last_release(void **state) {
  (void)state;
  pi_handle handle;
  pi_handle_init(&handle, PI_HANDLE_PROGRAM);
  for (int i = 1; i < THREADS; i++)
    pi_handle_retain(&handle);
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, hammer, &handle), 0);
  int last = 0;
  for (int i = 0; i < THREADS; i++) {
    void *result;
    assert_int_equal(pthread_join(threads[i], &result), 0);
    last += result != NULL;
  }
  assert_int_equal(last, 1);
  assert_false(pi_handle_is(&handle, PI_HANDLE_PROGRAM));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts),
      cmocka_unit_test(kinds),
      cmocka_unit_test(exactly_one_thread_sees_the_last_release),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
