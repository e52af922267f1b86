#define _GNU_SOURCE /* strdup */
#include "device.h"

#include "error.h"
#include "plugin.h"

#include "../plugins/base/cancellation.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const pi_function_table *calls_of(specpi_platform platform) {
  return platform->plugin->calls;
}

/* The text that a query returns, in new memory: "" if it fails, NULL if memory is exhausted. */
#define QUERY_TEXT(function, object, query)                                                        \
  size_t size = 0;                                                                                 \
  if (function(object, query, 0, NULL, &size) != PI_SUCCESS || size == 0 || size > TEXT_LIMIT)     \
    return strdup("");                                                                             \
  char *text = calloc(1, size + 1);                                                                \
  if (text && function(object, query, size, text, NULL) != PI_SUCCESS)                             \
    *text = '\0';                                                                                  \
  return text

enum { TEXT_LIMIT = 65536 };

static char *platform_text(specpi_plugin plugin, pi_platform handle, pi_platform_info query) {
  QUERY_TEXT(plugin->calls->piPlatformGetInfo, handle, query);
}

static char *device_text(specpi_platform platform, pi_device handle, pi_device_info query) {
  QUERY_TEXT(calls_of(platform)->piDeviceGetInfo, handle, query);
}

specpi_result platform_make(specpi_plugin plugin, pi_platform handle, platform *ret) {
  platform made = {
      .plugin = plugin,
      .handle = handle,
      .name = platform_text(plugin, handle, PI_PLATFORM_INFO_NAME),
      .vendor = platform_text(plugin, handle, PI_PLATFORM_INFO_VENDOR),
      .version = platform_text(plugin, handle, PI_PLATFORM_INFO_VERSION),
  };
  if (!made.name || !made.vendor || !made.version) {
    platform_clear(&made);
    return error_memory();
  }
  *ret = made;
  return SPECPI_SUCCESS;
}

void platform_clear(platform *platform) {
  device_list_free(platform->devices, platform->device_count);
  free(platform->name);
  free(platform->vendor);
  free(platform->version);
}

/* A selector such as "opencl:0", in new memory; NULL if memory is exhausted. */
static char *place_text(const selector_place *place) {
  char text[96];
  int end = snprintf(text, sizeof text, "%s:%u", place->backend, place->numbers[0]);
  for (unsigned i = 1; i < place->levels; i++)
    end += snprintf(text + end, sizeof text - (size_t)end, ".%u", place->numbers[i]);
  return strdup(text);
}

static specpi_result make_device(specpi_platform platform, specpi_device parent, uint32_t number,
                                 pi_device handle, device *ret) {
  ret->platform = platform;
  ret->parent = parent;
  ret->handle = handle;
  if (parent) {
    ret->place = parent->place;
  } else {
    ret->place.backend = specpiBackendGetName(platform->plugin->backend);
    pi_device_type type = 0;
    if (calls_of(platform)->piDeviceGetInfo(handle, PI_DEVICE_INFO_TYPE, sizeof type, &type,
                                            NULL) == PI_SUCCESS)
      ret->place.type = type;
  }
  ret->place.numbers[ret->place.levels++] = number;
  ret->selector = place_text(&ret->place);
  ret->name = device_text(platform, handle, PI_DEVICE_INFO_NAME);
  ret->vendor = device_text(platform, handle, PI_DEVICE_INFO_VENDOR);
  ret->version = device_text(platform, handle, PI_DEVICE_INFO_VERSION);
  ret->driver_version = device_text(platform, handle, PI_DEVICE_INFO_DRIVER_VERSION);
  ret->parts = calloc(1, sizeof *ret->parts);
  if (!ret->selector || !ret->name || !ret->vendor || !ret->version || !ret->driver_version ||
      !ret->parts)
    return error_memory();
  return SPECPI_SUCCESS;
}

