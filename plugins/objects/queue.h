/* Queues. */
#ifndef PI_OBJECTS_QUEUE_H
#define PI_OBJECTS_QUEUE_H

#include "driver_parts.h"
#include "handle.h"

struct pi_queue_object {
  pi_handle handle;
  atomic_uint users; /* one for the handle's references together, one for each event */
  bool is_in_order;
  bool has_profiling;
  pi_context context; /* a reference */
  pi_device device;
  pi_queue_properties flags;
  pi_queue origin; /* of a native handle that is of one of ours: a reference to that queue */
  struct driver_queue driver;
};

#endif
