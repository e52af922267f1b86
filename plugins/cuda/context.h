/* A context: one CUcontext, the device's primary one or one of the application's, and its device.
 */
#ifndef PI_CUDA_CONTEXT_H
#define PI_CUDA_CONTEXT_H

#include "device.h"

struct pi_context_object {
  pi_handle handle;
  pi_device device;
  CUcontext context;
  bool is_primary;                  /* retained by cuDevicePrimaryCtxRetain */
  bool is_owned;                    /* to be destroyed with the last reference */
  struct context_deleter *deleters; /* of piextContextSetExtendedDeleter */
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

#endif
