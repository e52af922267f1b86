/*
 * FAKE_ZE_NULL=1: commands complete at once and do nothing. Functions that a launch needs only
 * count their calls, without a lock, a thread or a check of handles. It is for benchmarks that
 * exclude the driver's time; results of commands mean nothing.
 */
#include "fake.h"

#include <stdlib.h>

#define NULL_FUNCTIONS(X)                                                                          \
  X(zeCommandListClose)                                                                            \
  X(zeCommandListReset)                                                                            \
  X(zeCommandListAppendBarrier)                                                                    \
  X(zeCommandListAppendMemoryCopy)                                                                 \
  X(zeCommandListAppendMemoryFill)                                                                 \
  X(zeCommandListAppendSignalEvent)                                                                \
  X(zeCommandListAppendWaitOnEvents)                                                               \
  X(zeCommandListAppendEventReset)                                                                 \
  X(zeCommandListAppendLaunchKernel)                                                               \
  X(zeCommandListAppendLaunchCooperativeKernel)                                                    \
  X(zeCommandQueueExecuteCommandLists)                                                             \
  X(zeCommandQueueSynchronize)                                                                     \
  X(zeEventHostReset)                                                                              \
  X(zeEventHostSignal)                                                                             \
  X(zeEventHostSynchronize)                                                                        \
  X(zeEventQueryStatus)                                                                            \
  X(zeFenceHostSynchronize)                                                                        \
  X(zeFenceQueryStatus)                                                                            \
  X(zeFenceReset)                                                                                  \
  X(zeKernelSetArgumentValue)                                                                      \
  X(zeKernelSetGroupSize)                                                                          \
  X(zeKernelSetIndirectAccess)

#define NULL_FUNCTION(name)                                                                        \
  static ze_result_t null_##name(void) {                                                           \
    fake_count(FAKE_ID_##name);                                                                    \
    return ZE_RESULT_SUCCESS;                                                                      \
  }
NULL_FUNCTIONS(NULL_FUNCTION)
#undef NULL_FUNCTION

fake_function *fake_null(fake_id id) {
  static fake_function *const functions[FAKE_ID_COUNT] = {
#define NULL_FUNCTION(name) [FAKE_ID_##name] = (fake_function *)null_##name,
      NULL_FUNCTIONS(NULL_FUNCTION)
#undef NULL_FUNCTION
  };
  const char *wanted = getenv("FAKE_ZE_NULL");
  return wanted && strcmp(wanted, "1") == 0 ? functions[id] : NULL;
}
