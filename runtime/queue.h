/* The object of a specpi_queue, and the source of its events. */
#ifndef SPECPI_QUEUE_H
#define SPECPI_QUEUE_H

#include "references.h"

#include <pthread.h>
#include <specpi/specpi.h>

/* A device's limits for launches; 0 for those that the driver does not report. */
typedef struct queue_limits {
  size_t group_size; /* maximum number of work-items of a group */
  size_t items[3];   /* the same in each dimension */
  uint64_t local_memory;
} queue_limits;

struct specpi_queue_object {
  references references;
  specpi_device device;
  const pi_function_table *pi;
  pi_context context; /* the context of the device */
  pi_queue handle;
  unsigned flags;
  queue_limits limits;
  pthread_mutex_t lock; /* protects free_events */
  specpi_event free_events;
};

/*
 * An event. While it has a handle, it has a reference to its queue. When it is released it becomes
 * one of the queue's free events, so that most commands need no new one.
 */
struct specpi_event_object {
  references references;
  specpi_queue queue;
  pi_event handle;
  specpi_event next; /* the next free event */
};

/* Takes a free event from the queue, or makes one. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result queue_take_event(specpi_queue queue, specpi_event *ret);

/* Adds an event without a handle to the queue's free events. */
void queue_give_event(specpi_queue queue, specpi_event event);

#endif
