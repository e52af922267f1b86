/* Drivers and devices of the fake Level Zero driver. They are created once and never destroyed. */
#include "bindless.h"

#include <stdio.h>

/* X(name, version): the extensions. FAKE_ZE_WITHOUT can leave each out. */
#define EXTENSIONS(X)                                                                              \
  X(ZE_MODULE_PROGRAM_EXP_NAME, ZE_MODULE_PROGRAM_EXP_VERSION_CURRENT)                             \
  X(ZE_GLOBAL_OFFSET_EXP_NAME, ZE_GLOBAL_OFFSET_EXP_VERSION_CURRENT)                               \
  X(ZE_FLOAT_ATOMICS_EXT_NAME, ZE_FLOAT_ATOMICS_EXT_VERSION_CURRENT)                               \
  X(ZE_RELAXED_ALLOCATION_LIMITS_EXP_NAME, ZE_RELAXED_ALLOCATION_LIMITS_EXP_VERSION_CURRENT)       \
  X(ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, ZE_EVENT_QUERY_TIMESTAMPS_EXP_VERSION_CURRENT)             \
  X(ZE_EU_COUNT_EXT_NAME, ZE_EU_COUNT_EXT_VERSION_CURRENT)                                         \
  X(ZE_PCI_PROPERTIES_EXT_NAME, ZE_PCI_PROPERTIES_EXT_VERSION_CURRENT)                             \
  X(ZE_LINKAGE_INSPECTION_EXT_NAME, ZE_LINKAGE_INSPECTION_EXT_VERSION_CURRENT)                     \
  X(ZE_IMAGE_COPY_EXT_NAME, ZE_IMAGE_COPY_EXT_VERSION_CURRENT)                                     \
  X(ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_NAME, ZE_IMAGE_QUERY_ALLOC_PROPERTIES_EXT_VERSION_CURRENT) \
  X(ZE_IMAGE_MEMORY_PROPERTIES_EXP_NAME, ZE_IMAGE_MEMORY_PROPERTIES_EXP_VERSION_CURRENT)           \
  X(ZE_IMAGE_VIEW_EXP_NAME, ZE_IMAGE_VIEW_EXP_VERSION_CURRENT)                                     \
  X(ZE_LINKONCE_ODR_EXT_NAME, ZE_LINKONCE_ODR_EXT_VERSION_CURRENT)                                 \
  X(ZE_SUBGROUPS_EXT_NAME, ZE_SUBGROUP_EXT_VERSION_CURRENT)                                        \
  X(FAKE_BINDLESS_NAME, ZE_MAKE_VERSION(1, 0))                                                     \
  X(FAKE_SEMAPHORES_NAME, ZE_MAKE_VERSION(1, 0))                                                   \
  X(ZE_MEMORY_FREE_POLICIES_EXT_NAME, ZE_MEMORY_FREE_POLICIES_EXT_VERSION_CURRENT)                 \
  X(ZE_DEVICE_MEMORY_PROPERTIES_EXT_NAME, ZE_DEVICE_MEMORY_PROPERTIES_EXT_VERSION_CURRENT)

static fake_driver *drivers[FAKE_DRIVERS_MAX];
static bool made;

static fake_device *make_device(fake_driver *driver, fake_device *root, uint32_t index) {
  fake_device *device = fake_new(FAKE_DEVICE, sizeof *device, NULL, false);
  device->driver = driver;
  device->root = root ? root : device;
  device->index = index;
  if (root)
    return device;
  device->part_count = fake_environment.parts;
  for (uint32_t i = 0; i < device->part_count; i++)
    device->parts[i] = make_device(driver, device, i);
  return device;
}

void fake_make_drivers(void) {
  if (made)
    return;
  made = true;
  for (uint32_t i = 0; i < fake_environment.drivers; i++) {
    drivers[i] = fake_new(FAKE_DRIVER, sizeof *drivers[i], NULL, false);
    drivers[i]->index = i;
    drivers[i]->device_count = fake_environment.devices;
    for (uint32_t k = 0; k < fake_environment.devices; k++)
      drivers[i]->devices[k] = make_device(drivers[i], NULL, k);
  }
}

ze_result_t zeInit(ze_init_flags_t flags) {
  FAKE_ENTER(zeInit);
  FAKE_REQUIRE(flags <= (ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY), INVALID_ENUMERATION,
               "zeInit: unknown flags in 0x%x", flags);
  if (fake_environment.drivers == 0)
    return fake_deny(ZE_RESULT_ERROR_UNINITIALIZED, "zeInit: FAKE_ZE_DRIVERS is 0");
  const ze_init_flags_t kind = fake_environment.cpu ? 0 : ZE_INIT_FLAG_GPU_ONLY;
  if (flags != 0 && (flags & kind) == 0)
    return fake_deny(ZE_RESULT_ERROR_UNINITIALIZED, "zeInit: no device is of the kinds in 0x%x",
                     flags);
  return ZE_RESULT_SUCCESS;
}

uint32_t fake_give(uint32_t *count, bool place, uint32_t available) {
  if (*count == 0 || *count > available)
    *count = available;
  return place ? *count : 0;
}

