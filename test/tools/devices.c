/*
 * The public API over two fake plugins in SPECPI_PLUGIN_PATH (fakes/plugins): opencl and
 * level_zero. The first case makes the first call from several threads at once.
 */
#define _GNU_SOURCE /* setenv */
#include "../support/tests.h"

#include <specpi/specpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROOM = 64 };

static const struct {
  const char *selector;
  const char *devices; /* selectors of the expected devices */
} selections[] = {
    {"", "opencl:0 opencl:1 opencl:2 opencl:3 level_zero:0 level_zero:1 level_zero:2 level_zero:3"},
    {"*:*",
     "opencl:0 opencl:1 opencl:2 opencl:3 level_zero:0 level_zero:1 level_zero:2 level_zero:3"},
    {"opencl:*", "opencl:0 opencl:1 opencl:2 opencl:3"},
    {"level_zero:gpu", "level_zero:0 level_zero:3"},
    {"opencl:cpu", "opencl:1"},
    {"opencl:fpga", "opencl:2"},
    {"*:acc", "opencl:2 level_zero:2"},
    {"opencl:2", "opencl:2"},
    {"opencl:3,0", "opencl:0 opencl:3"},
    {"opencl:4", ""},
    {"cuda:*", ""},
    {"hip:*;native_cpu:*", ""},
    {"level_zero:0;opencl:0", "opencl:0 level_zero:0"},
    {"opencl:0,gpu,*", "opencl:0 opencl:1 opencl:2 opencl:3"},
    {"opencl:0.*", "opencl:0.0 opencl:0.1"},
    {"opencl:0.1", "opencl:0.1"},
    {"opencl:0.2", ""},
    {"opencl:1.*", ""},
    {"opencl:1.0", ""},
    {"opencl:*.*", "opencl:0.0 opencl:0.1"},
    {"*:*.*", "opencl:0.0 opencl:0.1 level_zero:0.0 level_zero:0.1"},
    {"opencl:*,*.*", "opencl:0 opencl:0.0 opencl:0.1 opencl:1 opencl:2 opencl:3"},
    {"opencl:0.0.0", "opencl:0.0.0"},
    {"opencl:0.1.*", "opencl:0.1.0 opencl:0.1.1"},
    {"opencl:0.*.*", "opencl:0.0.0 opencl:0.0.1 opencl:0.1.0 opencl:0.1.1"},
    {"opencl:*.*.*", "opencl:0.0.0 opencl:0.0.1 opencl:0.1.0 opencl:0.1.1"},
    {"opencl:0.1,0.1,0.*", "opencl:0.1 opencl:0.0"},
    {"opencl:*;!opencl:0", "opencl:1 opencl:2 opencl:3"},
    {"opencl:gpu;!*:0", "opencl:3"},
    {"!opencl:*", "level_zero:0 level_zero:1 level_zero:2 level_zero:3"},
    {"!*:gpu", "opencl:1 opencl:2 level_zero:1 level_zero:2"},
    {"!*:gpu;!*:cpu", "opencl:2 level_zero:2"},
    {"!*:*", ""},
    {"!cuda:*;!level_zero:*", "opencl:0 opencl:1 opencl:2 opencl:3"},
    {"opencl:*.*;!opencl:0.0", "opencl:0.1"},
    {"opencl:*.*;!opencl:0", ""},
    {"opencl:*.*.*;!opencl:0.1", "opencl:0.0.0 opencl:0.0.1"},
    {"opencl:*;!opencl:0.0", "opencl:0 opencl:1 opencl:2 opencl:3"},
};

static void assert_selects(const char *selector, const char *expected) {
  specpi_device devices[ROOM];
  size_t count;
  assert_int_equal(specpiDevicesGet(selector, ROOM, devices, &count), SPECPI_SUCCESS);
  char text[1024] = "";
  size_t end = 0;
  for (size_t i = 0; i < count; i++)
    end += (size_t)snprintf(text + end, sizeof text - end, "%s%s", i ? " " : "",
                            specpiDeviceGetSelector(devices[i]));
  if (strcmp(text, expected) != 0)
    fail_msg("\"%s\" selects \"%s\" and not \"%s\"", selector, text, expected);
}

static pthread_barrier_t barrier;

