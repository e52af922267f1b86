/* Lists of words, and that a process with more rights than its user ignores variables. */
#define _DEFAULT_SOURCE /* chown, mkdtemp */
#include "check.h"

#include "../../plugins/base/words.h"
#include "../../plugins/code/libdevice_place.h"
#include "../../runtime/trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SKIPPED = 77 };

TEST(lists_are_split_at_commas) {
  static const struct {
    const char *list;
    const char *words[4];
  } rows[] = {{NULL, {NULL}},
              {"", {NULL}},
              {",", {NULL}},
              {",,,", {NULL}},
              {"a", {"a"}},
              {"one,two", {"one", "two"}},
              {",one,,two,", {"one", "two"}},
              {" a, b", {" a", " b"}},
              {"a;b", {"a;b"}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *list = rows[i].list;
    text_word word;
    for (size_t j = 0; rows[i].words[j]; j++) {
      assert_true(text_word_next(&list, &word));
      assert_true(text_word_is(word, rows[i].words[j]));
    }
    word = (text_word){"untouched", 9};
    assert_false(text_word_next(&list, &word));
    assert_true(text_word_is(word, "untouched"));
  }
}

TEST(words_are_compared_as_a_whole) {
  const char *list = "errors,x";
  text_word word;
  assert_true(text_word_next(&list, &word));
  assert_true(text_word_is(word, "errors"));
  assert_false(text_word_is(word, "error"));
  assert_false(text_word_is(word, "errors,"));
  assert_false(text_word_is(word, ""));
}

/* Runs a copy of this program with these rights and reads its stderr. */
static void run_copy(const char *copy, mode_t rights, char *ret, size_t size) {
  assert_int_equal(chmod(copy, rights), 0);
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  const pid_t child = tests_fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    setenv("SPECPI_TRACE", "all", 1);
    setenv("SPECPI_LIBDEVICE", "/nowhere", 1);
    execl(copy, copy, "trace", (char *)NULL);
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

static void copy_self(const char *to) {
  FILE *from = fopen("/proc/self/exe", "rb");
  FILE *copy = fopen(to, "wb");
  assert_non_null(from);
  assert_non_null(copy);
  char bytes[65536];
  for (size_t count; (count = fread(bytes, 1, sizeof bytes, from)) > 0;)
    assert_int_equal(fwrite(bytes, 1, count, copy), count);
  fclose(from);
  assert_int_equal(fclose(copy), 0);
}

/* Needs root, because it changes the owner of a file. */
static void more_rights_switch_variables_off(void **state) {
  (void)state;
  char copy[] = "unit-words-copy";
  copy_self(copy);
  assert_int_equal(chown(copy, 65534, 65534), 0);
  char text[1024];
  run_copy(copy, 0755, text, sizeof text);
  assert_non_null(strstr(text, "specpi: PI_ERROR_INVALID_QUEUE (-36): queue is NULL\n"));
  assert_non_null(strstr(text, "specpi: traced\n"));
  assert_non_null(strstr(text, "libdevice: /nowhere\n"));
  run_copy(copy, 04755, text, sizeof text);
  assert_string_equal(text, "");
  unlink(copy);
}

/* The work of the copy: uses each part of the library that reads a variable. */
static _Noreturn void trace(void) {
  plugin_error(PI_ERROR_INVALID_QUEUE, "queue is NULL");
  if (trace_enabled(TRACE_ERRORS))
    trace_line("traced");
  const char *libdevice;
  if (strcmp(libdevice_choice(&libdevice), "/nowhere") == 0)
    fprintf(stderr, "libdevice: %s\n", libdevice);
  /* _exit() skips the leak check, which fails in a set-user-ID process. */
  _exit(0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "trace") == 0)
    trace();
  if (argc > 1 && strcmp(argv[1], "rights") == 0) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_rights_switch_variables_off)};
    return geteuid() == 0 ? cmocka_run_group_tests(tests, NULL, NULL) : SKIPPED;
  }
  return tests_run(NULL, NULL);
}
