#define _XOPEN_SOURCE 700 /* setenv */
/* The last error, which each thread has, and the macros that check results. */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *fresh_thread(void *argument) {
  const char **problem = argument;
  const char *sentence = NULL;
  if (plugin_error_last(&sentence) != PI_SUCCESS || strcmp(sentence, "") != 0)
    *problem = "a thread does not begin without an error";
  plugin_error(PI_ERROR_INVALID_QUEUE, "of the other thread");
  if (plugin_error_last(&sentence) != PI_ERROR_INVALID_QUEUE ||
      strcmp(sentence, "of the other thread") != 0)
    *problem = "a thread does not see its own error";
  return NULL;
}

TEST(each_thread_has_its_own) {
  assert_int_equal(plugin_error(PI_ERROR_INVALID_VALUE, "of this thread"), PI_ERROR_INVALID_VALUE);
  const char *problem = NULL;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, fresh_thread, &problem), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  if (problem)
    fail_msg("%s", problem);
  const char *sentence;
  assert_int_equal(plugin_error_last(&sentence), PI_ERROR_INVALID_VALUE);
  assert_string_equal(sentence, "of this thread");
}

TEST(the_latest_failure_stays) {
  plugin_error(PI_ERROR_INVALID_VALUE, "%s %d", "number", 1);
  plugin_error(PI_ERROR_INVALID_EVENT, "%s %d", "number", 2);
  const char *sentence;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(plugin_error_last(&sentence), PI_ERROR_INVALID_EVENT);
    assert_string_equal(sentence, "number 2");
  }
}

TEST(a_long_message_is_cut) {
  char text[3000];
  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = 0;
  plugin_error(PI_ERROR_UNKNOWN, "%s", text);
  const char *sentence;
  plugin_error_last(&sentence);
  assert_int_equal(strlen(sentence), 1023);
  assert_memory_equal(sentence, text, 1023);
}

static int evaluated;

static pi_result step(pi_result result) {
  evaluated++;
  return result;
}

static pi_result two_steps(pi_result first, pi_result second) {
  TRY(step(first));
  TRY(step(second));
  return PI_SUCCESS;
}

static pi_result positive(int value) {
  REQUIRE(value > 0, PI_ERROR_INVALID_BUFFER_SIZE, "value is %d", value);
  return PI_SUCCESS;
}

TEST(the_macros_return_at_the_first_failure) {
  evaluated = 0;
  assert_success(two_steps(PI_SUCCESS, PI_SUCCESS));
  assert_int_equal(evaluated, 2);
  assert_int_equal(two_steps(PI_ERROR_INVALID_QUEUE, PI_SUCCESS), PI_ERROR_INVALID_QUEUE);
  assert_int_equal(evaluated, 3);
  assert_int_equal(two_steps(PI_SUCCESS, PI_ERROR_INVALID_MEM_OBJECT), PI_ERROR_INVALID_MEM_OBJECT);
  assert_success(positive(1));
  assert_failure(positive(-1), PI_ERROR_INVALID_BUFFER_SIZE, "value is -1");
}

/*
 * Collects the text that a child process prints for an error and a note with this SPECPI_TRACE.
 */
static void traced(const char *trace, char *ret, size_t size) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = tests_fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("SPECPI_TRACE", trace, 1);
    execl("/proc/self/exe", "unit-error", "fail", (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  size_t used = 0;
  ssize_t got;
  while ((got = read(ends[0], ret + used, size - 1 - used)) > 0)
    used += (size_t)got;
  ret[used] = 0;
  close(ends[0]);
  tests_join(child);
}

TEST(the_trace_prints_errors_and_notes) {
  char text[256];
  traced("calls,errors", text, sizeof text);
  assert_string_equal(text, "specpi: PI_ERROR_INVALID_QUEUE (-36): queue is NULL\n"
                            "specpi: note: nothing is there\n");
  traced("all", text, sizeof text);
  assert_true(text[0] != 0);
  traced("calls", text, sizeof text);
  assert_string_equal(text, "");
}

/* The work of the child. Each value needs a process, because a process reads the variable once. */
static int fail_and_note(void) {
  plugin_error(PI_ERROR_INVALID_QUEUE, "queue is NULL");
  plugin_note("nothing is there");
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "fail") == 0)
    return fail_and_note();
  return tests_run(NULL, NULL);
}
