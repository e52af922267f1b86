/* Contexts: the devices that share one, and the driver's part. */
#ifndef OBJECTS_CONTEXT_H
#define OBJECTS_CONTEXT_H

#include "deferred_free.h"
#include "device.h"
#include "registry.h"

/*
 * A root device of a context has an index there, by which a program finds its build and a kernel
 * the driver's part; a part uses its root's.
 */
struct pi_context_object {
  object_head handle;
  pi_native_handle native;
  registry_link noted;
  bool is_owned; /* the native handle is destroyed with the object */
  pi_platform platform;
  pi_uint32 device_count;
  pi_device *devices; /* as the application passed them: roots and parts */
  pi_uint32 root_count;
  pi_device *roots; /* their root devices, each once */
  deferred_frees deferred;
  _Atomic(struct context_deleter *) deleters; /* of piextContextSetExtendedDeleter */
  struct driver_context driver;
};

/* Returns whether a device is one of the context's, or a part of one. */
bool context_has(pi_context context, pi_device device);

/* The index of a device's root in context->roots; the device is one of the context's. */
pi_uint32 context_root(pi_context context, pi_device device);

/* A device that is one of the context's, or a part of one; context is a live handle. */
#define REQUIRE_DEVICE_OF(context, device)                                                         \
  do {                                                                                             \
    REQUIRE_DEVICE(device);                                                                        \
    REQUIRE(context_has(context, device), PI_ERROR_INVALID_DEVICE,                                 \
            #device " is not a device of " #context);                                              \
  } while (0)

/*
 * A new context with one reference. PI_ERROR_INVALID_DEVICE: one is no live handle, or of another
 * platform than the first one; the errors of driver_context_create; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result context_create(pi_uint32 count, const pi_device *devices,
                         const pi_context_properties *properties, pi_context *ret);

/*
 * The context of a native handle, with one reference. For a handle of a context of ours it is that
 * context: is_owned passes on the reference that comes with the handle. Else it is a new one. count
 * may be 0 where the driver knows the device. Errors as of context_create and driver_context_adopt.
 */
pi_result context_adopt(pi_native_handle native, pi_uint32 count, const pi_device *devices,
                        bool is_owned, pi_context *ret);

/* The native handle, which stands for the context when it comes back. Errors as native_check. */
pi_result context_native(pi_context context, pi_native_handle *ret);

/* Add or drop a reference; the last one destroys what the context owns. */
static inline void context_retain(pi_context context) {
  object_retain(&context->handle);
}
void context_release(pi_context context);

/* Adds a function to call at the context's end, the latest first. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result context_add_deleter(pi_context context, void (*function)(void *user_data),
                              void *user_data);

/* The answers of piContextGetInfo; answer is checked. */
pi_result context_answer(pi_context context, pi_context_info query, const info_answer *answer);

#endif
