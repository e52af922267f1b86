/* Platforms: one for each driver of the loader that has devices. */
#define _GNU_SOURCE /* secure_getenv, strcasestr */
#include "../base/load.h"
#include "../objects/driver.h"
#include "checks.h"
#include "device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Warns if the user has selected level_zero but there is no such device. The selected device may be
 * an NVIDIA GPU that SYCL programs know by this name: the selection keeps the UR loader from
 * loading the CUDA adapter.
 */
static void say_hint(void) {
  const char *selector = secure_getenv("ONEAPI_DEVICE_SELECTOR");
  const char *filter = secure_getenv("UR_LOADER_PRELOAD_FILTER");
  if (selector && !(filter && strcmp(filter, "0") == 0) && strcasestr(selector, "level_zero:") &&
      !strcasestr(selector, "cuda:") && !strstr(selector, "*:"))
    plugin_say(
        "ONEAPI_DEVICE_SELECTOR names level_zero, of which there is no device; an NVIDIA GPU "
        "goes by that name, too, if its adapter is loaded: start the program with specpi "
        "run, or set UR_LOADER_PRELOAD_FILTER=0");
}

void driver_note(pi_uint32 platform_count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (object_face && platform_count == 0)
    pthread_once(&once, say_hint);
  if (!driver_load())
    load_report();
  else if (platform_count == 0)
    plugin_note("no driver that libze_loader.so.1 finds has a device");
}

/* A native handle of PI is a number as wide as Level Zero's handles, which are pointers. */
_Static_assert(sizeof(ze_driver_handle_t) == sizeof(pi_native_handle), "");

pi_result driver_platforms_list(pi_uint32 *count, pi_native_handle *ret) {
  ZE_TRY(DriverGet, count, (ze_driver_handle_t *)ret);
  return PI_SUCCESS;
}

bool platform_has_extension(pi_platform platform, const char *name) {
  for (uint32_t i = 0; i < platform->driver.driver_extension_count; i++)
    if (strncmp(platform->driver.driver_extensions[i].name, name, ZE_MAX_EXTENSION_NAME) == 0)
      return true;
  return false;
}

static pi_result ask_extensions(pi_platform platform) {
  uint32_t count = 0;
  ZE_TRY(DriverGetExtensionProperties, platform->driver.driver, &count, NULL);
  if (count == 0)
    return PI_SUCCESS;
  platform->driver.driver_extensions = calloc(count, sizeof *platform->driver.driver_extensions);
  REQUIRE_MEMORY(platform->driver.driver_extensions, "the names of %u extensions", count);
  ZE_TRY(DriverGetExtensionProperties, platform->driver.driver, &count,
         platform->driver.driver_extensions);
  platform->driver.driver_extension_count = count;
  return PI_SUCCESS;
}

pi_result driver_platform_open(pi_platform platform) {
  struct driver_platform *own = &platform->driver;
  own->driver = (ze_driver_handle_t)platform->native;
  ZE_TRY(DriverGetApiVersion, own->driver, &own->api_version);
  TRY(ask_extensions(platform));
  level_zero_find_extensions(own->driver, &own->extensions);
  own->has_module_program = platform_has_extension(platform, ZE_MODULE_PROGRAM_EXP_NAME);
  own->has_global_offset =
      ze.KernelSetGlobalOffsetExp && platform_has_extension(platform, ZE_GLOBAL_OFFSET_EXP_NAME);
  return PI_SUCCESS;
}

void driver_platform_close(pi_platform platform) {
  free(platform->driver.driver_extensions);
}

/* The names of a platform and its vendor depend on the vendor of the devices, which is the same for
 * all devices of a driver. Level Zero has no names for them. */
enum { VENDOR_INTEL = 0x8086 };

const char *platform_vendor(pi_platform platform) {
  return platform->devices[0]->driver.properties.vendorId == VENDOR_INTEL ? "Intel(R) Corporation"
                                                                          : "unknown";
}

static const char *platform_name(pi_platform platform) {
  return platform->devices[0]->driver.properties.vendorId == VENDOR_INTEL ? "Intel(R) Level-Zero"
                                                                          : "Level Zero";
}

void driver_platform_facts(pi_platform platform, platform_facts *ret) {
  const uint32_t version = (uint32_t)platform->driver.api_version;
  *ret = (platform_facts){.name = platform_name(platform),
                          .vendor = platform_vendor(platform),
                          .extensions = "",
                          .backend = driver_backend()};
  snprintf(ret->version, sizeof ret->version, "%u.%u", ZE_MAJOR_VERSION(version),
           ZE_MINOR_VERSION(version));
}
