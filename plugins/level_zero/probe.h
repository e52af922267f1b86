/*
 * Finds out whether the loader's drivers can be called at all. Some end the process: a driver may
 * crash in zeInit or zeDriverGet on a machine whose GPU is missing. So the first calls are made in
 * a child process, once for each boot of the machine and set of driver files; the answer is
 * remembered in a file of the user's cache, so that later processes need no child.
 *
 * probe.c combines the parts: probe_child.c runs the child, probe_key.c builds the key of an
 * answer, probe_file.c stores answers.
 */
#ifndef LEVEL_ZERO_PROBE_H
#define LEVEL_ZERO_PROBE_H

#include "driver.h"

#include <limits.h>

/* X(NAME, "what the child was in"): its steps, in their order. */
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
  X(WORKS)   /* all steps were made; what the calls returned does not matter */                    \
  X(SIGNAL)  /* a signal ended it: number is which one */                                          \
  X(EXIT)    /* the driver called exit: number is the status */                                    \
  X(HANGS)   /* the time limit ended it */                                                         \
  X(UNKNOWN) /* no child could be made: number is errno */

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
  probe_step step; /* the one that it ended in; PROPERTIES for WORKS */
  int number;
  unsigned init; /* what zeInit returned, a ze_result_t; 0 before it has */
  unsigned file_count;
  probe_file files[PROBE_MOST_FILES];
} probe_answer;

/*
 * Fills in the answer for the loader's functions: remembered, or by a child. Takes no longer than
 * SPECPI_LEVEL_ZERO_PROBE_SECONDS (10 by default). Any thread, any number of processes at once.
 */
void probe_ask(const level_zero_driver *loader, probe_answer *ret);

/*
 * Returns whether the process may call the driver, which then has a zeInit that succeeds; else
 * writes the reason as a message, cut at size bytes.
 */
bool probe_allows(const probe_answer *answer, char *reason, size_t size);

/* In probe_child.c: asks a child, which gets this many seconds. */
void probe_child(const level_zero_driver *loader, unsigned seconds, probe_answer *ret);

/*
 * In probe_key.c: all that an answer depends on but the files of the drivers, as a text that the
 * caller frees: the loader's file, variables of the environment, the devices that may be opened,
 * where drivers may lie. NULL without memory.
 */
char *probe_key(const level_zero_driver *loader);

/* The names by which the loader looks for drivers: calls use for each until it returns false. */
void probe_driver_names(bool (*use)(const char *name, void *data), void *data);

/* The stamp of a file. */
probe_stamp probe_stamp_of(const char *path);

/*
 * In probe_file.c: the answer for a key from this boot, if there is one to be trusted: of files of
 * this user in a directory that nobody else can write, whole, and with drivers that are still the
 * same. A hang counts for ten minutes only: the machine may have been busy.
 */
bool probe_recall(const char *key, probe_answer *ret);

/* Keeps an answer; without a word where that is not possible. */
void probe_remember(const char *key, const probe_answer *answer);

#endif
