/* The loop of the fault tests: every entry point, with its 1st, 2nd, ... step failing. */
#ifndef SPECPI_TEST_FAULT_FAILURES_H
#define SPECPI_TEST_FAULT_FAILURES_H

#include "scenarios.h"

/* Functions that make a step of a call fail. */
typedef struct fault {
  /* Called before a call: its nth step, counted from 1, will fail. */
  void (*arm)(unsigned long nth);
  /* Called after the call. Returns false if it had fewer steps; fails the test if it leaked. */
  bool (*disarm)(void);
  /*
   * Fails the test if the call's result is wrong for the failed step. Returns false if the call
   * does not need that step, and has succeeded.
   */
  bool (*judge)(const char *entry, unsigned long nth, pi_result result, const char *sentence);
  /* Returns whether the step failed after a command that cannot be taken back; NULL: never. */
  bool (*is_late)(void);
} fault;

/*
 * Runs the scenario of one entry point until no step fails. After a failed call the outputs are
 * untouched, no object is lost or left over, the fixture is as before, and the same call succeeds.
 */
void fail_each_step(const char *entry, pi_result (*call)(world *w), const fault *fault);

/*
 * Runs the scenario once, with the nth step failing. Returns false if the call has fewer steps, and
 * so has succeeded.
 */
bool fail_step(const char *entry, pi_result (*call)(world *w), const fault *fault,
               unsigned long nth);

/* Number of steps of all entry points that failed so far. If it is 0, the faults do not work. */
extern unsigned long failed_steps;

#endif
