/*
 * Preloaded for Intel's libpi_level_zero.so on the test driver: what that plugin does against the
 * letter of Level Zero, and drivers do not look at, succeeds here as it does there, so that the
 * suite sees the rest of the plugin. Its events outlive their pools, other objects their contexts,
 * and its fences are used again a moment before their commands have ended.
 */
#define _GNU_SOURCE /* RTLD_NEXT, nanosleep */
#include <level_zero/ze_api.h>

#include <dlfcn.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 1000 }; /* milliseconds */

/* C has no conversion between object and function pointers; copying the bytes is POSIX's way. */
#define TOLERANT(name, type, patience)                                                             \
  ze_result_t name(type handle) {                                                                  \
    static const struct timespec moment = {0, 1000 * 1000};                                        \
    __typeof__(name) *next;                                                                        \
    void *address = dlsym(RTLD_NEXT, #name);                                                       \
    memcpy(&next, &address, sizeof address);                                                       \
    ze_result_t result = next(handle);                                                             \
    for (int i = 0; i < (patience) && result == ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE; i++) {       \
      nanosleep(&moment, NULL);                                                                    \
      result = next(handle);                                                                       \
    }                                                                                              \
    return result == ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE ? ZE_RESULT_SUCCESS : result;            \
  }

TOLERANT(zeContextDestroy, ze_context_handle_t, 0)
TOLERANT(zeEventPoolDestroy, ze_event_pool_handle_t, 0)
TOLERANT(zeFenceDestroy, ze_fence_handle_t, PATIENCE)
TOLERANT(zeFenceReset, ze_fence_handle_t, PATIENCE)
