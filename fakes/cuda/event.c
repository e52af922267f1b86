/* Events of the fake CUDA driver. */
#include "work.h"

CUresult cuEventCreate(CUevent *ret, unsigned int flags) {
  FAKE_ENTER(cuEventCreate, CONTEXT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuEventCreate: the place for the event is NULL");
  const unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  FAKE_REQUIRE((flags & ~known) == 0, INVALID_VALUE, "cuEventCreate: unknown flags in 0x%x", flags);
  FAKE_REQUIRE(!(flags & CU_EVENT_INTERPROCESS) || (flags & CU_EVENT_DISABLE_TIMING), INVALID_VALUE,
               "cuEventCreate: an event for several processes has no times");
  if (flags & CU_EVENT_INTERPROCESS)
    return fake_deny(CUDA_ERROR_NOT_SUPPORTED, "cuEventCreate: no events for several processes");
  fake_event *event = fake_new(FAKE_EVENT, sizeof *event, fake_current(), false);
  event->flags = flags;
  *ret = FAKE_HANDLE(CUevent, event);
  return CUDA_SUCCESS;
}

void fake_event_end(fake_event *event) {
  fake_point_release(event->point);
  fake_delete(event);
}

CUresult cuEventDestroy(CUevent handle) {
  FAKE_ENTER(cuEventDestroy, LIVING);
  FAKE_FIND(fake_event, event, handle, EVENT);
  fake_event_end(event);
  return CUDA_SUCCESS;
}

static CUresult record_event(CUevent handle, CUstream stream_handle, unsigned flags) {
  FAKE_REQUIRE((flags & ~(unsigned)CU_EVENT_RECORD_EXTERNAL) == 0, INVALID_VALUE,
               "cuEventRecord: unknown flags in 0x%x", flags);
  FAKE_FIND(fake_event, event, handle, EVENT);
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(stream_handle, "cuEventRecord", &stream));
  FAKE_REQUIRE(event->head.context == stream->head.context, INVALID_HANDLE,
               "cuEventRecord: the event %lu and the stream %lu are of different contexts",
               event->head.serial, stream->head.serial);
  fake_point_release(event->point);
  event->point = fake_submit(stream, NULL, NULL);
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  FAKE_ENTER(cuEventRecord, CONTEXT);
  return record_event(event, stream, 0);
}

CUresult cuEventQuery(CUevent handle) {
  FAKE_ENTER(cuEventQuery, INIT);
  FAKE_FIND(fake_event, event, handle, EVENT);
  const CUresult sticky = event->head.context->sticky;
  if (event->point && !event->point->done)
    return CUDA_ERROR_NOT_READY;
  return sticky;
}

CUresult cuEventSynchronize(CUevent handle) {
  FAKE_ENTER(cuEventSynchronize, LIVING);
  FAKE_FIND(fake_event, event, handle, EVENT);
  fake_context *context = event->head.context;
  if (event->point)
    fake_point_wait(fake_point_retain(event->point));
  return context->sticky;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start_handle, CUevent end_handle) {
  FAKE_ENTER(cuEventElapsedTime, LIVING);
  FAKE_REQUIRE(milliseconds, INVALID_VALUE, "cuEventElapsedTime: the place for the time is NULL");
  FAKE_FIND(fake_event, start, start_handle, EVENT);
  FAKE_FIND(fake_event, end, end_handle, EVENT);
  FAKE_REQUIRE(start->head.context == end->head.context, INVALID_HANDLE,
               "cuEventElapsedTime: the events are of different contexts");
  FAKE_REQUIRE(!((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING), INVALID_HANDLE,
               "cuEventElapsedTime: an event was created without times");
  FAKE_REQUIRE(start->point && end->point, INVALID_HANDLE,
               "cuEventElapsedTime: an event was never recorded");
  if (!start->point->done || !end->point->done)
    return CUDA_ERROR_NOT_READY;
  FAKE_TRY(start->head.context->sticky);
  *milliseconds = (float)((double)(int64_t)(end->point->time - start->point->time) * 1e-6);
  return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream_handle, CUevent handle, unsigned int flags) {
  FAKE_ENTER(cuStreamWaitEvent, CONTEXT);
  FAKE_REQUIRE((flags & ~(unsigned)CU_EVENT_WAIT_EXTERNAL) == 0, INVALID_VALUE,
               "cuStreamWaitEvent: unknown flags in 0x%x", flags);
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(stream_handle, "cuStreamWaitEvent", &stream));
  FAKE_FIND(fake_event, event, handle, EVENT);
  if (event->point && !event->point->done)
    fake_point_release(fake_submit(stream, NULL, event->point));
  return CUDA_SUCCESS;
}
