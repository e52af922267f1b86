/* Running a command line and looking at all that it did. */
#ifndef SPECPI_TEST_TOOLS_COMMAND_H
#define SPECPI_TEST_TOOLS_COMMAND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct outcome {
  int status;   /* the exit status; 128 + n after signal n, as shells have it */
  char *output; /* what it wrote to stdout, and to stderr */
  char *errors;
} outcome;

/*
 * Runs a line of sh in an environment which has nothing but PATH, the sanitizers' options,
 * what CMake sets for every test, and WORK: a new empty directory which is the working directory,
 * the home and the place of temporary files, and which command_clear removes.
 */
outcome command_run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, in the directory that the previous command left. */
outcome command_again(const char *format, ...) __attribute__((format(printf, 1, 2)));

void command_clear(outcome *outcome);

/* As command_run: the line refuses the file bad, with this reason and nothing on stdout. */
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

/* The exit status; when it is another one the outputs tell why. */
#define assert_status(outcome, expected)                                                           \
  do {                                                                                             \
    if ((outcome).status != (expected))                                                            \
      fail_msg("exit status %d, not %d\nstdout: %s\nstderr: %s", (outcome).status, (expected),     \
               (outcome).output, (outcome).errors);                                                \
  } while (0)

#endif
