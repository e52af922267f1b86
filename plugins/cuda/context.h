/* A CUDA context on the calling thread, and its clock. */
#ifndef CUDA_CONTEXT_H
#define CUDA_CONTEXT_H

#include "../objects/context.h"
#include "device.h"

/*
 * Returns the member of a context for one root device, and makes it if there is none yet. A
 * CUcontext has only one device, so a PI context of several root devices has a member context for
 * each one. A member is made when its device is first used, so that unused devices cost nothing. A
 * context of one device is its own member.
 */
pi_result context_make_member(pi_context context, pi_uint32 root, pi_context *ret)
    __attribute__((cold));

/* The same for a device of the context. Adds no reference. Errors of driver_context_create. */
static inline pi_result context_member(pi_context context, pi_device device, pi_context *ret) {
  if (__builtin_expect(!context->driver.members, 1)) {
    *ret = context;
    return PI_SUCCESS;
  }
  return context_make_member(context, context_root(context, device), ret);
}

/* Returns the member of a root device, or NULL if there is none yet. */
static inline pi_context context_found_member(pi_context context, pi_uint32 root) {
  return context->driver.members
             ? atomic_load_explicit(&context->driver.members[root], memory_order_acquire)
             : context;
}

/* Returns any member, for uses that need no certain device. Makes the first one if none exists. */
pi_result context_any_member(pi_context context, pi_context *ret);

/* Waits for all commands on all devices of the context. Their events report failures. */
void context_synchronize(pi_context context);

/*
 * Makes the context current on this thread, and leaves it current: CUDA expects all code to set the
 * context that it needs, and restoring the previous one would double the cost of a launch. For a
 * context of several devices it makes any member current.
 */
static inline pi_result cuda_enter(pi_context context) {
  CUcontext current = NULL;
  if (__builtin_expect(context->driver.members != NULL, 0))
    TRY(context_any_member(context, &context));
  CU_TRY(CtxGetCurrent, &current);
  if (__builtin_expect(current != context->driver.context, 0))
    CU_TRY(CtxSetCurrent, context->driver.context);
  return PI_SUCCESS;
}

/* The same for the member of a device. */
static inline pi_result cuda_enter_device(pi_context context, pi_device device) {
  TRY(context_member(context, device, &context));
  return cuda_enter(context);
}

/*
 * Returns an event's time in nanoseconds of the clock that piGetDeviceAndHostTimer reads (clock.h).
 * The event is of the member's CUcontext, was made with timing, and is complete.
 */
static inline pi_result context_time(pi_context member, CUevent event, pi_uint64 *ret) {
  return clock_time(member->driver.clock, event, ret);
}

#endif
