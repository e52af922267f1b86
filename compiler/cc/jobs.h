/* Steps of a compilation side by side, each in a process of its own. */
#ifndef SPECPI_CC_JOBS_H
#define SPECPI_CC_JOBS_H

#include "image.h"

/* A job makes files: it runs in a process of its own, whose memory is lost. */
typedef struct cc_job {
  bool (*run)(cc_work *work, const void *data);
  const void *data;
  const char *file; /* what it is for, and */
  const char *what; /* what it does, for whoever waits at a terminal */
} cc_job;

/* Progress over all cc_jobs_run of a compilation. */
typedef struct cc_progress {
  bool shown;  /* on a terminal */
  bool colour; /* compilers are to write colours, as they do at a terminal */
  size_t done;
  size_t total;
} cc_progress;

/* The option of compilers that makes them. */
#define CC_COLOUR "-fdiagnostics-color=always"

/* Finds out whether there is a terminal that total steps are shown on. */
void cc_progress_open(const cc_work *work, size_t total, cc_progress *ret);

/*
 * Runs the jobs, as many at a time as the options say. What they print goes to stderr when they
 * have ended, in their order. After the first that fails the others are left alone, to be ended
 * with this process: false.
 */
bool cc_jobs_run(cc_work *work, const cc_job *jobs, size_t count);

#endif
