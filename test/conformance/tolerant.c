/*
 * Preloaded for Intel's libpi_level_zero.so on the fake driver. That plugin breaks rules of Level
 * Zero that drivers do not check: its events outlive their pools, other objects outlive their
 * contexts, and it reuses fences a moment before their commands have ended. Here these calls
 * succeed, as on real drivers, so that the suite can test the rest of the plugin.
 */
#define _GNU_SOURCE /* RTLD_NEXT, nanosleep */
#include <level_zero/ze_api.h>

#include <dlfcn.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 1000 }; /* milliseconds */

/* C has no conversion between object and function pointers; POSIX lets a program copy the bytes. */
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
