/* The last error: per thread, cut when too long; the check macros. */
#include "check.h"

#include <pthread.h>
#include <string.h>

static void *fresh_thread(void *argument) {
  const char **problem = argument;
  const char *sentence = NULL;
  if (pi_error_last(&sentence) != PI_SUCCESS || strcmp(sentence, "") != 0)
    *problem = "a thread does not begin without an error";
  pi_error(PI_ERROR_INVALID_QUEUE, "of the other thread");
  if (pi_error_last(&sentence) != PI_ERROR_INVALID_QUEUE ||
      strcmp(sentence, "of the other thread") != 0)
    *problem = "a thread does not see its own error";
  return NULL;
}

static void each_thread_has_its_own(void **state) {
  (void)state;
  assert_int_equal(pi_error(PI_ERROR_INVALID_VALUE, "of this thread"), PI_ERROR_INVALID_VALUE);
  const char *problem = NULL;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, fresh_thread, &problem), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  if (problem)
    fail_msg("%s", problem);
  const char *sentence;
  assert_int_equal(pi_error_last(&sentence), PI_ERROR_INVALID_VALUE);
  assert_string_equal(sentence, "of this thread");
}

static void the_latest_failure_stays(void **state) {
  (void)state;
  pi_error(PI_ERROR_INVALID_VALUE, "%s %d", "number", 1);
  pi_error(PI_ERROR_INVALID_EVENT, "%s %d", "number", 2);
  const char *sentence;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(pi_error_last(&sentence), PI_ERROR_INVALID_EVENT);
    assert_string_equal(sentence, "number 2");
  }
}

static void a_long_sentence_is_cut(void **state) {
  (void)state;
  char text[3000];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = 0;
  pi_error(PI_ERROR_UNKNOWN, "%s", text);
  const char *sentence;
  pi_error_last(&sentence);
  assert_int_equal(strlen(sentence), 1023);
  assert_memory_equal(sentence, text, 1023);
}

static int evaluated;

static pi_result step(pi_result result) {
  evaluated++;
  return result;
}

static pi_result two_steps(pi_result first, pi_result second) {
  PI_TRY(step(first));
  PI_TRY(step(second));
  return PI_SUCCESS;
}

static pi_result positive(int value) {
  PI_REQUIRE(value > 0, PI_ERROR_INVALID_BUFFER_SIZE, "value is %d", value);
  return PI_SUCCESS;
}

static void macros(void **state) {
  (void)state;
  evaluated = 0;
  assert_success(two_steps(PI_SUCCESS, PI_SUCCESS));
  assert_int_equal(evaluated, 2);
  assert_int_equal(two_steps(PI_ERROR_INVALID_QUEUE, PI_SUCCESS), PI_ERROR_INVALID_QUEUE);
  assert_int_equal(evaluated, 3);
  assert_int_equal(two_steps(PI_SUCCESS, PI_ERROR_INVALID_MEM_OBJECT), PI_ERROR_INVALID_MEM_OBJECT);
  assert_success(positive(1));
  assert_failure(positive(-1), PI_ERROR_INVALID_BUFFER_SIZE, "value is -1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_thread_has_its_own),
      cmocka_unit_test(the_latest_failure_stays),
      cmocka_unit_test(a_long_sentence_is_cut),
      cmocka_unit_test(macros),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
