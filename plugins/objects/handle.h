/*
 * Reference-counted handles: the first member of every object that the plugin itself makes. (An
 * object that is the driver's own handle has the driver's count instead.)
 */
#ifndef OBJECTS_HANDLE_H
#define OBJECTS_HANDLE_H

#include <pi/pi.h>

#include <stdatomic.h>
#include <stddef.h>

/* A kind of object. The numbers make a wrong or released handle unlikely to pass. */
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
} object_kind;

typedef struct object_head {
  /*
   * Table by which Unified Runtime's loader calls an object's adapter: the loader reads the first
   * word of every handle. It is object_face.
   */
  const void *face;
  atomic_uint kind;
  atomic_uint references;
} object_head;

/* The entry points of all objects of this library (object_head); its interface defines them. */
extern const void *const object_face;

/* The structure that contains a member. */
#define OWNER_OF(place, type, member) ((type *)(void *)((char *)(place)-offsetof(type, member)))

/* A new handle with one reference. */
static inline void object_init(object_head *handle, object_kind kind) {
  handle->face = object_face;
  atomic_init(&handle->kind, kind);
  atomic_init(&handle->references, 1);
}

/*
 * Returns whether handle is a live handle of that kind, with the entry points of this library. NULL
 * is not. A wrong pointer is found out as far as its bytes differ: this is a help for the caller,
 * not a guarantee.
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

/* Gives up one reference; true when it was the last one and the object must be destroyed. */
static inline bool object_release(object_head *handle) {
  if (atomic_fetch_sub_explicit(&handle->references, 1, memory_order_acq_rel) != 1)
    return false;
  atomic_store_explicit(&handle->kind, OBJECT_RELEASED, memory_order_relaxed);
  return true;
}

#endif
