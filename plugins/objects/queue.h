/* Queues. */
#ifndef OBJECTS_QUEUE_H
#define OBJECTS_QUEUE_H

#include "../base/info.h"
#include "../checks/queue_flags.h"
#include "driver.h"
#include "driver_parts.h"
#include "handle.h"
#include "registry.h"

struct pi_queue_object {
  object_head handle;
  atomic_uint users; /* one for all references of the handle, one for each event */
  bool is_in_order;
  bool has_profiling;
  pi_context context; /* a reference */
  pi_device device;
  pi_queue_properties flags;
  _Atomic(const char *) latest_kernel; /* its name, of text_keep; NULL before the first launch */
  pi_queue origin; /* the queue of ours whose native handle this is made from: a reference */
  registry_link noted;
  struct driver_queue driver;
};

/*
 * A new queue with one reference; index is queue_read_properties'. Errors of queue_check_flags and
 * driver_queue_open; PI_ERROR_INVALID_QUEUE_PROPERTIES: a queue on the device;
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result queue_create(pi_context context, pi_device device, pi_queue_properties flags,
                       pi_uint32 index, pi_queue *ret);

/*
 * A queue around a native handle, which is destroyed with the queue if native owns it. If the
 * handle is of a queue of ours, the new queue holds a reference to that one instead: the caller's,
 * or its own.
 */
pi_result queue_adopt(pi_context context, pi_device device, const native_queue *native,
                      pi_queue_properties flags, pi_queue *ret);

/* The queue's native handle, and its kind. Errors are driver_queue_native's. */
pi_result queue_native(pi_queue queue, pi_native_handle *ret, int32_t *desc);

/* Add or drop a reference of PI. */
static inline void queue_retain(pi_queue queue) {
  object_retain(&queue->handle);
}
static inline void queue_release(pi_queue queue) {
  if (!object_release(&queue->handle))
    return;
  registry_forget(&queue->noted);
  driver_queue_leave(queue);
}

/* Ends a queue that nobody uses any more. */
void queue_destroy(pi_queue queue);

/* Uses of a queue that are no references of PI; the last one destroys it. */
static inline void queue_add_use(pi_queue queue) {
  atomic_fetch_add_explicit(&queue->users, 1, memory_order_relaxed);
}
static inline void queue_drop_use(pi_queue queue) {
  if (atomic_fetch_sub_explicit(&queue->users, 1, memory_order_acq_rel) == 1)
    queue_destroy(queue);
}

/* Waits until all commands of the queue have ended; returns the first failure. */
pi_result queue_finish(pi_queue queue);

/* The answers of piQueueGetInfo; answer is checked. */
pi_result queue_answer(pi_queue queue, const info_answer *answer, pi_queue_info query);

#endif
