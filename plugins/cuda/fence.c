#include "fence.h"

#include <stdlib.h>

struct fence {
  struct fence *next;
  CUevent event;
  uint64_t number;
};

void fence_line_init(fence_line *line) {
  *line = (fence_line){0};
  line->last = &line->pending;
}

static void free_fences(struct fence *first) {
  for (struct fence *next; first; first = next) {
    next = first->next;
    cu.EventDestroy(first->event);
    free(first);
  }
}

void fence_line_end(fence_line *line) {
  free_fences(line->pending);
  free_fences(line->spare);
  if (line->join)
    cu.EventDestroy(line->join);
  if (line->stream)
    cu.StreamDestroy(line->stream);
}

/* ---- Streams ---- */

static pi_result open_stream(fence_line *line) {
  if (!line->join)
    CU_TRY(EventCreate, &line->join, CU_EVENT_DISABLE_TIMING);
  if (!line->stream)
    CU_TRY(StreamCreate, &line->stream, CU_STREAM_NON_BLOCKING);
  return PI_SUCCESS;
}

static pi_result join_stream(fence_line *line, CUstream stream) {
  TRY(open_stream(line));
  CU_TRY(EventRecord, line->join, stream);
  CU_TRY(StreamWaitEvent, line->stream, line->join, 0);
  return PI_SUCCESS;
}

/* Makes the line's stream wait for all streams of a queue that were used. */
static pi_result join_queue(fence_line *line, pi_queue queue) {
  CUstream stream;
  stream_use *use;
  for (unsigned place = 0; queue_next_stream(queue, &place, &stream, &use);) {
    if (!stream_take_use(use, UNFENCED))
      continue;
    const pi_result result = join_stream(line, stream);
    if (result != PI_SUCCESS) {
      stream_return_use(use, UNFENCED);
      return result;
    }
    line->has_joined = true;
  }
  return PI_SUCCESS;
}

void fence_line_add(fence_line *line, pi_queue queue) {
  queue->driver.next_open = line->queues;
  line->queues = queue;
}

void fence_line_remove(fence_line *line, pi_queue queue) {
  pi_queue *place = &line->queues;
  while (*place && *place != queue)
    place = &(*place)->driver.next_open;
  if (!*place)
    return;
  *place = queue->driver.next_open;
  /* Skips an adopted stream, because the application may have destroyed it already. */
  if (queue->driver.pool || queue->driver.is_owned)
    (void)join_queue(line, queue);
}

/* ---- Fences ---- */

static pi_result take_fence(fence_line *line, struct fence **ret) {
  struct fence *made = line->spare;
  if (made) {
    line->spare = made->next;
    *ret = made;
    return PI_SUCCESS;
  }
  made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a fence of %zu bytes", sizeof *made);
  const pi_result result = CU_CALL(EventCreate, &made->event, CU_EVENT_DISABLE_TIMING);
  if (result == PI_SUCCESS)
    *ret = made;
  else
    free(made);
  return result;
}

static void spare_fence(fence_line *line, struct fence *fence) {
  fence->next = line->spare;
  line->spare = fence;
}

static pi_result record_fence(fence_line *line) {
  struct fence *made;
  TRY(take_fence(line, &made));
  const pi_result result = CU_CALL(EventRecord, made->event, line->stream);
  if (result != PI_SUCCESS) {
    spare_fence(line, made);
    return result;
  }
  made->number = ++line->made;
  made->next = NULL;
  *line->last = made;
  line->last = &made->next;
  line->has_joined = false;
  return PI_SUCCESS;
}

pi_result fence_line_draw(fence_line *line, uint64_t *ret) {
  for (pi_queue queue = line->queues; queue; queue = queue->driver.next_open)
    TRY(join_queue(line, queue));
  if (line->has_joined)
    TRY(record_fence(line));
  *ret = line->made;
  return PI_SUCCESS;
}

pi_result fence_line_draw_event(fence_line *line, CUevent *ret) {
  uint64_t number;
  TRY(fence_line_draw(line, &number));
  CUevent latest = NULL;
  for (const struct fence *fence = line->pending; fence; fence = fence->next)
    latest = fence->event;
  *ret = latest;
  return PI_SUCCESS;
}

pi_result fence_line_follow(fence_line *line, CUevent event) {
  TRY(open_stream(line));
  CU_TRY(StreamWaitEvent, line->stream, event, 0);
  line->has_joined = true;
  return PI_SUCCESS;
}

bool fence_line_passed(fence_line *line, uint64_t number) {
  for (struct fence *first; line->passed < number && (first = line->pending) != NULL;) {
    if (cu.EventQuery(first->event) == CUDA_ERROR_NOT_READY)
      return false;
    line->passed = first->number;
    line->pending = first->next;
    if (!line->pending)
      line->last = &line->pending;
    spare_fence(line, first);
  }
  return true;
}
