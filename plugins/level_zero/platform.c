/* The platforms: one for each driver of the loader that has devices. */
#include "checks.h"
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pi_platform *platforms;
static pi_uint32 platform_count;

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_open; /* set once platforms and platform_count stay as they are */

pi_uint32 level_zero_platforms(void) {
  return atomic_load_explicit(&is_open, memory_order_acquire) ? platform_count : 0;
}

pi_platform level_zero_platform(pi_uint32 index) {
  return index < level_zero_platforms() ? platforms[index] : NULL;
}

bool platform_has_extension(pi_platform platform, const char *name) {
  for (uint32_t i = 0; i < platform->driver_extension_count; i++)
    if (strncmp(platform->driver_extensions[i].name, name, ZE_MAX_EXTENSION_NAME) == 0)
      return true;
  return false;
}

static pi_result ask_extensions(pi_platform platform) {
  uint32_t count = 0;
  ZE_TRY(DriverGetExtensionProperties, platform->driver, &count, NULL);
  if (count == 0)
    return PI_SUCCESS;
  platform->driver_extensions = calloc(count, sizeof *platform->driver_extensions);
  PI_REQUIRE(platform->driver_extensions, PI_ERROR_OUT_OF_HOST_MEMORY,
             "no memory for the names of %u extensions", count);
  ZE_TRY(DriverGetExtensionProperties, platform->driver, &count, platform->driver_extensions);
  platform->driver_extension_count = count;
  return PI_SUCCESS;
}

static void platform_close(pi_platform platform) {
  device_close_all(platform);
  free(platform->driver_extensions);
  free(platform);
}

static pi_result platform_fill(pi_platform platform) {
  ZE_TRY(DriverGetApiVersion, platform->driver, &platform->api_version);
  PI_TRY(ask_extensions(platform));
  level_zero_find_extensions(platform->driver, &platform->extensions);
  platform->has_module_program = platform_has_extension(platform, ZE_MODULE_PROGRAM_EXP_NAME);
  platform->has_global_offset =
      ze.KernelSetGlobalOffsetExp && platform_has_extension(platform, ZE_GLOBAL_OFFSET_EXP_NAME);
  return device_open_all(platform);
}

