/*
 * Reference-counted handles: the first member of every object that a plugin makes
 * itself (an object that is the driver's own handle has the driver's count instead).
 */
#ifndef PI_OBJECTS_HANDLE_H
#define PI_OBJECTS_HANDLE_H

#include <pi/pi.h>

#include <stdatomic.h>
#include <stddef.h>

/* A kind of object. The numbers make a wrong or released handle unlikely to pass. */
typedef enum pi_handle_kind {
  PI_HANDLE_RELEASED = 0,
  PI_HANDLE_PLATFORM = 0x50490001,
  PI_HANDLE_DEVICE,
  PI_HANDLE_CONTEXT,
  PI_HANDLE_QUEUE,
  PI_HANDLE_MEM,
  PI_HANDLE_PROGRAM,
  PI_HANDLE_KERNEL,
  PI_HANDLE_EVENT,
  PI_HANDLE_SAMPLER,
  PI_HANDLE_COMMAND_BUFFER,
} pi_handle_kind;

typedef struct pi_handle {
  /*
   * The table by which the loader of Unified Runtime calls an object's adapter: it reads the first
   * word of every handle. NULL in an object of PI's.
   */
  const void *face;
  atomic_uint kind;
  atomic_uint references;
} pi_handle;

/* A new handle with one reference. */
static inline void pi_handle_init(pi_handle *handle, pi_handle_kind kind) {
  handle->face = NULL;
  atomic_init(&handle->kind, kind);
  atomic_init(&handle->references, 1);
}

/*
 * Whether handle is a live handle of that kind. NULL is not. A wrong pointer is found
 * out as far as its bytes differ; this is a help for the caller, not a guarantee.
 */
static inline bool pi_handle_is(const pi_handle *handle, pi_handle_kind kind) {
  return handle && atomic_load_explicit(&handle->kind, memory_order_relaxed) == (unsigned)kind;
}

static inline pi_uint32 pi_handle_references(const pi_handle *handle) {
  return atomic_load_explicit(&handle->references, memory_order_relaxed);
}

static inline void pi_handle_retain(pi_handle *handle) {
  atomic_fetch_add_explicit(&handle->references, 1, memory_order_relaxed);
}

/* Gives up one reference; true when it was the last one and the object must be destroyed. */
static inline bool pi_handle_release(pi_handle *handle) {
  if (atomic_fetch_sub_explicit(&handle->references, 1, memory_order_acq_rel) != 1)
    return false;
  atomic_store_explicit(&handle->kind, PI_HANDLE_RELEASED, memory_order_relaxed);
  return true;
}

#endif
