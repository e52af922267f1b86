/* A CUDA context on the calling thread, and its clock. */
#ifndef CUDA_CONTEXT_H
#define CUDA_CONTEXT_H

#include "../objects/context.h"
#include "device.h"

/*
 * CUDA's contexts have one device. So a context of several root devices has a member context for
 * each, made when that device is first used: a program that uses one of eight devices pays for one.
 * A context of one device is its own member.
 */
pi_result context_make_member(pi_context context, pi_uint32 root, pi_context *ret)
    __attribute__((cold));

/* The member for a device of the context, without a reference. Errors of driver_context_create. */
static inline pi_result context_member(pi_context context, pi_device device, pi_context *ret) {
  if (__builtin_expect(!context->driver.members, 1)) {
    *ret = context;
    return PI_SUCCESS;
  }
  return context_make_member(context, context_root(context, device), ret);
}

/* The member of a root device if it exists; else NULL. */
static inline pi_context context_found_member(pi_context context, pi_uint32 root) {
  return context->driver.members
             ? atomic_load_explicit(&context->driver.members[root], memory_order_acquire)
             : context;
}

/* A member for host memory and questions about memory: an existing one, or else the first. */
pi_result context_any_member(pi_context context, pi_context *ret);

/* Waits for all commands of all devices of the context; the commands report their own failures. */
void context_synchronize(pi_context context);

/*
 * Makes the context current on this thread, and leaves it so: in CUDA every user of a thread sets
 * the context that it needs, and restoring the previous one would double the cost of a launch.
 * Takes any one of a context's members.
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
 * Time of an event of a device's context, in nanoseconds of the device's clock that
 * piGetDeviceAndHostTimer reads (clock.h). The event was made with timing and is complete.
 */
static inline pi_result context_time(pi_context member, CUevent event, pi_uint64 *ret) {
  return clock_time(member->driver.clock, event, ret);
}

#endif
