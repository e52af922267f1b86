#define _GNU_SOURCE /* vasprintf, mkdtemp */
#include "command.h"

#include "../../plugins/base/read.h"
#include "../support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[64];

static char *read_whole(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  char *text = read_file(path, NULL);
  assert_non_null(text);
  return text;
}

/* Runs a line of sh and returns its exit status. */
static int shell(const char *line) {
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void remove_directory(void) {
  if (!*directory)
    return;
  assert_int_equal(scratch_remove(directory), 0);
  *directory = '\0';
}

/* Variables that commands inherit from the test. */
static const char *const passed_on[] = {
    "PATH",         "ASAN_OPTIONS",    "LSAN_OPTIONS",
    "TSAN_OPTIONS", "OCL_ICD_VENDORS", "CL_CONFIG_CPU_TARGET_ARCH"};

/* Makes a line of sh that runs the script; the caller frees the line. */
static char *make_command(const char *script) {
  char *line = NULL;
  size_t size;
  FILE *to = open_memstream(&line, &size);
  assert_non_null(to);
  fprintf(to, "env -i WORK='%s' HOME='%s' TMPDIR='%s'", directory, directory, directory);
  for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++) {
    const char *value = getenv(passed_on[i]);
    fprintf(to, " %s='%s'", passed_on[i], value ? value : "");
  }
  fprintf(to, " sh '%s'", script);
  assert_int_equal(fclose(to), 0);
  return line;
}

/* Removes the warning that Intel's OpenCL runtime prints on an unknown processor. */
static char *without_driver_words(char *text) {
  static const char words[] = "SYCL CPU RT Warning: Unknown host CPU.\n";
  for (char *at; (at = strstr(text, words));)
    memmove(at, at + strlen(words), strlen(at + strlen(words)) + 1);
  return text;
}

static outcome run(const char *format, va_list arguments) {
  char *script;
  assert_true(vasprintf(&script, format, arguments) >= 0);
  char path[128];
  snprintf(path, sizeof path, "%s/script", directory);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "cd '%s' || exit 99\nexec >stdout 2>stderr\n%s\n", directory, script);
  assert_int_equal(fclose(file), 0);
  free(script);

  char *line = make_command(path);
  const int status = shell(line);
  free(line);
  return (outcome){status, read_whole("stdout"), without_driver_words(read_whole("stderr"))};
}

static outcome run_afresh(const char *format, va_list arguments) {
  remove_directory();
  snprintf(directory, sizeof directory, "/tmp/specpi-test.XXXXXX");
  assert_non_null(mkdtemp(directory));
  return run(format, arguments);
}

outcome command_run(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const outcome done = run_afresh(format, arguments);
  va_end(arguments);
  return done;
}

outcome command_again(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const outcome done = run(format, arguments);
  va_end(arguments);
  return done;
}

void command_clear(outcome *outcome) {
  free(outcome->output);
  free(outcome->errors);
  remove_directory();
}

void command_refuses(const char *reason, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  outcome ran = run_afresh(format, arguments);
  va_end(arguments);
  assert_status(ran, 1);
  assert_string_equal(ran.output, "");
  assert_contains(ran.errors, "specpi: bad: ");
  assert_contains(ran.errors, reason);
  command_clear(&ran);
}