ze_result_t zeDriverGet(uint32_t *count, ze_driver_handle_t *ret) {
  FAKE_ENTER(zeDriverGet);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeDriverGet: pCount is NULL");
  const uint32_t given = fake_give(count, ret != NULL, fake_environment.drivers);
  for (uint32_t i = 0; i < given; i++)
    ret[i] = FAKE_HANDLE(ze_driver_handle_t, drivers[i]);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetApiVersion(ze_driver_handle_t handle, ze_api_version_t *version) {
  FAKE_ENTER(zeDriverGetApiVersion);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_REQUIRE(version, INVALID_NULL_POINTER, "zeDriverGetApiVersion: version is NULL");
  *version = fake_environment.version;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetProperties(ze_driver_handle_t handle, ze_driver_properties_t *properties) {
  FAKE_ENTER(zeDriverGetProperties);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_STRUCT(properties, DRIVER_PROPERTIES);
  memset(&properties->uuid, 0, sizeof properties->uuid);
  memcpy(properties->uuid.id, "specpi ze tests", sizeof "specpi ze tests");
  properties->uuid.id[ZE_MAX_DRIVER_UUID_SIZE - 1] = (uint8_t)driver->index;
  properties->driverVersion = 0x01030500 + driver->index;
  ze_driver_memory_free_ext_properties_t *policies =
      fake_next(properties->pNext, ZE_STRUCTURE_TYPE_DRIVER_MEMORY_FREE_EXT_PROPERTIES);
  if (policies)
    policies->freePolicies = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE |
                             ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetIpcProperties(ze_driver_handle_t handle,
                                     ze_driver_ipc_properties_t *properties) {
  FAKE_ENTER(zeDriverGetIpcProperties);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_STRUCT(properties, DRIVER_IPC_PROPERTIES);
  properties->flags = ZE_IPC_PROPERTY_FLAG_MEMORY;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDriverGetExtensionProperties(ze_driver_handle_t handle, uint32_t *count,
                                           ze_driver_extension_properties_t *ret) {
  FAKE_ENTER(zeDriverGetExtensionProperties);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeDriverGetExtensionProperties: pCount is NULL");
  static const ze_driver_extension_properties_t all[] = {
#define EXTENSION(name, version) {name, (uint32_t)(version)},
      EXTENSIONS(EXTENSION)
#undef EXTENSION
  };
  ze_driver_extension_properties_t there[sizeof all / sizeof all[0]];
  uint32_t available = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!fake_is_left_out(all[i].name))
      there[available++] = all[i];
  const uint32_t given = fake_give(count, ret != NULL, available);
  for (uint32_t i = 0; i < given; i++)
    ret[i] = there[i];
  return ZE_RESULT_SUCCESS;
}

static fake_function *find_other(const char *name) {
  static const struct {
    const char *name;
    fake_function *function;
  } others[] = {
#define OTHER(symbol, parameters) {#symbol, (fake_function *)symbol},
      FAKE_OTHERS(OTHER)
#undef OTHER
  };
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strcmp(others[i].name, name) == 0)
      return others[i].function;
  return NULL;
}

ze_result_t zeDriverGetExtensionFunctionAddress(ze_driver_handle_t handle, const char *name,
                                                void **ret) {
  FAKE_ENTER(zeDriverGetExtensionFunctionAddress);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_REQUIRE(name && ret, INVALID_NULL_POINTER,
               "zeDriverGetExtensionFunctionAddress: the name or the place is NULL");
  fake_function *function = fake_is_left_out(name) ? NULL : find_other(name);
  if (function) {
    *ret = (void *)(uintptr_t)function;
    return ZE_RESULT_SUCCESS;
  }
  return fake_deny(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                   "zeDriverGetExtensionFunctionAddress: no function %s", name);
}

ze_result_t zeDeviceGet(ze_driver_handle_t handle, uint32_t *count, ze_device_handle_t *ret) {
  FAKE_ENTER(zeDeviceGet);
  FAKE_FIND(fake_driver, driver, handle, DRIVER);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeDeviceGet: pCount is NULL");
  const uint32_t given = fake_give(count, ret != NULL, driver->device_count);
  for (uint32_t i = 0; i < given; i++)
    ret[i] = FAKE_HANDLE(ze_device_handle_t, driver->devices[i]);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetSubDevices(ze_device_handle_t handle, uint32_t *count,
                                  ze_device_handle_t *ret) {
  FAKE_ENTER(zeDeviceGetSubDevices);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER, "zeDeviceGetSubDevices: pCount is NULL");
  const uint32_t given = fake_give(count, ret != NULL, device->part_count);
  for (uint32_t i = 0; i < given; i++)
    ret[i] = FAKE_HANDLE(ze_device_handle_t, device->parts[i]);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeDeviceGetRootDevice(ze_device_handle_t handle, ze_device_handle_t *ret) {
  FAKE_ENTER(zeDeviceGetRootDevice);
  FAKE_FIND(fake_device, device, handle, DEVICE);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeDeviceGetRootDevice: the place is NULL");
  *ret = device == device->root ? NULL : FAKE_HANDLE(ze_device_handle_t, device->root);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t enter_view(void) {
  FAKE_ENTER(zeImageViewCreateExt);
  return ZE_RESULT_SUCCESS;
}

/* The extension functions do the same as the older experimental ones. */
ze_result_t zeImageViewCreateExt(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_image_desc_t *desc, ze_image_handle_t image,
                                 ze_image_handle_t *ret) {
  FAKE_TRY(enter_view());
  return zeImageViewCreateExp(context, device, desc, image, ret);
}
