/* The functions of the public API that report properties of plugins, platforms and devices. */
#include "driver_error.h"
#include "loader.h"

static const char *const state_names[] = {
#define SPECPI_PLUGIN_STATE(NAME, name) #name,
    SPECPI_PLUGIN_STATES(SPECPI_PLUGIN_STATE)
#undef SPECPI_PLUGIN_STATE
};

specpi_result specpiPluginsGet(specpi_backend backend, size_t capacity, specpi_plugin *plugins,
                               size_t *count) {
  ERROR_REQUIRE((size_t)backend < SPECPI_BACKEND_COUNT, "%d is not a backend", (int)backend);
  ERROR_REQUIRE_LIST(plugins, capacity, count);
  const loader_result *loaded;
  ERROR_TRY(loader_get(backend, &loaded));
  for (size_t i = 0; i < loaded->tried_count && i < capacity; i++)
    plugins[i] = loaded->tried[i];
  *count = loaded->tried_count;
  return SPECPI_SUCCESS;
}

specpi_backend specpiPluginGetBackend(specpi_plugin plugin) {
  return plugin ? plugin->backend : SPECPI_BACKEND_COUNT;
}

specpi_plugin_state specpiPluginGetState(specpi_plugin plugin) {
  return plugin ? plugin->state : SPECPI_PLUGIN_ABSENT;
}

const char *specpiPluginGetStateName(specpi_plugin plugin) {
  return plugin ? state_names[plugin->state] : NULL;
}

const char *specpiPluginGetPath(specpi_plugin plugin) {
  return plugin ? plugin->path : NULL;
}

const char *specpiPluginGetReason(specpi_plugin plugin) {
  return plugin ? plugin->reason : NULL;
}

const char *specpiPluginGetVersion(specpi_plugin plugin) {
  return plugin ? plugin->version : NULL;
}

specpi_driver_state specpiPluginGetDriverState(specpi_plugin plugin) {
  return plugin ? plugin->driver : SPECPI_DRIVER_UNKNOWN;
}

const char *specpiPluginGetMissing(specpi_plugin plugin) {
  return plugin ? plugin->missing : NULL;
}

const pi_function_table *specpiPluginGetFunctions(specpi_plugin plugin) {
  return plugin ? plugin->calls : NULL;
}

specpi_result specpiPluginGetPlatforms(specpi_plugin plugin, size_t capacity,
                                       specpi_platform *platforms, size_t *count) {
  ERROR_REQUIRE(plugin, "plugin is NULL");
  ERROR_REQUIRE_LIST(platforms, capacity, count);
  for (size_t i = 0; i < plugin->platform_count && i < capacity; i++)
    platforms[i] = &plugin->platforms[i];
  *count = plugin->platform_count;
  return SPECPI_SUCCESS;
}

specpi_plugin specpiPlatformGetPlugin(specpi_platform platform) {
  return platform ? platform->plugin : NULL;
}

const char *specpiPlatformGetName(specpi_platform platform) {
  return platform ? platform->name : NULL;
}

const char *specpiPlatformGetVendor(specpi_platform platform) {
  return platform ? platform->vendor : NULL;
}

const char *specpiPlatformGetVersion(specpi_platform platform) {
  return platform ? platform->version : NULL;
}

pi_platform specpiPlatformGetHandle(specpi_platform platform) {
  return platform ? platform->handle : NULL;
}

specpi_result specpiPlatformGetDevices(specpi_platform platform, size_t capacity,
                                       specpi_device *devices, size_t *count) {
  ERROR_REQUIRE(platform, "platform is NULL");
  ERROR_REQUIRE_LIST(devices, capacity, count);
  for (size_t i = 0; i < platform->device_count && i < capacity; i++)
    devices[i] = &platform->devices[i];
  *count = platform->device_count;
  return SPECPI_SUCCESS;
}

const char *specpiDeviceGetSelector(specpi_device device) {
  return device ? device->selector : NULL;
}

const char *specpiDeviceGetName(specpi_device device) {
  return device ? device->name : NULL;
}

const char *specpiDeviceGetVendor(specpi_device device) {
  return device ? device->vendor : NULL;
}

const char *specpiDeviceGetVersion(specpi_device device) {
  return device ? device->version : NULL;
}

const char *specpiDeviceGetDriverVersion(specpi_device device) {
  return device ? device->driver_version : NULL;
}

pi_device_type specpiDeviceGetType(specpi_device device) {
  return device ? device->place.type & ~(pi_device_type)PI_DEVICE_TYPE_DEFAULT : 0;
}

const char *specpiDeviceGetTypeName(specpi_device device) {
  if (!device)
    return NULL;
  switch (specpiDeviceGetType(device)) {
  case PI_DEVICE_TYPE_CPU:
    return "cpu";
  case PI_DEVICE_TYPE_GPU:
    return "gpu";
  case PI_DEVICE_TYPE_ACC:
    return "fpga";
  default:
    return "unknown";
  }
}

specpi_backend specpiDeviceGetBackend(specpi_device device) {
  return device ? device->platform->plugin->backend : SPECPI_BACKEND_COUNT;
}

specpi_device specpiDeviceGetParent(specpi_device device) {
  return device ? device->parent : NULL;
}

specpi_platform specpiDeviceGetPlatform(specpi_device device) {
  return device ? device->platform : NULL;
}

pi_device specpiDeviceGetHandle(specpi_device device) {
  return device ? device->handle : NULL;
}

const pi_function_table *specpiDeviceGetFunctions(specpi_device device) {
  return device ? device->platform->plugin->calls : NULL;
}

specpi_result specpiDeviceGetInfo(specpi_device device, pi_device_info query, size_t size,
                                  void *value, size_t *actual_size) {
  ERROR_REQUIRE(device, "device is NULL");
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  size_t found = 0;
  DRIVER_TRY(pi, pi->piDeviceGetInfo(device->handle, query, 0, NULL, &found), "query 0x%x of %s",
             (unsigned)query, specpiDeviceGetSelector(device));
  if (value)
    DRIVER_TRY(pi, pi->piDeviceGetInfo(device->handle, query, size, value, NULL),
               "query 0x%x of %s, whose answer has %zu bytes, with space for %zu", (unsigned)query,
               specpiDeviceGetSelector(device), found, size);
  if (actual_size)
    *actual_size = found;
  return SPECPI_SUCCESS;
}
