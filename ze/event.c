/* Entries for events, which belong to commands of a SYCL runtime. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "../plugins/objects/event.h"

#include "../plugins/base/os.h"
#include "ze.h"

#include <time.h>

static ze_result_t status_result(pi_int32 status) {
  if (status == PI_EVENT_COMPLETE)
    return ZE_RESULT_SUCCESS;
  return status > PI_EVENT_COMPLETE ? ZE_RESULT_NOT_READY : ze_answer((pi_result)status);
}

ze_result_t zeEventQueryStatus(ze_event_handle_t hEvent) {
  ZE_REQUIRE_HANDLE(hEvent, EVENT);
  return status_result(event_status(event_of(hEvent)));
}

/* Polls an event for at most timeout nanoseconds, because drivers have no wait with a limit. */
static ze_result_t wait_until(pi_event event, uint64_t timeout) {
  const uint64_t begin = os_time_ns();
  ze_result_t result;
  while ((result = status_result(event_status(event))) == ZE_RESULT_NOT_READY &&
         os_time_ns() - begin < timeout)
    nanosleep(&(struct timespec){0, 20000}, NULL);
  return result;
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t hEvent, uint64_t timeout) {
  ZE_REQUIRE_HANDLE(hEvent, EVENT);
  if (timeout != UINT64_MAX)
    return wait_until(event_of(hEvent), timeout);
  ZE_TRY(events_wait(1, &(pi_event){event_of(hEvent)}));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventDestroy(ze_event_handle_t hEvent) {
  ZE_REQUIRE_HANDLE(hEvent, EVENT);
  event_release(event_of(hEvent));
  return ZE_RESULT_SUCCESS;
}
