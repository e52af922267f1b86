/* The loop of the fault tests: every entry, with its 1st, 2nd, ... step failing. */
#ifndef SPECPI_TEST_FAULT_FAILURES_H
#define SPECPI_TEST_FAULT_FAILURES_H

#include "scenarios.h"

/* A way to make a step of a call fail. */
typedef struct fault {
  /* Before a call: its nth step, from 1, is to fail. */
  void (*arm)(unsigned long nth);
  /* After it; false when it had fewer steps. Fails the test when the call has leaked. */
  bool (*disarm)(void);
  /*
   * Fails the test when the call's result is not the right one for the failed step. False when
   * the call does without that step, and has succeeded.
   */
  bool (*judge)(const char *entry, unsigned long nth, pi_result result, const char *sentence);
  /* Whether the failed step came when a command could not be taken back; NULL: never. */
  bool (*is_late)(void);
} fault;

/*
 * Runs the scenario of one entry until no step fails. After a failed call the outputs are
 * untouched, no object is lost or left over, the world is as it was, and the same call
 * succeeds.
 */
void fail_each_step(const char *entry, pi_result (*call)(world *w), const fault *fault);

/*
 * One round of that: the nth step fails. False when there are fewer; the call has succeeded
 * then.
 */
bool fail_step(const char *entry, pi_result (*call)(world *w), const fault *fault,
               unsigned long nth);

/* How many steps have failed so far, of all entries: none means that the faults do not work. */
extern unsigned long failed_steps;

#endif
