#include "platform.h"

#include "../base/error.h"
#include "device.h"
#include "driver.h"
#include "native.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Maximum depth of nested parts. No driver has more than two levels (Level Zero's tiles). */
enum { MOST_DEPTH = 4 };

static pi_platform *platforms;
static pi_uint32 platform_count;

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_open; /* platforms and platform_count are final */

pi_uint32 platforms_get(const pi_platform **ret) {
  if (!atomic_load_explicit(&is_open, memory_order_acquire))
    return 0;
  *ret = platforms;
  return platform_count;
}

static void close_devices(pi_device *devices, pi_uint32 count) {
  for (pi_uint32 i = 0; i < count; i++) {
    close_devices(devices[i]->parts, devices[i]->part_count);
    driver_device_close(devices[i]);
    free(devices[i]);
  }
  free(devices);
}

static void close_platform(pi_platform platform) {
  close_devices(platform->devices, platform->device_count);
  driver_platform_close(platform);
  free(platform);
}

/* A list of handles as the driver's verbs return it. */
typedef struct native_list {
  pi_uint32 count;
  pi_native_handle *handles;
} native_list;

/*
 * Asks for the platforms if platform is NULL, for its root devices if parent is NULL, else parts.
 */
static pi_result ask_list(pi_platform platform, pi_device parent, native_list *list) {
  return platform ? driver_devices_list(platform, parent, &list->count, list->handles)
                  : driver_platforms_list(&list->count, list->handles);
}

/* Reads a list; the caller frees the handles. */
static pi_result get_list(pi_platform platform, pi_device parent, native_list *ret) {
  native_list list = {0, NULL};
  TRY(ask_list(platform, parent, &list));
  list.handles = calloc(list.count ? list.count : 1, sizeof *list.handles);
  REQUIRE_MEMORY(list.handles, "%u %s", list.count, platform ? "devices" : "drivers");
  const pi_result result = ask_list(platform, parent, &list);
  if (result == PI_SUCCESS)
    *ret = list;
  else
    free(list.handles);
  return result;
}

static pi_result open_devices(pi_platform platform, pi_device parent, unsigned depth,
                              pi_device **devices, pi_uint32 *device_count);

static pi_result open_device(pi_platform platform, pi_device parent, pi_uint32 index,
                             pi_native_handle native, unsigned depth, pi_device *ret) {
  pi_device device = calloc(1, sizeof *device);
  REQUIRE_MEMORY(device, "a device");
  object_init(&device->handle, OBJECT_DEVICE);
  if (parent)
    atomic_init(&device->handle.references, 0);
  device->native = native;
  device->platform = platform;
  device->parent = parent;
  device->root = parent ? parent->root : device;
  device->index = index;
  pi_result result = driver_device_open(device);
  if (result != PI_SUCCESS) {
    free(device);
    return result;
  }
  if (depth < MOST_DEPTH)
    result = open_devices(platform, device, depth + 1, &device->parts, &device->part_count);
  if (result == PI_SUCCESS) {
    *ret = device;
    return PI_SUCCESS;
  }
  close_devices(device->parts, device->part_count);
  driver_device_close(device);
  free(device);
  return result;
}

/* Reports that a driver or a device is left out, with the message of the latest failure. */
static void note_left_out(const char *what) {
  const char *message;
  char text[512];
  plugin_error_last(&message);
  snprintf(text, sizeof text, "%s", message);
  plugin_note("a %s of %s is left out: %s", what, driver_name, text);
}

/* Returns whether a failure ends the whole list: no memory, or any failure of a part. */
static bool is_final(pi_device parent, pi_result failure) {
  return failure == PI_ERROR_OUT_OF_HOST_MEMORY || (parent && failure != PI_SUCCESS);
}

/*
 * Opens the root devices of a platform, or the parts of parent. A root device that fails is left
 * out. After a failure some devices may be open.
 */
