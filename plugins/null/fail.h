/* Failures on demand, for tests of what the plugins share. */
#ifndef NULL_FAIL_H
#define NULL_FAIL_H

#include <pi/pi.h>

/* Calls that can be made to fail; a build with PI_ERROR_BUILD_PROGRAM_FAILURE. */
typedef enum null_failure { NULL_ALLOCATION, NULL_COMMAND, NULL_BUILD, NULL_FAILURES } null_failure;

/* Makes the nth call from now on (1 is the next) fail, once; 0 takes that back. */
void null_fail(null_failure what, unsigned nth);

/* Called by a driver's verb before it does such a thing: PI_SUCCESS, or the failure. */
pi_result null_may(null_failure what);

#endif
