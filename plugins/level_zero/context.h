/* The event pools of a context. */
#ifndef LEVEL_ZERO_CONTEXT_H
#define LEVEL_ZERO_CONTEXT_H

#include "../objects/context.h"
#include "device.h"

struct event_pools;

/* Creates the event pools of a context. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result event_pools_create(pi_context context);
/* Destroys the event pools; driver.events may be NULL. No event of the context is alive. */
void event_pools_destroy(pi_context context);

#endif
