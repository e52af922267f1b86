/* Reference counts and the kinds of handles. */
#include "check.h"

#include "../../plugins/objects/handle.h"

#include <pthread.h>

TEST(references_are_counted) {
  object_head handle;
  object_init(&handle, OBJECT_COMMAND_BUFFER);
  assert_int_equal(object_references(&handle), 1);
  object_retain(&handle);
  object_retain(&handle);
  assert_int_equal(object_references(&handle), 3);
  assert_false(object_release(&handle));
  assert_false(object_release(&handle));
  assert_true(object_is(&handle, OBJECT_COMMAND_BUFFER));
  assert_int_equal(object_references(&handle), 1);
  assert_true(object_release(&handle));
}

TEST(a_live_handle_has_one_kind) {
  for (unsigned kind = OBJECT_PLATFORM; kind <= OBJECT_COMMAND_BUFFER; kind++) {
    object_head handle;
    object_init(&handle, (object_kind)kind);
    for (unsigned other = OBJECT_PLATFORM; other <= OBJECT_COMMAND_BUFFER; other++)
      assert_int_equal(object_is(&handle, (object_kind)other), kind == other);
    assert_true(object_release(&handle));
    assert_false(object_is(&handle, (object_kind)kind));
  }
  assert_false(object_is(NULL, OBJECT_PLATFORM));
}

enum { THREADS = 4, ROUNDS = 10000 };

/* Retains and releases many times, then releases once more; returns non-NULL if it was the last. */
static void *hammer(void *argument) {
  object_head *handle = argument;
  for (int i = 0; i < ROUNDS; i++) {
    object_retain(handle);
    if (object_release(handle))
      return handle;
  }
  return object_release(handle) ? handle : NULL;
}

TEST(exactly_one_thread_sees_the_last_release) {
  object_head handle;
  object_init(&handle, OBJECT_PROGRAM);
  for (int i = 1; i < THREADS; i++)
    object_retain(&handle);
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
  assert_false(object_is(&handle, OBJECT_PROGRAM));
}