specpi_result device_list_make(specpi_platform platform, specpi_device parent,
                               uint32_t first_number, const pi_device *handles, size_t count,
                               device **ret) {
  device *devices = calloc(count, sizeof *devices);
  if (!devices)
    return error_memory();
  for (size_t i = 0; i < count; i++) {
    const specpi_result result =
        make_device(platform, parent, first_number + (uint32_t)i, handles[i], &devices[i]);
    if (result != SPECPI_SUCCESS) {
      device_list_free(devices, count);
      return result;
    }
  }
  *ret = devices;
  return SPECPI_SUCCESS;
}

void device_list_free(device *devices, size_t count) {
  for (size_t i = 0; i < count; i++) {
    device *device = &devices[i];
    free(device->selector);
    free(device->name);
    free(device->vendor);
    free(device->version);
    free(device->driver_version);
    if (device->parts)
      device_list_free(device->parts->devices, device->parts->count);
    free(device->parts);
  }
  free(devices);
}

/* Returns whether a device can be partitioned by affinity domain, next partitionable. */
static bool can_be_partitioned(specpi_device device) {
  const pi_function_table *pi = calls_of(device->platform);
  pi_device_partition_property properties[16] = {0};
  size_t size = 0;
  if (pi->piDeviceGetInfo(device->handle, PI_DEVICE_INFO_PARTITION_PROPERTIES, 0, NULL, &size) !=
          PI_SUCCESS ||
      size > sizeof properties ||
      (size && pi->piDeviceGetInfo(device->handle, PI_DEVICE_INFO_PARTITION_PROPERTIES, size,
                                   properties, NULL) != PI_SUCCESS))
    return false;
  bool by_domain = false;
  for (size_t i = 0; i < size / sizeof properties[0]; i++)
    by_domain |= properties[i] == PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;

  pi_device_affinity_domain domains = 0;
  return by_domain &&
         pi->piDeviceGetInfo(device->handle, PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN,
                             sizeof domains, &domains, NULL) == PI_SUCCESS &&
         (domains & PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE);
}

static void release_handles(const pi_function_table *pi, const pi_device *handles, size_t count) {
  for (size_t i = 0; i < count; i++)
    pi->piDeviceRelease(handles[i]);
}

static specpi_result make_parts(specpi_device parent, device_parts *parts) {
  enum { PARTS_LIMIT = 4096 };
  const pi_function_table *pi = calls_of(parent->platform);
  const pi_device_partition_property how[] = {PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                              PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};
  pi_uint32 count = 0;
  if (!can_be_partitioned(parent) ||
      pi->piDevicePartition(parent->handle, how, 0, NULL, &count) != PI_SUCCESS || count == 0 ||
      count > PARTS_LIMIT)
    return SPECPI_SUCCESS;
  pi_device *handles = calloc(count, sizeof(pi_device));
  if (!handles)
    return error_memory();
  specpi_result result = SPECPI_SUCCESS;
  if (pi->piDevicePartition(parent->handle, how, count, handles, NULL) == PI_SUCCESS) {
    result = device_list_make(parent->platform, parent, 0, handles, count, &parts->devices);
    if (result == SPECPI_SUCCESS)
      parts->count = count;
    else
      release_handles(pi, handles, count);
  }
  free(handles);
  return result;
}

specpi_result device_parts_get(specpi_device device, const device_parts **ret) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const device_parts none;
  if (device->place.levels == SELECTOR_LEVELS) {
    *ret = &none;
    return SPECPI_SUCCESS;
  }
  specpi_result result = SPECPI_SUCCESS;
  WITHOUT_CANCELLATION;
  pthread_mutex_lock(&lock);
  if (!device->parts->made) {
    result = make_parts(device, device->parts);
    device->parts->made = result == SPECPI_SUCCESS;
  }
  pthread_mutex_unlock(&lock);
  if (result == SPECPI_SUCCESS)
    *ret = device->parts;
  return result;
}
