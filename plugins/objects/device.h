/* Devices: root devices, which a platform lists, and their parts (sub-devices). Never freed. */
#ifndef OBJECTS_DEVICE_H
#define OBJECTS_DEVICE_H

#include "../base/info.h"
#include "device_info.h"
#include "platform.h"

/*
 * A root's reference count never changes. A part's counts the application's references: 0 or more.
 */
struct pi_device_object {
  object_head handle;
  pi_native_handle native;
  pi_platform platform;
  pi_device_type type; /* PI_DEVICE_TYPE_GPU, CPU or ACC */
  pi_device parent;    /* of a part; NULL for a root device */
  pi_device root;      /* root device of a part; a root device is its own root */
  pi_uint32 index;     /* in the platform's devices, or in the parent's parts */
  pi_device *parts;
  pi_uint32 part_count;
  struct driver_device driver;
};

/* The device, root or part, with that handle of the driver; NULL for an unknown handle. */
pi_device device_find(pi_native_handle native);

/* The native handle of a device. Errors of native_check. */
pi_result device_native(pi_device device, pi_native_handle *ret);

/*
 * The device for a native handle from the application. PI_ERROR_INVALID_DEVICE: no device has the
 * handle, or the device is not of platform; a NULL platform allows any.
 */
pi_result device_adopt(pi_native_handle native, pi_platform platform, pi_device *ret);

/*
 * Lists the root devices of a platform whose type is in types; PI_DEVICE_TYPE_DEFAULT selects the
 * first one. Writes as many devices as fit into ret, and returns how many there are.
 */
pi_uint32 devices_list(pi_platform platform, pi_device_type types, pi_uint32 room, pi_device *ret);

/* Returns whether device is whole or a part of it, at any depth. */
bool device_is_in(pi_device device, pi_device whole);

/* Add or drop a reference; root devices have no count. */
static inline void device_retain(pi_device device) {
  if (device->parent)
    object_retain(&device->handle);
}
void device_release(pi_device device);

/*
 * Lists the parts of a device and adds a reference to each, as piDevicePartition does.
 * PI_ERROR_INVALID_VALUE: properties ask for another division than by affinity domain, or the parts
 * do not fit into the list; PI_ERROR_DEVICE_PARTITION_FAILED: the device has no parts.
 */
pi_result device_partition(pi_device device, const pi_device_partition_property *properties,
                           pi_uint32 room, pi_device *parts);

/*
 * Finds the value that answers a query, for device_give. The caller checks ret->reason.
 * ret->number is 0 for a text.
 */
pi_result device_find_value(pi_device device, pi_device_info query, device_value *ret);

/*
 * Returns whether answer has no outputs and the device's platform reports level_zero. libsycl sends
 * such a query for components to devices without any, and makes no context unless it succeeds.
 */
bool device_asks_for_nothing(pi_device device, const info_answer *answer);

/* The answers of piDeviceGetInfo; answer is checked. */
pi_result device_answer(pi_device device, pi_device_info query, const info_answer *answer);

#endif
