/* Contexts: a list of devices that share memory and programs, with the driver's part. */
#ifndef OBJECTS_CONTEXT_H
#define OBJECTS_CONTEXT_H

#include "deferred_free.h"
#include "device.h"
#include "registry.h"

/*
 * Programs and kernels keep lists with one entry for each root device of their context, in the
 * order of roots. A part of a device uses the entry of its root device (context_root).
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

/* Requires a device of the context (context_has); context is a live handle. */
#define REQUIRE_DEVICE_OF(context, device)                                                         \
  do {                                                                                             \
    REQUIRE_DEVICE(device);                                                                        \
    REQUIRE(context_has(context, device), PI_ERROR_INVALID_DEVICE,                                 \
            #device " is not a device of " #context);                                              \
  } while (0)

/*
 * A new context with one reference. PI_ERROR_INVALID_DEVICE: a device is not a live handle, or not
 * of the first one's platform. PI_ERROR_INVALID_PROPERTY, PI_ERROR_INVALID_PLATFORM: a property.
 * Also the errors of driver_context_create; PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result context_create(pi_uint32 count, const pi_device *devices,
                         const pi_context_properties *properties, pi_context *ret);

/*
 * The context for a native handle, with a reference. If context_native returned the handle, that
 * context comes back, with the reference that came with the handle if is_owned, else with a new
 * one. Any other handle gets a new context. count may be 0 if the driver can find the device.
 * Errors of context_create and driver_context_adopt.
 */
pi_result context_adopt(pi_native_handle native, pi_uint32 count, const pi_device *devices,
                        bool is_owned, pi_context *ret);

/* The native handle, recorded so that context_adopt finds the context. Errors of native_check. */
pi_result context_native(pi_context context, pi_native_handle *ret);

/* Add or drop a reference; the last one destroys what the context owns. */
static inline void context_retain(pi_context context) {
  object_retain(&context->handle);
}
void context_release(pi_context context);

/*
 * Adds a function to call at the context's end; the functions are called latest first.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result context_add_deleter(pi_context context, void (*function)(void *user_data),
                              void *user_data);

/* The answers of piContextGetInfo; answer is checked. */
pi_result context_answer(pi_context context, pi_context_info query, const info_answer *answer);

#endif
