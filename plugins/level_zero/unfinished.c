/*
 * Entries that are not written yet, each of which says so. A definition in another file takes the
 * place of the one here; this file goes when none is left.
 */
#include "context.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  __attribute__((weak)) pi_result name parameters {                                                \
    return LEVEL_ZERO_UNSUPPORTED(#name " is not here yet");                                       \
  }
#include <pi/pi_functions.def>

__attribute__((weak)) pi_result event_pools_create(pi_context context) {
  return PI_SUCCESS;
}

__attribute__((weak)) void event_pools_destroy(pi_context context) {}

#include "memory.h"

__attribute__((weak)) void image_destroy(pi_mem mem) {
  (void)mem;
}

__attribute__((weak)) pi_result image_native_handle(pi_mem mem, pi_native_handle *native_handle) {
  return LEVEL_ZERO_UNSUPPORTED("images are not here yet");
}
