/* Devices: roots, which a platform lists, and their parts (sub-devices). They are never freed. */
#ifndef OBJECTS_DEVICE_H
#define OBJECTS_DEVICE_H

#include "../base/info.h"
#include "device_info.h"
#include "platform.h"

/* The reference count of a root never changes; that of a part is the application's, 0 or more. */
struct pi_device_object {
  object_head handle;
  pi_native_handle native;
  pi_platform platform;
  pi_device_type type; /* PI_DEVICE_TYPE_GPU, CPU or ACC */
  pi_device parent;    /* of a part; NULL: a root device */
  pi_device root;      /* the device itself unless it is a part */
  pi_uint32 index;     /* of a root in its platform, of a part in its parent */
  pi_device *parts;
  pi_uint32 part_count;
  struct driver_device driver;
};

/* The object for a native handle of a device, root or part; NULL for an unknown one. */
pi_device device_find(pi_native_handle native);

/* The native handle of a device. Errors as native_check. */
pi_result device_native(pi_device device, pi_native_handle *ret);

/*
 * The device of a native handle that comes in: PI_ERROR_INVALID_DEVICE with a message where there
 * is none, or one of another platform, which may be NULL for any.
 */
pi_result device_adopt(pi_native_handle native, pi_platform platform, pi_device *ret);

/*
 * The root devices of a platform whose type is among the bits; PI_DEVICE_TYPE_DEFAULT is the first
 * one. Writes as many as fit, and returns how many there are.
 */
pi_uint32 devices_list(pi_platform platform, pi_device_type types, pi_uint32 room, pi_device *ret);

/* Returns whether a device is this one, or a part of it (of any depth). */
bool device_is_in(pi_device device, pi_device whole);

/* Add or drop a reference; root devices have no count. */
static inline void device_retain(pi_device device) {
  if (device->parent)
    object_retain(&device->handle);
}
void device_release(pi_device device);

/*
 * Divides a device into its parts, each with one more reference, as piDevicePartition does.
 * PI_ERROR_INVALID_VALUE: another way than by affinity domain, or too little space;
 * PI_ERROR_DEVICE_PARTITION_FAILED: it has no parts.
 */
pi_result device_partition(pi_device device, const pi_device_partition_property *properties,
                           pi_uint32 room, pi_device *parts);

/*
 * The value of a query's answer, before it takes a form. The caller checks its reason. The number
 * of a text's value is 0.
 */
pi_result device_find_value(pi_device device, pi_device_info query, device_value *ret);

/*
 * Returns whether a query for a device's components asks for nothing. libsycl asks devices of
 * level_zero so when there are none, and has no context unless that succeeds.
 */
bool device_asks_for_nothing(pi_device device, const info_answer *answer);

/* The answers of piDeviceGetInfo; answer is checked. */
pi_result device_answer(pi_device device, pi_device_info query, const info_answer *answer);

#endif
