/*
 * Shared parts of the tests of trying a Level Zero driver: a fake loader whose driver acts as a
 * case says, in the child process only, and the directory of the stored answers.
 */
#ifndef SPECPI_TEST_UNIT_LEVEL_ZERO_PROBE_WORLD_H
#define SPECPI_TEST_UNIT_LEVEL_ZERO_PROBE_WORLD_H

#include "check.h"

#include "../../plugins/level_zero/probe.h"

#include <stdatomic.h>
#include <sys/types.h>

/* Action of the driver in one of its functions. */
typedef enum deed { NOTHING, CRASH, STACK, EXIT, QUIT, HANG, FORK, CLOSE } deed;

extern deed at_init, at_drivers, at_devices, at_properties;
extern ze_result_t init_result;
/* A descriptor of the application that the child must have closed, and one that it must have kept;
 * -1 for none. */
extern int closed_file, kept_file;
extern pid_t tester;         /* the test's process, where no driver may be called */
extern char directory[4096]; /* XDG_CACHE_HOME */
extern const level_zero_driver loader;

/* Observations that a case's children make, in shared memory. */
typedef struct probe_seen {
  atomic_int children;
  atomic_int properties;
  atomic_bool is_noisy; /* a child had stderr, handlers, core files, or the wrong descriptors */
} probe_seen;

extern probe_seen *seen;
int children(void);

/* Prepares the program. begin() and finish() run around each case. */
bool open_probe_world(void);
int begin(void **state);
int finish(void **state);
#define PROBE_TEST(name) TEST_WITH(name, begin, finish)

probe_answer ask(void);

/* Returns the path of the only file of the cache, which the caller frees; NULL if there is none. */
char *cache_file(void);

void expect_refused(const probe_answer *answer, const char *sentence);

/* Asks three times; asserts that each answer is this one, and that only the first took a child. */
void expect_crash(probe_outcome outcome, int number, probe_step step, const char *sentence);

#endif
