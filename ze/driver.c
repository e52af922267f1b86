/* Entries for initialization, and for drivers, which are PI's platforms. */
#define _GNU_SOURCE /* dladdr */
#include "ze.h"

#include "../plugins/objects/driver.h"
#include "../plugins/objects/platform.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/*
 * Returns whether the caller's address is in a SYCL runtime or one of its adapters or plugins.
 * Those ask every Level Zero that they find for devices, and would list these devices a second
 * time.
 */
static bool is_adapter(const void *caller) {
  Dl_info place;
  if (!dladdr(caller, &place) || !place.dli_fname)
    return false;
  const char *slash = strrchr(place.dli_fname, '/');
  const char *name = slash ? slash + 1 : place.dli_fname;
  return strncmp(name, "libur_adapter_", 14) == 0 || strncmp(name, "libpi_level_zero", 16) == 0 ||
         strncmp(name, "libsycl", 7) == 0;
}

static ze_result_t begin(const void *caller) {
  ZE_REQUIRE(!is_adapter(caller), UNINITIALIZED,
             "an adapter asks for devices of Level Zero, and there are those of %s alone, which "
             "have an adapter of their own",
             driver_name);
  ZE_TRY(platforms_open());
  const pi_platform *all = NULL;
  ZE_REQUIRE(platforms_get(&all), UNINITIALIZED, "there is no device of %s", driver_name);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t list_drivers(uint32_t *count, ze_driver_handle_t *ret) {
  const pi_platform *all = NULL;
  const uint32_t have = platforms_get(&all);
  return ze_list_objects(count, have, all, ret);
}

/*
 * Fails. Intel's adapters contain a copy of Level Zero's loader, which asks the real loader for its
 * tables with this call. There are no such tables here, and without them the copy finds no device.
 */
ZE_APIEXPORT ze_result_t zeLoaderInit(void);
ze_result_t zeLoaderInit(void) {
  return ZE_RESULT_ERROR_UNINITIALIZED;
}

ZE_APIEXPORT ze_result_t zelLoaderGetVersionsInternal(size_t *count, void *versions);
ze_result_t zelLoaderGetVersionsInternal(size_t *count, void *versions) {
  (void)versions;
  ZE_REQUIRE_POINTER(count);
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeInit(ze_init_flags_t flags) {
  (void)flags;
  return begin(__builtin_return_address(0));
}

ze_result_t zeDriverGet(uint32_t *pCount, ze_driver_handle_t *phDrivers) {
  ZE_REQUIRE_POINTER(pCount);
  const ze_result_t result = begin(__builtin_return_address(0));
  return result == ZE_RESULT_SUCCESS ? list_drivers(pCount, phDrivers) : result;
}

ze_result_t zeInitDrivers(uint32_t *pCount, ze_driver_handle_t *phDrivers,
                          ze_init_driver_type_desc_t *desc) {
  ZE_REQUIRE_POINTER(pCount);
  ZE_REQUIRE_POINTER(desc);
  const ze_result_t result = begin(__builtin_return_address(0));
  return result == ZE_RESULT_SUCCESS ? list_drivers(pCount, phDrivers) : result;
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t hDriver, ze_api_version_t *version) {
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(version);
  *version = ZE_API_VERSION_1_3;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t hDriver,
                                  ze_driver_properties_t *pDriverProperties) {
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(pDriverProperties);
  memset(&pDriverProperties->uuid, 0, sizeof pDriverProperties->uuid);
  snprintf((char *)pDriverProperties->uuid.id, sizeof pDriverProperties->uuid.id, "specpi %s",
           driver_name);
  pDriverProperties->driverVersion = 1;
  return ZE_RESULT_SUCCESS;
}

/* X(name in ze_api.h): extensions all of whose functions are here. */
#define EXTENSIONS(X)                                                                              \
  X(EVENT_QUERY_TIMESTAMPS_EXP)                                                                    \
  X(GLOBAL_OFFSET_EXP)                                                                             \
  X(MEMORY_FREE_POLICIES_EXT)                                                                      \
  X(PCI_PROPERTIES_EXT)

ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t hDriver, uint32_t *pCount,
                                           ze_driver_extension_properties_t *properties) {
#define EXTENSION_ENTRY(name) {ZE_##name##_NAME, ZE_##name##_VERSION_CURRENT},
  static const ze_driver_extension_properties_t all[] = {EXTENSIONS(EXTENSION_ENTRY)};
#undef EXTENSION_ENTRY
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(pCount);
  const uint32_t count = ze_list(pCount, sizeof all / sizeof all[0], properties);
  if (count)
    memcpy(properties, all, count * sizeof all[0]);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetLastErrorDescription(ze_driver_handle_t hDriver, const char **ppString) {
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(ppString);
  plugin_error_last(ppString);
  return ZE_RESULT_SUCCESS;
}

/* Memory and events cannot be shared between processes. */
ze_result_t zeDriverGetIpcProperties(ze_driver_handle_t hDriver,
                                     ze_driver_ipc_properties_t *pIpcProperties) {
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(pIpcProperties);
  pIpcProperties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

/* There are no functions besides those of ze_api.h. */
ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t hDriver, const char *name,
                                                void **ppFunctionAddress) {
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(name);
  ZE_REQUIRE_POINTER(ppFunctionAddress);
  ZE_REQUIRE(false, INVALID_ARGUMENT, "there is no extension function %s", name);
}