static pi_result platform_open(ze_driver_handle_t driver, pi_platform *ret) {
  pi_platform platform = calloc(1, sizeof *platform);
  PI_REQUIRE(platform, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a platform");
  pi_handle_init(&platform->handle, PI_HANDLE_PLATFORM);
  platform->driver = driver;
  const pi_result result = platform_fill(platform);
  if (result == PI_SUCCESS)
    *ret = platform;
  else
    platform_close(platform);
  return result;
}

/* Room for a platform of each of count drivers; given to free. */
typedef struct driver_list {
  uint32_t count;
  ze_driver_handle_t *drivers;
  pi_platform *made;
  pi_uint32 made_count;
} driver_list;

/* Tells why a driver is not among the platforms: the latest failure. */
static void note_left_out(void) {
  const char *message;
  char text[512];
  pi_error_last(&message);
  snprintf(text, sizeof text, "%s", message);
  pi_note("a driver of Level Zero is left out: %s", text);
}

/*
 * Keeps the drivers that have devices. One that fails does not take the others with it, but for
 * want of memory, which the next call may have.
 */
static pi_result open_drivers(driver_list *list) {
  pi_result failure = PI_SUCCESS;
  for (uint32_t i = 0; i < list->count; i++) {
    pi_platform platform = NULL;
    const pi_result result = platform_open(list->drivers[i], &platform);
    if (result == PI_ERROR_OUT_OF_HOST_MEMORY)
      return result;
    if (result != PI_SUCCESS)
      failure = result;
    else if (platform->device_count)
      list->made[list->made_count++] = platform;
    else
      platform_close(platform);
  }
  if (failure == PI_SUCCESS || list->made_count == 0)
    return failure;
  note_left_out();
  return PI_SUCCESS;
}

static pi_result list_drivers(driver_list *list) {
  ZE_TRY(DriverGet, &list->count, NULL);
  const size_t room = list->count ? list->count : 1;
  list->drivers = calloc(room, sizeof(ze_driver_handle_t));
  PI_REQUIRE(list->drivers, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u drivers", list->count);
  list->made = calloc(room, sizeof(pi_platform));
  PI_REQUIRE(list->made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u platforms", list->count);
  ZE_TRY(DriverGet, &list->count, list->drivers);
  return open_drivers(list);
}

static pi_result open_all(void) {
  driver_list list = {0, NULL, NULL, 0};
  const pi_result result = list_drivers(&list);
  free(list.drivers);
  if (result == PI_SUCCESS) {
    platforms = list.made;
    platform_count = list.made_count;
    return PI_SUCCESS;
  }
  while (list.made_count)
    platform_close(list.made[--list.made_count]);
  free(list.made);
  return result;
}

/* Makes the platforms, once. After a failure the next call tries again. */
static pi_result open_once(void) {
  if (atomic_load_explicit(&is_open, memory_order_acquire))
    return PI_SUCCESS;
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&open_lock);
  if (!atomic_load_explicit(&is_open, memory_order_relaxed)) {
    result = open_all();
    if (result == PI_SUCCESS)
      atomic_store_explicit(&is_open, true, memory_order_release);
  }
  pthread_mutex_unlock(&open_lock);
  return result;
}

pi_result piPlatformsGet(pi_uint32 num_entries, pi_platform *platforms_ret,
                         pi_uint32 *num_platforms) {
  PI_REQUIRE(platforms_ret || num_platforms, PI_ERROR_INVALID_VALUE,
             "platforms and num_platforms are both NULL");
  PI_REQUIRE(!platforms_ret || num_entries != 0, PI_ERROR_INVALID_VALUE,
             "num_entries is 0 although platforms is not NULL");
  const bool is_loaded = level_zero_load();
  if (is_loaded)
    PI_TRY(open_once());
  const pi_uint32 count = level_zero_platforms();
  if (!is_loaded)
    pi_note("%s", level_zero_load_error());
  else if (count == 0)
    pi_note("no driver that libze_loader.so.1 finds has a device");
  if (platforms_ret)
    for (pi_uint32 i = 0; i < count && i < num_entries; i++)
      platforms_ret[i] = platforms[i];
  if (num_platforms)
    *num_platforms = count;
  return PI_SUCCESS;
}

/* Both by the vendor of the devices, which are all of one driver: Level Zero has names for neither.
 */
enum { VENDOR_INTEL = 0x8086 };

const char *platform_vendor(pi_platform platform) {
  return platform->devices[0]->properties.vendorId == VENDOR_INTEL ? "Intel(R) Corporation"
                                                                   : "unknown";
}

static const char *platform_name(pi_platform platform) {
  return platform->devices[0]->properties.vendorId == VENDOR_INTEL ? "Intel(R) Level-Zero"
                                                                   : "Level Zero";
}

pi_result piPlatformGetInfo(pi_platform platform, pi_platform_info param_name,
                            size_t param_value_size, void *param_value,
                            size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PLATFORM(platform);
  PI_TRY(pi_answer_check(&answer));
  char text[64];
  switch (param_name) {
  case PI_PLATFORM_INFO_PROFILE:
    return pi_answer_text(&answer, "FULL_PROFILE");
  case PI_PLATFORM_INFO_VERSION:
    snprintf(text, sizeof text, "%u.%u", ZE_MAJOR_VERSION(platform->api_version),
             ZE_MINOR_VERSION(platform->api_version));
    return pi_answer_text(&answer, text);
  case PI_PLATFORM_INFO_NAME:
    return pi_answer_text(&answer, platform_name(platform));
  case PI_PLATFORM_INFO_VENDOR:
    return pi_answer_text(&answer, platform_vendor(platform));
  case PI_PLATFORM_INFO_EXTENSIONS:
    return pi_answer_text(&answer, "");
  case PI_EXT_PLATFORM_INFO_BACKEND:
    return pi_answer_uint32(&answer, PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO);
  }
  return pi_answer_unknown("pi_platform_info", param_name);
}

/* The ze_driver_handle_t. */
pi_result piextPlatformGetNativeHandle(pi_platform platform, pi_native_handle *native_handle) {
  REQUIRE_PLATFORM(platform);
  REQUIRE_POINTER(native_handle);
  *native_handle = (pi_native_handle)platform->driver;
  return PI_SUCCESS;
}

pi_result piextPlatformCreateWithNativeHandle(pi_native_handle native_handle,
                                              pi_platform *platform) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_PLATFORM, "native_handle is 0");
  REQUIRE_POINTER(platform);
  if (level_zero_load())
    PI_TRY(open_once());
  for (pi_uint32 i = 0; i < level_zero_platforms(); i++) {
    if ((pi_native_handle)platforms[i]->driver != native_handle)
      continue;
    *platform = platforms[i];
    return PI_SUCCESS;
  }
  return pi_error(PI_ERROR_INVALID_PLATFORM,
                  "native_handle 0x%zx is no ze_driver_handle_t with a device",
                  (size_t)native_handle);
}
