/*
 * For every entry of the table a call of it in a world: call_<entry>, in the files
 * scenarios_*.c. An entry without one does not link.
 *
 * A call writes to nothing but w->out, and what it uses up it takes from w->spare. It
 * returns PI_SUCCESS also where the entry answers, as it should, that OpenCL cannot do it.
 */
#ifndef SPECPI_TEST_FAULT_SCENARIOS_H
#define SPECPI_TEST_FAULT_SCENARIOS_H

#include "world.h"

#define PI_FUNCTION(name, since, parameters, arguments) pi_result call_##name(world *w);
#include <pi/pi_functions.def>

/* Begins a scenario. */
#define CALL(name) pi_result call_##name(world *w)

/* For what OpenCL has nothing for: any other answer is the test's failure. */
static inline pi_result expect_unsupported(pi_result result) {
  return result == PI_ERROR_UNSUPPORTED_FEATURE ? PI_SUCCESS : PI_ERROR_UNKNOWN;
}

#endif
