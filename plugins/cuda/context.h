/* A context of CUDA on the thread that calls, and its clock. */
#ifndef CUDA_CONTEXT_H
#define CUDA_CONTEXT_H

#include "../objects/context.h"
#include "device.h"

/*
 * Makes the context current on this thread, where it stays: CUDA leaves it to each user of a thread
 * to set the context it needs, and putting the previous one back would double the cost of a launch.
 */
static inline pi_result cuda_enter(pi_context context) {
  CUcontext current = NULL;
  CU_TRY(CtxGetCurrent, &current);
  if (__builtin_expect(current != context->driver.context, 0))
    CU_TRY(CtxSetCurrent, context->driver.context);
  return PI_SUCCESS;
}

/*
 * When an event of the context happened, in nanoseconds of the clock that piGetDeviceAndHostTimer
 * reads as the device's; see clock.h. The event was made with timing and is complete.
 */
static inline pi_result context_time(pi_context context, CUevent event, pi_uint64 *ret) {
  return clock_time(context->driver.clock, event, ret);
}

#endif
