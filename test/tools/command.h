/* Runs command lines and captures their output. */
#ifndef SPECPI_TEST_TOOLS_COMMAND_H
#define SPECPI_TEST_TOOLS_COMMAND_H

#include "../support/tests.h"

typedef struct outcome {
  int status;   /* exit status; 128 + n after signal n, as in shells */
  char *output; /* text written to stdout, and to stderr */
  char *errors;
} outcome;

/*
 * Runs a line of sh. Its environment contains only PATH, the sanitizers' options, the variables
 * that CMake sets for every test, and WORK. WORK is a new empty directory, also the working
 * directory, HOME and TMPDIR; command_clear removes the directory.
 */
outcome command_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Does the same in the previous command's directory. */
outcome command_again(const char *format, ...) __attribute__((format(printf, 1, 2)));

void command_clear(outcome *outcome);

/* Runs a line and asserts that specpi refuses the file "bad", with this reason and no output. */
void command_refuses(const char *reason, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define assert_contains(text, part)                                                                \
  do {                                                                                             \
    if (!strstr((text), (part)))                                                                   \
      fail_msg("\"%s\" is not in:\n%s", (part), (text));                                           \
  } while (0)

#define assert_contains_not(text, part)                                                            \
  do {                                                                                             \
    if (strstr((text), (part)))                                                                    \
      fail_msg("\"%s\" is in:\n%s", (part), (text));                                               \
  } while (0)

/* Asserts the exit status; prints the outputs if it is wrong. */
#define assert_status(outcome, expected)                                                           \
  do {                                                                                             \
    if ((outcome).status != (expected))                                                            \
      fail_msg("exit status %d, not %d\nstdout: %s\nstderr: %s", (outcome).status, (expected),     \
               (outcome).output, (outcome).errors);                                                \
  } while (0)

#endif
