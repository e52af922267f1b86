/* Queues: lifetime, native handles and queries. The commands are in other files (sink.h). */
#ifndef OBJECTS_QUEUE_H
#define OBJECTS_QUEUE_H

#include "../base/info.h"
#include "../checks/queue_flags.h"
#include "driver.h"
#include "driver_parts.h"
#include "handle.h"
#include "registry.h"

#include <pthread.h>

struct pi_queue_object {
  object_head handle;
  atomic_uint users; /* one for all references of PI, and one for each event */
  bool is_in_order;
  bool has_profiling;
  pi_context context; /* a reference */
  pi_device device;
  pi_queue_properties flags;
  _Atomic(const char *) latest_kernel; /* name from text_keep; NULL before the first launch */
  pi_queue origin; /* a reference to the queue whose native handle this stands for; or NULL */
  registry_link noted;
  bool is_synchronous;   /* Level Zero's entries wait for each command; of no effect elsewhere */
  pthread_mutex_t lists; /* held while Level Zero's command lists are put into the queue */
  struct driver_queue driver;
};

/*
 * A new queue with one reference; index is the compute index from queue_read_properties. Errors of
 * queue_check_flags and driver_queue_open; PI_ERROR_INVALID_QUEUE_PROPERTIES: the flags ask for a
 * queue on the device; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result queue_create(pi_context context, pi_device device, pi_queue_properties flags,
                       pi_uint32 index, pi_queue *ret);

/*
 * A queue around a native handle, which it destroys at its end if native->is_owned. If queue_native
 * returned the handle, the new queue instead holds a reference to that queue: the caller's if
 * native->is_owned, else a new one. If the handle is a queue itself (native.h), *ret is that queue,
 * with that reference. PI_ERROR_INVALID_CONTEXT, PI_ERROR_INVALID_DEVICE: the handle is of a queue
 * of another context or device.
 */
pi_result queue_adopt(pi_context context, pi_device device, const native_queue *native,
                      pi_queue_properties flags, pi_queue *ret);

/*
 * The kind of a queue's handle under Level Zero's name (native.h): an immediate command list. The
 * entries of ze/ take it as a command queue, too.
 */
enum { QUEUE_NATIVE_LIST = 1 };

/* The queue's native handle, and its kind. Errors of driver_queue_native and native_check. */
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

/* Destroys a queue that nobody uses any more. */
void queue_destroy(pi_queue queue);

/* Add or drop a use, which keeps the queue but is no reference of PI. The last one destroys it. */
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
