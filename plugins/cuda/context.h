/* A context: one CUcontext, the device's primary one or one of the application's, and its device.
 */
#ifndef PI_CUDA_CONTEXT_H
#define PI_CUDA_CONTEXT_H

#include "device.h"

struct pi_context_object {
  pi_handle handle;
  pi_device device;
  CUcontext context;
  bool is_primary;         /* the device's; a reference of cuDevicePrimaryCtxRetain */
  bool is_owned;           /* one of the application's, to be destroyed with the last reference */
  const cuda_clock *clock; /* the device's for its primary context, else own_clock */
  cuda_clock own_clock;
  struct context_gates *gates;                /* of user events, see gate.h */
  struct transfer_staged *staged;             /* copies under way, see transfer_host.c */
  pi_mem retired;                             /* to be freed, see memory_free_retired */
  struct cuda_build *retired_builds;          /* the same of code, see build_free_retired */
  _Atomic(struct context_deleter *) deleters; /* of piextContextSetExtendedDeleter */
};

/*
 * Makes the context current on this thread, where it stays: CUDA leaves it to each user of a thread
 * to set the context it needs, and putting the previous one back would double the cost of a launch.
 */
static inline pi_result cuda_enter(pi_context context) {
  CUcontext current = NULL;
  CU_TRY(CtxGetCurrent, &current);
  if (__builtin_expect(current != context->context, 0))
    CU_TRY(CtxSetCurrent, context->context);
  return PI_SUCCESS;
}

/* One more reference, and one less; the last one destroys what the context owns. */
static inline void context_retain(pi_context context) {
  pi_handle_retain(&context->handle);
}
void context_release(pi_context context);

/*
 * When an event of the context happened, in nanoseconds of the clock that piGetDeviceAndHostTimer
 * reads as the device's; see clock.h. The event was made with timing and is complete.
 */
static inline pi_result context_time(pi_context context, CUevent event, pi_uint64 *ret) {
  return clock_time(context->clock, event, ret);
}

#endif
