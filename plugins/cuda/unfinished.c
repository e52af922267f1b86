/*
 * Entries that are not written yet, each of which says so. A definition in another file takes the
 * place of the one here; this file goes when none is left.
 */
#include "memory.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  __attribute__((weak)) pi_result name parameters {                                                \
    return CUDA_UNSUPPORTED(#name " is not here yet");                                             \
  }
#include <pi/pi_functions.def>

__attribute__((weak)) void image_destroy(pi_mem mem) {}

__attribute__((weak)) pi_result image_native_handle(pi_mem mem, pi_native_handle *native_handle) {
  return CUDA_UNSUPPORTED("images are not here yet");
}
