/*
 * Finds out whether the loader's drivers can be called at all. Some end the process: a driver may
 * crash in zeInit or zeDriverGet on a machine whose GPU is missing. A child process therefore makes
 * the first calls, once for each boot of the machine and set of driver files. A file in the user's
 * cache keeps the answer for later processes.
 *
 * probe.c combines the parts: probe_child.c runs the child, probe_key.c builds the key of an
 * answer, probe_file.c stores answers.
 */
#ifndef LEVEL_ZERO_PROBE_H
#define LEVEL_ZERO_PROBE_H

#include "driver.h"

#include <limits.h>

/* X(NAME, "what the child was in"): the child's steps, in their order. */
#define PROBE_STEPS(X)                                                                             \
  X(LOAD, "being loaded")                                                                          \
  X(INIT, "zeInit")                                                                                \
  X(DRIVERS, "zeDriverGet")                                                                        \
  X(DEVICES, "zeDeviceGet")                                                                        \
  X(PROPERTIES, "zeDeviceGetProperties")

typedef enum probe_step {
#define PROBE_STEP(name, text) PROBE_STEP_##name,
  PROBE_STEPS(PROBE_STEP)
#undef PROBE_STEP
      PROBE_STEP_COUNT
} probe_step;

/* X(NAME): how the child ended. */
#define PROBE_OUTCOMES(X)                                                                          \
  X(WORKS)   /* the child made all steps, whatever the calls returned */                           \
  X(SIGNAL)  /* a signal ended it: number is the signal */                                         \
  X(EXIT)    /* the driver called exit: number is the status */                                    \
  X(HANGS)   /* the time limit ended it */                                                         \
  X(UNKNOWN) /* the child could not be started: number is errno */

typedef enum probe_outcome {
#define PROBE_OUTCOME(name) PROBE_##name,
  PROBE_OUTCOMES(PROBE_OUTCOME)
#undef PROBE_OUTCOME
      PROBE_OUTCOME_COUNT
} probe_outcome;

enum { PROBE_MOST_FILES = 8, PROBE_PATH_SIZE = 1024 };

/* The identity of a file; all 0 for a missing one. */
typedef struct probe_stamp {
  unsigned long long size, seconds, nanoseconds, inode, device;
} probe_stamp;

/* A driver that the loader finds. */
typedef struct probe_file {
  probe_stamp stamp;
  char path[PROBE_PATH_SIZE];
} probe_file;

typedef struct probe_answer {
  probe_outcome outcome;
  probe_step step; /* step in which the child ended; PROPERTIES for WORKS */
  int number;
  unsigned init; /* the ze_result_t of zeInit; 0 if zeInit did not return */
  unsigned file_count;
  probe_file files[PROBE_MOST_FILES];
} probe_answer;

/*
 * Gets the answer for a loader from the file, or from a child. Takes no longer than
 * SPECPI_LEVEL_ZERO_PROBE_SECONDS (10 by default). Safe from any thread and in any number of
 * processes at once.
 */
void probe_ask(const level_zero_driver *loader, probe_answer *ret);

/*
 * Returns whether the process may call the driver, in which case zeInit succeeds. Otherwise writes
 * the reason as a message of at most size bytes.
 */
bool probe_allows(const probe_answer *answer, char *reason, size_t size);

/* Gets the answer from a child process, with a time limit in seconds. In probe_child.c. */
void probe_child(const level_zero_driver *loader, unsigned seconds, probe_answer *ret);

/*
 * Returns the key of an answer: a text with everything that the answer depends on except the files
 * of the drivers. It names the loader's file, environment variables, the devices that the process
 * may open, and the files where drivers may be. The caller frees it; NULL without memory. In
 * probe_key.c.
 */
char *probe_key(const level_zero_driver *loader);

/* Calls use for each name by which the loader looks for drivers, until use returns false. */
void probe_driver_names(bool (*use)(const char *name, void *data), void *data);

/* Returns the stamp of a file. */
probe_stamp probe_stamp_of(const char *path);

/*
 * Reads the stored answer for a key; returns whether there is a usable one. It must be complete and
 * of this boot, its drivers' files must not have changed, and only this user may be able to write
 * the file and its directory. A hang counts for ten minutes only, because the machine may have been
 * busy. In probe_file.c.
 */
bool probe_recall(const char *key, probe_answer *ret);

/* Stores an answer; ignores failures. */
void probe_remember(const char *key, const probe_answer *answer);

#endif
