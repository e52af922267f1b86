/*
 * The parts that the tests of trying a Level Zero driver share: a loader whose drivers do what a
 * case wants, in the child process only, and the cache in which answers are remembered.
 */
#ifndef SPECPI_TEST_UNIT_LEVEL_ZERO_PROBE_WORLD_H
#define SPECPI_TEST_UNIT_LEVEL_ZERO_PROBE_WORLD_H

#include "check.h"

#include "../../plugins/level_zero/probe.h"

#include <stdatomic.h>
#include <sys/types.h>

/* The conduct of a case's driver in a step. */
typedef enum deed { NOTHING, CRASH, STACK, EXIT, QUIT, HANG, FORK, CLOSE } deed;

extern deed at_init, at_drivers, at_devices, at_properties;
extern ze_result_t init_result;
/* Files of the application that the child does not have, and that it has; -1 for none. */
extern int closed_file, kept_file;
extern pid_t tester;         /* the process in which no driver may be called */
extern char directory[4096]; /* XDG_CACHE_HOME */
extern const level_zero_driver loader;

/* The observations of a case's children; shared with them. */
typedef struct probe_seen {
  atomic_int children;
  atomic_int properties;
  atomic_bool is_noisy; /* it was not silent: stderr, a handler, a core file, the wrong files */
} probe_seen;

extern probe_seen *seen;
int children(void);

/* Before and after all cases, and for cmocka around each. */
bool open_probe_world(void);
int begin(void **state);
int finish(void **state);
#define PROBE_TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

probe_answer ask(void);

/* The one file of the cache, which the caller frees; NULL when there is none. */
char *cache_file(void);

void expect_refused(const probe_answer *answer, const char *sentence);

/* Tried in a child once, and the same answer after that without one. */
void expect_crash(probe_outcome outcome, int number, probe_step step, const char *sentence);

#endif
