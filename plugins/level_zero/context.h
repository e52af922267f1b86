/* Contexts: one ze_context_handle_t and the devices that share it. */
#ifndef PI_LEVEL_ZERO_CONTEXT_H
#define PI_LEVEL_ZERO_CONTEXT_H

#include "device.h"

struct event_pools;

/*
 * A root device of a context has an index there, by which a build finds its module and a kernel its
 * ze_kernel_handle_t; a part uses its root's.
 */
struct pi_context_object {
  pi_handle handle;
  pi_platform platform;
  ze_context_handle_t context;
  bool is_owned;     /* destroyed with the object */
  pi_context origin; /* whose handle it is, of one made from another one's: a reference */
  pi_context next;   /* among those that own their handle; context.c */
  pi_uint32 device_count;
  pi_device *devices; /* as the application gave them: roots and parts */
  pi_uint32 root_count;
  pi_device *roots;           /* their root devices, each once */
  bool shares_device_memory;  /* every root can reach the memory of every other one */
  struct event_pools *events; /* of event.c */
  _Atomic(struct context_deleter *) deleters; /* of piextContextSetExtendedDeleter */
};

/* Whether a device is one of the context's, or a part of one. */
bool context_has(pi_context context, pi_device device);

/* The index of a device's root in context->roots; the device is one of the context's. */
pi_uint32 context_root(pi_context context, pi_device device);

/* One more reference, and one less; the last one destroys what the context owns. */
static inline void context_retain(pi_context context) {
  pi_handle_retain(&context->handle);
}
void context_release(pi_context context);

/* The pools of events of a context, in event.c. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result event_pools_create(pi_context context);
/* NULL in context->events is fine. No event of the context is alive. */
void event_pools_destroy(pi_context context);

#endif
