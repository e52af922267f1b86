/* Stored answers about Level Zero drivers: their keys, and the files that are trusted. */
#define _GNU_SOURCE /* asprintf */
#include "level_zero_probe_world.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Keys of answers ---- */

/* Checks that a value of this variable has an answer of its own. */
static void expect_own_answer(const char *name, const char *value) {
  const int before = children();
  setenv(name, value, 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), before + 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), before + 1);
  unsetenv(name);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), before + 1);
}

PROBE_TEST(drivers_variables_have_their_own_answers) {
  assert_int_equal(ask().outcome, PROBE_WORKS);
  expect_own_answer("ZE_AFFINITY_MASK", "0");
  expect_own_answer("ZE_FLAT_DEVICE_HIERARCHY", "FLAT");
  expect_own_answer("ZET_ENABLE_METRICS", "1");
  expect_own_answer("FAKE_ZE_CRASH", "zeDriverGet");
  expect_own_answer("LD_LIBRARY_PATH", "/nowhere");
  expect_own_answer("NEOReadDebugKeys", "1");
}

/* Intel's driver reads its other debug variables only if NEOReadDebugKeys is set. */
PROBE_TEST(debug_variables_count_only_if_enabled) {
  assert_int_equal(ask().outcome, PROBE_WORKS);
  setenv("SetCommandStreamReceiver", "1", 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  assert_int_equal(children(), 1);
  unsetenv("SetCommandStreamReceiver");
  setenv("NEOReadDebugKeys", "1", 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  expect_own_answer("SetCommandStreamReceiver", "1");
  unsetenv("NEOReadDebugKeys");
}

PROBE_TEST(other_variables_do_not_count) {
  assert_int_equal(ask().outcome, PROBE_WORKS);
  setenv("SOMETHING_ELSE", "1", 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  unsetenv("SOMETHING_ELSE");
  assert_int_equal(children(), 1);
}

static void write_file(const char *path, const char *text, mode_t mode) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  assert_int_equal(fchmod(file, mode), 0);
  close(file);
}

/* An answer no longer counts if the driver's file has another size or time. */
PROBE_TEST(a_changed_driver_is_tried_again) {
  char path[4200];
  assert_int_equal(mkdir(directory, 0700), 0);
  snprintf(path, sizeof path, "%s/libze_test.so", directory);
  setenv("ZE_ENABLE_ALT_DRIVERS", path, 1);
  assert_int_equal(ask().outcome, PROBE_WORKS);
  write_file(path, "no library", 0600);
  ask();
  ask();
  assert_int_equal(children(), 2);
  write_file(path, "no library at all", 0600);
  ask();
  ask();
  assert_int_equal(children(), 3);
  const struct timespec times[2] = {{1000, 0}, {1000, 0}};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
  ask();
  ask();
  assert_int_equal(children(), 4);
}

/* The answer names the driver that the child loaded. */
PROBE_TEST(the_loaded_driver_is_named) {
  setenv("ZE_ENABLE_ALT_DRIVERS", "libm.so.6", 1);
  at_drivers = CRASH;
  probe_answer answer = ask();
  assert_int_equal(answer.file_count, 1);
  assert_non_null(strstr(answer.files[0].path, "libm.so.6"));
  char sentence[2048];
  snprintf(sentence, sizeof sentence,
           "the Level Zero driver %s is not used: it ends a process with signal 11 (Segmentation "
           "fault) in zeDriverGet",
           answer.files[0].path);
  expect_refused(&answer, sentence);
  answer = ask();
  assert_int_equal(children(), 1);
  expect_refused(&answer, sentence);
}

/* ---- Untrusted files ---- */

static char *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = malloc(1 << 16);
  assert_non_null(text);
  *size = fread(text, 1, (1 << 16) - 1, file);
  text[*size] = '\0';
  fclose(file);
  return text;
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* An answer in a truncated or changed file is not used. */
PROBE_TEST(damaged_answers_are_not_used) {
  at_drivers = CRASH;
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  char *path = cache_file();
  size_t size;
  char *good = read_all(path, &size);
  char *key = probe_key(&loader);
  probe_answer answer;
  assert_true(probe_recall(key, &answer));
  for (size_t length = 0; length < size; length++) {
    write_bytes(path, good, length);
    assert_false(probe_recall(key, &answer));
  }
  for (size_t at = 0; at < size; at++) {
    const char byte = good[at];
    good[at] = (char)(byte ^ 0x10);
    write_bytes(path, good, size);
    if (probe_recall(key, &answer))
      /* A changed digit of the answer cannot be noticed, but the numbers are within bounds. */
      assert_true(answer.outcome < PROBE_UNKNOWN && answer.step < PROBE_STEP_COUNT &&
                  answer.number >= 0 && answer.number < 256 && answer.file_count == 0);
    good[at] = byte;
  }
  write_bytes(path, good, size);
  assert_true(probe_recall(key, &answer));
  good[size] = 'x';
  write_bytes(path, good, size + 1);
  assert_false(probe_recall(key, &answer));
  free(key);
  free(good);
  free(path);
}

/* Answers with numbers out of bounds, or of another boot, are not used. */
PROBE_TEST(impossible_answers_are_not_used) {
  static const char *const lines[] = {"9 2 11 0 0 0",
                                      "1 9 11 0 0 0",
                                      "1 2 256 0 0 0",
                                      "1 2 -1 0 0 0",
                                      "1 2 11 0 99 0",
                                      "1 2 11 0 3 0",
                                      "1 2 11 0 0 -1",
                                      "1 2 11 0 0",
                                      "3 2 0 0 0 1",
                                      "",
                                      "1 2 11 99999999999999999999 0 0",
                                      "4 0 0 0 0 0",
                                      "+1 2 11 0 0 0",
                                      " 1 2 11 0 0 0"};
  at_drivers = CRASH;
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  char *path = cache_file();
  size_t size;
  char *good = read_all(path, &size);
  char *key = probe_key(&loader);
  probe_answer answer;
  char *title = strtok(good, "\n");
  char *boot = strtok(NULL, "\n");
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    char *text;
    assert_true(asprintf(&text, "%s\n%s\n%s\n%s", title, boot, lines[i], key) > 0);
    write_bytes(path, text, strlen(text));
    assert_false(probe_recall(key, &answer));
    free(text);
  }
  char *text;
  assert_true(asprintf(&text, "%s\n00000000-%s\n1 2 11 0 0 0\n%s", title, boot + 9, key) > 0);
  write_bytes(path, text, strlen(text));
  assert_false(probe_recall(key, &answer));
  free(text);
  assert_true(asprintf(&text, "%s\n%s\n1 2 11 0 0 0\n%s", title, boot, key) > 0);
  write_bytes(path, text, strlen(text));
  assert_true(probe_recall(key, &answer));
  free(text);
  free(key);
  free(good);
  free(path);
}

/* Links, pipes, large files, and files and directories that others can write are not read. */
PROBE_TEST(unsafe_files_are_not_read) {
  at_drivers = CRASH;
  ask();
  char *path = cache_file();
  char *key = probe_key(&loader);
  char below[4200];
  char aside[4300];
  snprintf(below, sizeof below, "%s/specpi", directory);
  snprintf(aside, sizeof aside, "%s/aside", directory);
  probe_answer answer;
  assert_true(probe_recall(key, &answer));
  chmod(path, 0620);
  assert_false(probe_recall(key, &answer));
  chmod(path, 0602);
  assert_false(probe_recall(key, &answer));
  chmod(path, 0600);
  chmod(below, 0777);
  assert_false(probe_recall(key, &answer));
  chmod(below, 0700);
  assert_true(probe_recall(key, &answer));
  assert_int_equal(rename(path, aside), 0);
  assert_int_equal(symlink(aside, path), 0);
  assert_false(probe_recall(key, &answer));
  unlink(path);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_false(probe_recall(key, &answer));
  unlink(path);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_false(probe_recall(key, &answer));
  rmdir(path);
  assert_int_equal(rename(aside, path), 0);
  assert_int_equal(truncate(path, 1 << 24), 0);
  assert_false(probe_recall(key, &answer));
  free(key);
  free(path);
}

/* Nothing is read or written below another user's directory. The test needs root. */
PROBE_TEST(other_users_directories_are_not_used) {
  if (geteuid() != 0)
    skip();
  at_drivers = CRASH;
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  char *key = probe_key(&loader);
  probe_answer answer;
  assert_true(probe_recall(key, &answer));
  assert_int_equal(chown(directory, 12345, 0), 0);
  assert_false(probe_recall(key, &answer));
  char below[4200];
  char aside[4300];
  snprintf(below, sizeof below, "%s/specpi", directory);
  snprintf(aside, sizeof aside, "%s/aside", directory);
  assert_int_equal(rename(below, aside), 0);
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  assert_int_equal(access(below, F_OK), -1);
  free(key);
}

/* If a limit prevents writing the file, nothing is stored and no signal ends the process. */
PROBE_TEST(a_file_limit_stores_nothing) {
  const struct rlimit small = {10, RLIM_INFINITY};
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const probe_answer answer = ask();
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(answer.outcome, PROBE_WORKS);
  char below[4200];
  snprintf(below, sizeof below, "%s/specpi", directory);
  assert_int_equal(rmdir(below), 0); /* the directory was made and is empty */
}

/* Without a cache directory every question is answered by a new child. */
PROBE_TEST(without_a_cache_each_question_is_tried) {
  write_file(directory, "no directory", 0600);
  at_drivers = CRASH;
  for (int i = 1; i <= 2; i++) {
    assert_int_equal(ask().outcome, PROBE_SIGNAL);
    assert_int_equal(children(), i);
  }
  unlink(directory);
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  unsetenv("HOME");
  assert_int_equal(ask().outcome, PROBE_SIGNAL);
  assert_int_equal(children(), 3);
  /* HOME replaces an unusable XDG_CACHE_HOME. */
  assert_int_equal(mkdir(directory, 0700), 0);
  setenv("HOME", directory, 1);
  for (int i = 0; i < 2; i++)
    assert_int_equal(ask().outcome, PROBE_SIGNAL);
  assert_int_equal(children(), 4);
  unsetenv("HOME");
}

/* A value that is not a number of seconds from 1 to 600 is ignored. */
PROBE_TEST(bad_time_limits_are_ignored) {
  static const char *const words[] = {"", "0", "-1", "x", "1x", "601", "99999999999999999999"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    setenv("SPECPI_LEVEL_ZERO_PROBE_SECONDS", words[i], 1);
    assert_int_equal(ask().outcome, PROBE_WORKS);
  }
}

int main(void) {
  if (!open_probe_world())
    return 1;
  return tests_run(NULL, NULL);
}
