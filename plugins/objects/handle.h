/*
 * Reference-counted handles: the first member of every object that the plugin makes. (Plugin opencl
 * uses the driver's objects as handles, with the driver's counts.)
 */
#ifndef OBJECTS_HANDLE_H
#define OBJECTS_HANDLE_H

#include <pi/pi.h>

#include <stdatomic.h>
#include <stddef.h>

/* Kinds of objects. The numbers are unusual, so that a wrong or released handle is recognized. */
typedef enum object_kind {
  OBJECT_RELEASED = 0,
  OBJECT_PLATFORM = 0x50490001,
  OBJECT_DEVICE,
  OBJECT_CONTEXT,
  OBJECT_QUEUE,
  OBJECT_MEM,
  OBJECT_PROGRAM,
  OBJECT_KERNEL,
  OBJECT_EVENT,
  OBJECT_SAMPLER,
  OBJECT_COMMAND_BUFFER,
  OBJECT_COMMAND,
  OBJECT_PHYSICAL_MEM,
  OBJECT_USM_POOL,
  OBJECT_ADAPTER,
  OBJECT_SIGNAL, /* from here on objects of ze/ */
  OBJECT_SIGNAL_POOL,
  OBJECT_FENCE,
  OBJECT_LIST,
} object_kind;

typedef struct object_head {
  /*
   * object_face. Unified Runtime's loader reads the first word of every handle, and finds in it the
   * table by which it calls the handle's adapter.
   */
  const void *face;
  atomic_uint kind;
  atomic_uint references;
} object_head;

/* The first word of this library's objects (object_head): a table in UR, NULL in PI. */
extern const void *const object_face;

/* The structure that contains the member at place. */
#define OWNER_OF(place, type, member) ((type *)(void *)((char *)(place)-offsetof(type, member)))

/* Initializes a handle with one reference. */
static inline void object_init(object_head *handle, object_kind kind) {
  handle->face = object_face;
  atomic_init(&handle->kind, kind);
  atomic_init(&handle->references, 1);
}

/*
 * Returns whether handle is a live handle of that kind and of this library; false for NULL. Reads
 * the memory there, so it recognizes most wrong pointers, not all.
 */
static inline bool object_is(const object_head *handle, object_kind kind) {
  return handle && handle->face == object_face &&
         atomic_load_explicit(&handle->kind, memory_order_relaxed) == (unsigned)kind;
}

static inline pi_uint32 object_references(const object_head *handle) {
  return atomic_load_explicit(&handle->references, memory_order_relaxed);
}

static inline void object_retain(object_head *handle) {
  atomic_fetch_add_explicit(&handle->references, 1, memory_order_relaxed);
}

/*
 * Gives up a reference; returns true if it was the last one and the caller must destroy the object.
 */
static inline bool object_release(object_head *handle) {
  if (atomic_fetch_sub_explicit(&handle->references, 1, memory_order_acq_rel) != 1)
    return false;
  atomic_store_explicit(&handle->kind, OBJECT_RELEASED, memory_order_relaxed);
  return true;
}

#endif
