#include "queue.h"

#include "driver_error.h"

#include <stdlib.h>

/* The public flags, with PI's flag for each. */
static const struct {
  unsigned bit;
  pi_queue_properties flag;
} flags_of_pi[] = {
#define SPECPI_QUEUE_FLAG(NAME, bit, flag) {bit, flag},
    SPECPI_QUEUE_FLAGS(SPECPI_QUEUE_FLAG)
#undef SPECPI_QUEUE_FLAG
};

/* The number of events that a new queue has. Programs rarely hold more at a time. */
enum { FIRST_EVENTS = 8 };

static pi_queue_properties flags_to_pi(unsigned flags, unsigned *unknown) {
  pi_queue_properties result = 0;
  *unknown = flags;
  for (size_t i = 0; i < sizeof flags_of_pi / sizeof flags_of_pi[0]; i++)
    if (flags & flags_of_pi[i].bit) {
      result |= flags_of_pi[i].flag;
      *unknown &= ~flags_of_pi[i].bit;
    }
  return result;
}

/* Reads a device's limits; 0 for those that the driver does not report. */
static queue_limits limits_of(specpi_device device) {
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  const pi_device handle = specpiDeviceGetHandle(device);
  queue_limits limits = {0};
  pi->piDeviceGetInfo(handle, PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE, sizeof limits.group_size,
                      &limits.group_size, NULL);
  pi->piDeviceGetInfo(handle, PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES, sizeof limits.items, limits.items,
                      NULL);
  pi->piDeviceGetInfo(handle, PI_DEVICE_INFO_LOCAL_MEM_SIZE, sizeof limits.local_memory,
                      &limits.local_memory, NULL);
  return limits;
}

static void free_events(specpi_event event) {
  while (event) {
    specpi_event next = event->next;
    free(event);
    event = next;
  }
}

specpi_result queue_take_event(specpi_queue queue, specpi_event *ret) {
  pthread_mutex_lock(&queue->lock);
  specpi_event event = queue->free_events;
  if (event)
    queue->free_events = event->next;
  pthread_mutex_unlock(&queue->lock);
  if (!event) {
    event = malloc(sizeof *event);
    if (!event)
      return error_memory();
  }
  references_init(&event->references);
  event->queue = queue;
  event->handle = NULL;
  event->next = NULL;
  *ret = event;
  return SPECPI_SUCCESS;
}

void queue_give_event(specpi_queue queue, specpi_event event) {
  pthread_mutex_lock(&queue->lock);
  event->next = queue->free_events;
  queue->free_events = event;
  pthread_mutex_unlock(&queue->lock);
}

static specpi_result make_events(specpi_queue queue) {
  for (int i = 0; i < FIRST_EVENTS; i++) {
    specpi_event event = malloc(sizeof *event);
    if (!event)
      return error_memory();
    queue_give_event(queue, event);
  }
  return SPECPI_SUCCESS;
}

specpi_result specpiQueueCreate(specpi_device device, unsigned flags, specpi_queue *queue) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(queue, "queue is NULL");
  unsigned unknown;
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, flags_to_pi(flags, &unknown), 0};
  ERROR_REQUIRE(unknown == 0, "flags is 0x%x, which has the unknown bits 0x%x", flags, unknown);
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));

  specpi_queue made = calloc(1, sizeof *made);
  if (!made)
    return error_memory();
  references_init(&made->references);
  pthread_mutex_init(&made->lock, NULL);
  made->device = device;
  made->pi = specpiDeviceGetFunctions(device);
  made->context = context;
  made->flags = flags;
  made->limits = limits_of(device);
  specpi_result result = make_events(made);
  if (result == SPECPI_SUCCESS) {
    const pi_result code = made->pi->piextQueueCreate(context, specpiDeviceGetHandle(device),
                                                      properties, &made->handle);
    if (code != PI_SUCCESS) {
      made->handle = NULL;
      result = driver_error(made->pi, code, "piextQueueCreate on %s with flags 0x%x",
                            specpiDeviceGetSelector(device), flags);
    }
  }
  if (result != SPECPI_SUCCESS) {
    specpiQueueRelease(made);
    return result;
  }
  *queue = made;
  return SPECPI_SUCCESS;
}

void specpiQueueRetain(specpi_queue queue) {
  if (queue)
    references_add(&queue->references);
}

void specpiQueueRelease(specpi_queue queue) {
  if (!queue || !references_drop(&queue->references))
    return;
  if (queue->handle)
    queue->pi->piQueueRelease(queue->handle);
  free_events(queue->free_events);
  pthread_mutex_destroy(&queue->lock);
  free(queue);
}

specpi_result specpiQueueFinish(specpi_queue queue) {
  ERROR_REQUIRE(queue, "queue is NULL");
  DRIVER_TRY(queue->pi, queue->pi->piQueueFinish(queue->handle), "piQueueFinish on %s",
             specpiDeviceGetSelector(queue->device));
  return SPECPI_SUCCESS;
}

specpi_device specpiQueueGetDevice(specpi_queue queue) {
  return queue ? queue->device : NULL;
}

unsigned specpiQueueGetFlags(specpi_queue queue) {
  return queue ? queue->flags : 0;
}

pi_queue specpiQueueGetHandle(specpi_queue queue) {
  return queue ? queue->handle : NULL;
}
