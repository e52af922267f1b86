/* Failures on demand, for tests of the code that all plugins share. */
#ifndef NULL_FAIL_H
#define NULL_FAIL_H

#include <pi/pi.h>

/* Steps that a test can make fail. A build fails with PI_ERROR_BUILD_PROGRAM_FAILURE. */
typedef enum null_failure { NULL_ALLOCATION, NULL_COMMAND, NULL_BUILD, NULL_FAILURES } null_failure;

/* Makes the nth such step from now on fail (1 is the next one). 0 cancels that. */
void null_fail(null_failure what, unsigned nth);

/* Returns PI_SUCCESS, or the failure that null_fail asked for. Called before each such step. */
pi_result null_may(null_failure what);

#endif