static pi_result open_devices(pi_platform platform, pi_device parent, unsigned depth,
                              pi_device **devices, pi_uint32 *device_count) {
  native_list list;
  TRY(get_list(platform, parent, &list));
  *devices = calloc(list.count ? list.count : 1, sizeof **devices);
  if (!*devices) {
    free(list.handles);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u devices", list.count);
  }
  pi_result failure = PI_SUCCESS;
  for (pi_uint32 i = 0; i < list.count && !is_final(parent, failure); i++) {
    const pi_uint32 index = *device_count;
    const pi_result result =
        open_device(platform, parent, index, list.handles[i], depth, &(*devices)[index]);
    if (result == PI_SUCCESS)
      (*device_count)++;
    else
      failure = result;
  }
  free(list.handles);
  if (is_final(parent, failure) || *device_count == 0)
    return failure;
  if (failure != PI_SUCCESS)
    note_left_out("device");
  return PI_SUCCESS;
}

static pi_result open_platform(pi_native_handle native, pi_uint32 index, pi_platform *ret) {
  pi_platform platform = calloc(1, sizeof *platform);
  REQUIRE_MEMORY(platform, "a platform");
  object_init(&platform->handle, OBJECT_PLATFORM);
  platform->native = native;
  platform->index = index;
  pi_result result = driver_platform_open(platform);
  if (result == PI_SUCCESS)
    result = open_devices(platform, NULL, 0, &platform->devices, &platform->device_count);
  if (result == PI_SUCCESS)
    *ret = platform;
  else
    close_platform(platform);
  return result;
}

/*
 * Opens the platforms and keeps those with devices. One that fails is left out; but a lack of host
 * memory ends the call, because a later call may succeed.
 */
static pi_result open_list(const native_list *list, pi_platform *made, pi_uint32 *made_count) {
  pi_result failure = PI_SUCCESS;
  for (pi_uint32 i = 0; i < list->count; i++) {
    pi_platform platform = NULL;
    const pi_result result = open_platform(list->handles[i], i, &platform);
    if (result == PI_ERROR_OUT_OF_HOST_MEMORY)
      return result;
    if (result != PI_SUCCESS)
      failure = result;
    else if (platform->device_count)
      made[(*made_count)++] = platform;
    else
      close_platform(platform);
  }
  if (failure == PI_SUCCESS || *made_count == 0)
    return failure;
  note_left_out("driver");
  return PI_SUCCESS;
}

static pi_result open_all(void) {
  native_list list;
  TRY(get_list(NULL, NULL, &list));
  pi_platform *made = calloc(list.count ? list.count : 1, sizeof(pi_platform));
  pi_uint32 made_count = 0;
  const pi_result result =
      made ? open_list(&list, made, &made_count)
           : plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u platforms", list.count);
  free(list.handles);
  if (result == PI_SUCCESS) {
    platforms = made;
    platform_count = made_count;
    return PI_SUCCESS;
  }
  while (made_count)
    close_platform(made[--made_count]);
  free(made);
  return result;
}

pi_result platforms_open(void) {
  if (!driver_load() || atomic_load_explicit(&is_open, memory_order_acquire))
    return PI_SUCCESS;
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&open_lock);
  if (!atomic_load_explicit(&is_open, memory_order_relaxed)) {
    result = open_all();
    if (result == PI_SUCCESS) {
      if (platform_count && native_is_foreign())
        native_open();
      atomic_store_explicit(&is_open, true, memory_order_release);
    }
  }
  pthread_mutex_unlock(&open_lock);
  return result;
}

/* Not every driver has native handles of platforms. */
pi_result platform_native(pi_platform platform, pi_native_handle *ret) {
  if (native_is_foreign()) {
    TRY(native_check("platform"));
    *ret = (pi_native_handle)platform;
    return PI_SUCCESS;
  }
  REQUIRE(platform->native, PI_ERROR_UNSUPPORTED_FEATURE, "%s has no object for a platform",
          driver_name);
  *ret = platform->native;
  return PI_SUCCESS;
}

pi_result platform_adopt(pi_native_handle native, pi_platform *ret) {
  TRY(platforms_open());
  const pi_platform *all = NULL;
  const pi_uint32 count = platforms_get(&all);
  for (pi_uint32 i = 0; i < count; i++) {
    pi_native_handle known;
    TRY(platform_native(all[i], &known));
    if (known != native)
      continue;
    *ret = all[i];
    return PI_SUCCESS;
  }
  return plugin_error(PI_ERROR_INVALID_PLATFORM,
                      "native_handle 0x%zx is no platform of %s with a device", (size_t)native,
                      driver_name);
}
