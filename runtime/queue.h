/* The object of a specpi_queue, and the source of its events. */
#ifndef SPECPI_QUEUE_H
#define SPECPI_QUEUE_H

#include "references.h"

#include <pthread.h>
#include <specpi/specpi.h>

/* The device's limits for a launch; 0 where the driver does not report one. */
typedef struct queue_limits {
  size_t group_size; /* work-items of a group */
  size_t items[3];   /* the same for each dimension */
  uint64_t local_memory;
} queue_limits;

struct specpi_queue_object {
  references references;
  specpi_device device;
  const pi_function_table *pi;
  pi_context context; /* the device's */
  pi_queue handle;
  unsigned flags;
  queue_limits limits;
  pthread_mutex_t lock; /* of what follows */
  specpi_event free_events;
};

/*
 * An event. It holds its queue while it has a handle. Between two uses it is one of the
 * queue's free events, so that most commands need no new one.
 */
struct specpi_event_object {
  references references;
  specpi_queue queue;
  pi_event handle;
  specpi_event next; /* among the free events */
};

/* Takes a free event from the queue, or makes one. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result queue_take_event(specpi_queue queue, specpi_event *ret);

/* Puts an event without a handle back among the free ones. */
void queue_give_event(specpi_queue queue, specpi_event event);

#endif