static void *race(void *parameter) {
  size_t *count = parameter;
  pthread_barrier_wait(&barrier);
  specpi_device devices[ROOM];
  if (specpiDevicesGet("*:*,*.*,*.*.*", ROOM, devices, count) != SPECPI_SUCCESS)
    *count = 0;
  for (size_t i = 0; i < *count; i++)
    if (strlen(specpiDeviceGetName(devices[i])) == 0)
      *count = 0;
  return NULL;
}

/* The first case: many threads at once make the call that loads the plugins. */
TEST(threads_load_the_plugins_once) {
  pthread_t ids[THREADS];
  size_t counts[THREADS];
  assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&ids[i], NULL, race, &counts[i]), 0);
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(ids[i], NULL), 0);
  pthread_barrier_destroy(&barrier);
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(counts[i], 2 * (4 + 2 + 4));

  /* A fake platform's version is "N.C": its number, and the number of calls of piPluginInit. */
  specpi_device device;
  size_t count;
  assert_int_equal(specpiDevicesGet("opencl:2", 1, &device, &count), SPECPI_SUCCESS);
  assert_string_equal(specpiPlatformGetVersion(specpiDeviceGetPlatform(device)), "1.1");
}

TEST(selects) {
  for (size_t i = 0; i < sizeof selections / sizeof selections[0]; i++)
    assert_selects(selections[i].selector, selections[i].devices);
}

