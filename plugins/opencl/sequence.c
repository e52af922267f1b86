#include "sequence.h"

void sequence_begin(sequence *sequence, sink *sink) {
  sequence->sink = sink;
  sequence->queue = cl_from_queue(sink->queue);
  sequence->wait = (sequence_wait){CL_WAIT_LIST};
  sequence->barrier = NULL;
  sequence->count = 0;
}

/* Replaces the events by one marker over them, or over the wait list if there are no events. */
static pi_result collapse(sequence *sequence) {
  if (sequence->count == 1)
    return PI_SUCCESS;
  const bool empty = sequence->count == 0;
  cl_event marker;
  TRY(CL_CALL(EnqueueMarkerWithWaitList, sequence->queue,
              empty ? sequence->wait.count : sequence->count,
              empty ? sequence->wait.list : sequence->events, &marker));
  for (cl_uint i = 0; i < sequence->count; i++)
    cl.ReleaseEvent(sequence->events[i]);
  sequence->events[0] = marker;
  sequence->count = 1;
  return PI_SUCCESS;
}

pi_result sequence_add(sequence *sequence, cl_int code, const char *call) {
  TRY(cl_result(code, call));
  if (!sequence->events[sequence->count]) /* the command has nothing to do, so there is no event */
    return PI_SUCCESS;
  sequence->count++;
  return sequence->count == SEQUENCE_EVENTS ? collapse(sequence) : PI_SUCCESS;
}

pi_result sequence_order(sequence *sequence) {
  TRY(collapse(sequence));
  if (sequence->barrier)
    cl.ReleaseEvent(sequence->barrier);
  sequence->barrier = sequence->events[0];
  sequence->count = 0;
  sequence->wait = (sequence_wait){1, &sequence->barrier};
  return PI_SUCCESS;
}

static void release_all(sequence *sequence) {
  if (sequence->barrier)
    cl.ReleaseEvent(sequence->barrier);
  for (cl_uint i = 0; i < sequence->count; i++)
    cl.ReleaseEvent(sequence->events[i]);
}

pi_result sequence_end(sequence *sequence, pi_result result) {
  const sink *sink = sequence->sink;
  if (result == PI_SUCCESS && (sink->event || sink->is_blocking))
    result = collapse(sequence);
  if (result != PI_SUCCESS) {
    if (sequence->barrier)
      cl.WaitForEvents(1, &sequence->barrier);
    if (sequence->count != 0)
      cl.WaitForEvents(sequence->count, sequence->events);
  } else if (sink->is_blocking) {
    result = CL_CALL(WaitForEvents, 1, sequence->events);
  }
  if (result == PI_SUCCESS && sink->event) {
    *sink->event = pi_from_cl_event(sequence->events[0]);
    sequence->count = 0;
  }
  release_all(sequence);
  return result;
}
