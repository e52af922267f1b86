/* Contexts: there is nothing in them but their devices. */
#include "../objects/context.h"

#include "../base/error.h"
#include "../objects/driver.h"

/* The native handle is an address of the process's. */
pi_result driver_context_create(pi_context context) {
  context->native = (pi_native_handle)context;
  return PI_SUCCESS;
}

pi_result driver_context_device(pi_native_handle native, pi_device *ret) {
  return pi_error(PI_ERROR_INVALID_CONTEXT, "0x%zx is no context of the null driver",
                  (size_t)native);
}

/* All that there are are ours, and found before. */
pi_result driver_context_adopt(pi_context context, bool with_ownership) {
  return driver_context_device(context->native, NULL);
}