TEST(reads_the_environment) {
  unsetenv("ONEAPI_DEVICE_SELECTOR");
  size_t count;
  assert_int_equal(specpiDevicesGet(NULL, 0, NULL, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 8);
  setenv("ONEAPI_DEVICE_SELECTOR", "opencl:0.*", 1);
  assert_selects(NULL, "opencl:0.0 opencl:0.1");
  setenv("ONEAPI_DEVICE_SELECTOR", "opencl:none", 1);
  count = 99;
  assert_int_equal(specpiDevicesGet(NULL, 0, NULL, &count), SPECPI_ERROR_INVALID_SELECTOR);
  assert_int_equal(count, 99);
  assert_non_null(strstr(specpiGetLastError(), "\"none\" is not a device"));
  unsetenv("ONEAPI_DEVICE_SELECTOR");
}

TEST(fills_what_fits) {
  specpi_device devices[3] = {NULL, NULL, NULL};
  size_t count;
  assert_int_equal(specpiDevicesGet("opencl:*", 2, devices, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 4);
  assert_non_null(devices[0]);
  assert_non_null(devices[1]);
  assert_null(devices[2]);
}

TEST(describes_devices) {
  specpi_device devices[4];
  size_t count;
  assert_int_equal(specpiDevicesGet("opencl:0,0.1,1,2", 4, devices, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 4);
  specpi_device gpu = devices[0];
  specpi_device part = devices[1];
  assert_string_equal(specpiDeviceGetName(gpu), "Fake GPU 0");
  assert_string_equal(specpiDeviceGetVendor(gpu), "Nobody");
  assert_string_equal(specpiDeviceGetVersion(gpu), "Fake 1.0");
  /* The fake plugin does not answer this query. */
  assert_string_equal(specpiDeviceGetDriverVersion(gpu), "");
  assert_int_equal(specpiDeviceGetType(gpu), PI_DEVICE_TYPE_GPU);
  assert_string_equal(specpiDeviceGetTypeName(gpu), "gpu");
  assert_string_equal(specpiDeviceGetTypeName(devices[2]), "cpu");
  assert_string_equal(specpiDeviceGetTypeName(devices[3]), "fpga");
  assert_int_equal(specpiDeviceGetBackend(gpu), SPECPI_BACKEND_OPENCL);
  assert_null(specpiDeviceGetParent(gpu));
  assert_string_equal(specpiDeviceGetName(part), "Fake GPU 0.1");
  assert_ptr_equal(specpiDeviceGetParent(part), gpu);
  assert_ptr_equal(specpiDeviceGetPlatform(part), specpiDeviceGetPlatform(gpu));

  /* The handle works with the functions. */
  char name[32];
  const pi_function_table *pi = specpiDeviceGetFunctions(part);
  assert_int_equal(pi->piDeviceGetInfo(specpiDeviceGetHandle(part), PI_DEVICE_INFO_NAME,
                                       sizeof name, name, NULL),
                   PI_SUCCESS);
  char answer[32] = "";
  size_t size = 99;
  assert_int_equal(specpiDeviceGetInfo(part, PI_DEVICE_INFO_NAME, sizeof answer, answer, &size),
                   SPECPI_SUCCESS);
  assert_string_equal(answer, name);
  assert_int_equal(size, strlen(name) + 1);
  size = 99;
  assert_int_equal(
      specpiDeviceGetInfo(part, PI_DEVICE_INFO_DRIVER_VERSION, sizeof answer, answer, &size),
      SPECPI_ERROR_DRIVER);
  assert_non_null(strstr(specpiGetLastError(), "of opencl:0.1"));
  assert_int_equal(specpiDeviceGetInfo(part, PI_DEVICE_INFO_NAME, 1, answer, &size),
                   SPECPI_ERROR_DRIVER);
  assert_string_equal(answer, name);
  assert_int_equal(size, 99);
  assert_string_equal(name, "Fake GPU 0.1");

  specpi_platform platform = specpiDeviceGetPlatform(devices[3]);
  assert_string_equal(specpiPlatformGetName(platform), "Fake platform 1");
  assert_string_equal(specpiPlatformGetVendor(platform), "Nobody");
  assert_non_null(specpiPlatformGetHandle(platform));
  assert_int_equal(specpiPlatformGetDevices(platform, 0, NULL, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 2);
  specpi_device list[2];
  assert_int_equal(specpiPlatformGetDevices(platform, 2, list, &count), SPECPI_SUCCESS);
  assert_ptr_equal(list[0], devices[3]);
}

TEST(describes_plugins) {
  specpi_plugin plugin;
  size_t count;
  assert_int_equal(specpiPluginsGet(SPECPI_BACKEND_OPENCL, 1, &plugin, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 1);
  assert_int_equal(specpiPluginGetState(plugin), SPECPI_PLUGIN_READY);
  assert_string_equal(specpiPluginGetStateName(plugin), "ready");
  assert_string_equal(specpiPluginGetReason(plugin), "");
  assert_string_equal(specpiPluginGetVersion(plugin), "15.47.1");
  assert_int_equal(specpiPluginGetBackend(plugin), SPECPI_BACKEND_OPENCL);
  const char *path = specpiPluginGetPath(plugin);
  assert_int_equal(path[0], '/');
  assert_non_null(strstr(path, "/libpi_opencl.so"));
  assert_int_equal(specpiPluginGetPlatforms(plugin, 0, NULL, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 2);
  specpi_platform platforms[2];
  assert_int_equal(specpiPluginGetPlatforms(plugin, 2, platforms, &count), SPECPI_SUCCESS);
  assert_ptr_equal(specpiPlatformGetPlugin(platforms[1]), plugin);

  assert_int_equal(specpiPluginsGet(SPECPI_BACKEND_CUDA, 1, &plugin, &count), SPECPI_SUCCESS);
  assert_true(count >= 1);
  assert_int_equal(specpiPluginGetState(plugin), SPECPI_PLUGIN_ABSENT);
  assert_null(specpiPluginGetFunctions(plugin));
  assert_string_equal(specpiPluginGetVersion(plugin), "");
  assert_int_equal(specpiPluginGetPlatforms(plugin, 0, NULL, &count), SPECPI_SUCCESS);
  assert_int_equal(count, 0);
}

/* The fake plugin has only eight functions. The loader adds the others, which fail and say why. */
TEST(fills_holes) {
  specpi_plugin plugin;
  size_t count;
  assert_int_equal(specpiPluginsGet(SPECPI_BACKEND_OPENCL, 1, &plugin, &count), SPECPI_SUCCESS);
  const pi_function_table *pi = specpiPluginGetFunctions(plugin);
  static const char *const names[] = {
#define PI_FUNCTION(name, since, parameters, arguments) #name,
#include <pi/pi_functions.def>
  };
  size_t holes = 0;
  for (size_t i = 0; i < PI_FUNCTION_COUNT; i++) {
    void (*entry)(void);
    memcpy(&entry, (const char *)pi + i * sizeof entry, sizeof entry);
    assert_true(entry != NULL);
    holes += strstr(specpiPluginGetMissing(plugin), names[i]) != NULL;
  }
  assert_int_equal(holes, PI_FUNCTION_COUNT - 8);
  assert_null(strstr(specpiPluginGetMissing(plugin), "piDevicesGet"));
  pi_context context = NULL;
  assert_int_equal(pi->piContextCreate(NULL, 0, NULL, NULL, NULL, &context),
                   PI_ERROR_UNSUPPORTED_FEATURE);
  assert_null(context);
  assert_string_equal(specpiGetLastError(), "the plugin has no piContextCreate");
  assert_int_equal(pi->piQueueFinish(NULL), PI_ERROR_UNSUPPORTED_FEATURE);
  assert_string_equal(specpiGetLastError(), "the plugin has no piQueueFinish");
}

#define REFUSES(call, sentence)                                                                    \
  do {                                                                                             \
    assert_int_equal((call), SPECPI_ERROR_INVALID_ARGUMENT);                                       \
    assert_string_equal(specpiGetLastError(), (sentence));                                         \
  } while (0)

TEST(refuses_null) {
  size_t count = 99;
  specpi_device device;
  specpi_plugin plugin;
  assert_int_equal(specpiDevicesGet("opencl:0", 1, &device, &count), SPECPI_SUCCESS);
  assert_int_equal(specpiPluginsGet(SPECPI_BACKEND_OPENCL, 1, &plugin, &count), SPECPI_SUCCESS);
  count = 99;
  REFUSES(specpiDevicesGet("", 0, NULL, NULL), "count is NULL");
  REFUSES(specpiDevicesGet("", 3, NULL, &count), "devices is NULL and capacity is 3");
  REFUSES(specpiPluginsGet(SPECPI_BACKEND_OPENCL, 0, NULL, NULL), "count is NULL");
  REFUSES(specpiPluginsGet(SPECPI_BACKEND_OPENCL, 1, NULL, &count),
          "plugins is NULL and capacity is 1");
  REFUSES(specpiPluginsGet(SPECPI_BACKEND_COUNT, 0, NULL, &count), "3 is not a backend");
  REFUSES(specpiPluginDirectoriesGet(0, NULL, NULL), "count is NULL");
  REFUSES(specpiPluginDirectoriesGet(2, NULL, &count), "directories is NULL and capacity is 2");
  REFUSES(specpiPluginGetPlatforms(NULL, 0, NULL, &count), "plugin is NULL");
  REFUSES(specpiPluginGetPlatforms(plugin, 1, NULL, &count), "platforms is NULL and capacity is 1");
  REFUSES(specpiPlatformGetDevices(NULL, 0, NULL, &count), "platform is NULL");
  REFUSES(specpiPlatformGetDevices(specpiDeviceGetPlatform(device), 0, NULL, NULL),
          "count is NULL");
  assert_int_equal(count, 99);

  REFUSES(specpiDeviceGetInfo(NULL, PI_DEVICE_INFO_NAME, 0, NULL, &count), "device is NULL");
  assert_null(specpiDeviceGetName(NULL));
  assert_null(specpiDeviceGetTypeName(NULL));
  assert_null(specpiDeviceGetFunctions(NULL));
  assert_null(specpiDeviceGetHandle(NULL));
  assert_int_equal(specpiDeviceGetType(NULL), 0);
  assert_int_equal(specpiDeviceGetBackend(NULL), SPECPI_BACKEND_COUNT);
  assert_int_equal(specpiPluginGetState(NULL), SPECPI_PLUGIN_ABSENT);
  assert_int_equal(specpiPluginGetBackend(NULL), SPECPI_BACKEND_COUNT);
  assert_null(specpiPluginGetStateName(NULL));
  assert_null(specpiPlatformGetName(NULL));
  assert_null(specpiBackendGetName(SPECPI_BACKEND_COUNT));
  assert_null(specpiBackendGetFileName((specpi_backend)-1));
}

TEST(names_results) {
#define SPECPI_RESULT(name, value, text)                                                           \
  assert_int_equal(name, value);                                                                   \
  assert_string_equal(specpiResultGetName(name), #name);                                           \
  assert_string_equal(specpiResultGetText(name), text);
  SPECPI_RESULTS(SPECPI_RESULT)
#undef SPECPI_RESULT
  assert_string_equal(specpiResultGetName((specpi_result)-12345), "?");
  assert_string_equal(specpiResultGetText((specpi_result)-12345), "?");
  assert_string_equal(specpiGetVersion(), SPECPI_VERSION_STRING);
}
