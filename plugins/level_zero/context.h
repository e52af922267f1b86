/* The parts of a context in Level Zero: the pools of its events. */
#ifndef LEVEL_ZERO_CONTEXT_H
#define LEVEL_ZERO_CONTEXT_H

#include "../objects/context.h"
#include "device.h"

struct event_pools;

/* The pools of events of a context, in event.c. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result event_pools_create(pi_context context);
/* NULL in driver.events is fine. No event of the context is alive. */
void event_pools_destroy(pi_context context);

#endif
