/*
 * A plugin without a driver, for tests of the loader. It supports only the calls with which a
 * runtime lists devices. Macros choose its behaviour at compile time:
 *
 *   FAKE_NO_SYMBOL       it has no piPluginInit
 *   FAKE_INIT_FAILS      piPluginInit refuses
 *   FAKE_EMPTY           piPluginInit succeeds and fills in only the version
 *   FAKE_VERSION         the version that it reports, a string
 *   FAKE_OVERRUN         it writes past the end of the table
 *   FAKE_NO_PLATFORM     it has no platform, and reports a reason
 *   FAKE_NO_DEVICE       it has a platform without devices
 *   FAKE_PLATFORMS_FAIL  piPlatformsGet fails
 *   FAKE_SECOND_FAILS    piDevicesGet fails for platform 1
 *   FAKE_CRASHES         piPlatformsGet ends the process with SIGABRT, which sanitizers ignore
 *   FAKE_CRASHES_LATE    piTearDown ends the process in the same way
 *   FAKE_EXITS           piPlatformsGet ends the process with exit status 0
 *   FAKE_NEEDS_MISSING   it needs a symbol that no library has
 *   FAKE_NAME            the prefix of names, a string
 *
 * Platform 0 has a GPU (0), which has two parts of two parts each, and a CPU (1). Platform 1 has an
 * accelerator (2) and a GPU (3), which cannot be partitioned.
 *
 * Like a driver's, its state is destroyed at exit. A later piTearDown ends the process.
 */
#include <pi/pi.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FAKE_VERSION
#define FAKE_VERSION PI_VERSION_STRING ".1"
#endif
#ifndef FAKE_NAME
#define FAKE_NAME "Fake"
#endif

#define EXPORT __attribute__((visibility("default")))

#ifdef FAKE_EMPTY
enum { FILLS_IN = 0 };
#else
enum { FILLS_IN = 1 };
#endif

#if defined FAKE_NO_PLATFORM
enum { PLATFORMS = 0, HAS_DEVICES = 0 };
#elif defined FAKE_NO_DEVICE
enum { PLATFORMS = 1, HAS_DEVICES = 0 };
#else
enum { PLATFORMS = 2, HAS_DEVICES = 1 };
#endif

enum { ROOTS = 4, PARTS = 2 };

typedef struct fake_device {
  const char *name;
  pi_device_type type;
  unsigned platform;
  struct fake_device *parts; /* array of PARTS elements, or NULL */
} fake_device;

static fake_device sub_sub_devices[PARTS][PARTS] = {
    {{FAKE_NAME " GPU 0.0.0", PI_DEVICE_TYPE_GPU, 0, NULL},
     {FAKE_NAME " GPU 0.0.1", PI_DEVICE_TYPE_GPU, 0, NULL}},
    {{FAKE_NAME " GPU 0.1.0", PI_DEVICE_TYPE_GPU, 0, NULL},
     {FAKE_NAME " GPU 0.1.1", PI_DEVICE_TYPE_GPU, 0, NULL}},
};
static fake_device sub_devices[PARTS] = {
    {FAKE_NAME " GPU 0.0", PI_DEVICE_TYPE_GPU, 0, sub_sub_devices[0]},
    {FAKE_NAME " GPU 0.1", PI_DEVICE_TYPE_GPU, 0, sub_sub_devices[1]},
};
static fake_device roots[ROOTS] = {
    {FAKE_NAME " GPU 0", PI_DEVICE_TYPE_GPU, 0, sub_devices},
    {FAKE_NAME " CPU 1", PI_DEVICE_TYPE_CPU, 0, NULL},
    {FAKE_NAME " accelerator 2", PI_DEVICE_TYPE_ACC, 1, NULL},
    {FAKE_NAME " GPU 3", PI_DEVICE_TYPE_GPU, 1, NULL},
};

static char platforms[2];

/* Number of calls of piPluginInit, with which tests check that there is one per process. */
static atomic_int inits;

static pi_result answer(const void *bytes, size_t size, size_t room, void *value,
                        size_t *size_ret) {
  if (value && room < size)
    return PI_ERROR_INVALID_VALUE;
  if (value)
    memcpy(value, bytes, size);
  if (size_ret)
    *size_ret = size;
  return PI_SUCCESS;
}

static pi_result platforms_get(pi_uint32 num_entries, pi_platform *list, pi_uint32 *count) {
#ifdef FAKE_CRASHES
  raise(SIGABRT);
#endif
#ifdef FAKE_EXITS
  exit(0);
#endif
#ifdef FAKE_PLATFORMS_FAIL
  (void)num_entries, (void)list, (void)count;
  return PI_ERROR_OUT_OF_RESOURCES;
#endif
  const pi_uint32 total = PLATFORMS;
  for (pi_uint32 i = 0; list && i < total && i < num_entries; i++)
    list[i] = (pi_platform)(void *)&platforms[i];
  if (count)
    *count = total;
  return PI_SUCCESS;
}

static pi_result platform_get_info(pi_platform platform, pi_platform_info query, size_t room,
                                   void *value, size_t *size_ret) {
  char text[64];
  const int number = (char *)platform == &platforms[1];
  switch (query) {
  case PI_PLATFORM_INFO_NAME:
    snprintf(text, sizeof text, "%s platform %d", FAKE_NAME, number);
    break;
  case PI_PLATFORM_INFO_VENDOR:
    snprintf(text, sizeof text, "Nobody");
    break;
  case PI_PLATFORM_INFO_VERSION:
    snprintf(text, sizeof text, "%d.%d", number, inits);
    break;
  default:
    return PI_ERROR_INVALID_VALUE;
  }
  return answer(text, strlen(text) + 1, room, value, size_ret);
}

static pi_result devices_get(pi_platform platform, pi_device_type type, pi_uint32 num_entries,
                             pi_device *list, pi_uint32 *count) {
  pi_uint32 total = 0;
  const unsigned number = (char *)platform == &platforms[1];
#ifdef FAKE_SECOND_FAILS
  if (number == 1)
    return PI_ERROR_OUT_OF_RESOURCES;
#endif
  for (unsigned i = 0; i < ROOTS; i++) {
    if (roots[i].platform != number || !HAS_DEVICES || !(roots[i].type & type))
      continue;
    if (list && total < num_entries)
      list[total] = (pi_device)(void *)&roots[i];
    total++;
  }
  if (count)
    *count = total;
  return PI_SUCCESS;
}

static pi_result device_get_info(pi_device handle, pi_device_info query, size_t room, void *value,
                                 size_t *size_ret) {
  const fake_device *device = (const fake_device *)(void *)handle;
  const pi_device_partition_property properties[] = {PI_DEVICE_PARTITION_EQUALLY,
                                                     PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};
  const pi_device_affinity_domain domains = PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  switch (query) {
  case PI_DEVICE_INFO_TYPE:
    return answer(&device->type, sizeof device->type, room, value, size_ret);
#ifdef FAKE_IL
  case PI_DEVICE_INFO_IL_VERSION:
    return answer(FAKE_IL, sizeof FAKE_IL, room, value, size_ret);
#endif
  case PI_DEVICE_INFO_NAME:
    return answer(device->name, strlen(device->name) + 1, room, value, size_ret);
  case PI_DEVICE_INFO_VENDOR:
    return answer("Nobody", sizeof "Nobody", room, value, size_ret);
  case PI_DEVICE_INFO_VERSION:
    return answer("Fake 1.0", sizeof "Fake 1.0", room, value, size_ret);
  case PI_DEVICE_INFO_PARTITION_PROPERTIES:
    return answer(properties, device->parts ? sizeof properties : sizeof properties[0], room, value,
                  size_ret);
  case PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN:
    return answer(&domains, sizeof domains, room, value, size_ret);
  default:
    /* Other queries fail, such as the driver version, because devices need not support all. */
    return PI_ERROR_INVALID_VALUE;
  }
}

static pi_result device_partition(pi_device handle, const pi_device_partition_property *properties,
                                  pi_uint32 num_devices, pi_device *list, pi_uint32 *count) {
  const fake_device *device = (const fake_device *)(void *)handle;
  if (!device->parts || properties[0] != PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN ||
      properties[1] != PI_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE || properties[2] != 0)
    return PI_ERROR_DEVICE_PARTITION_FAILED;
  for (pi_uint32 i = 0; list && i < PARTS && i < num_devices; i++)
    list[i] = (pi_device)(void *)&device->parts[i];
  if (count)
    *count = PARTS;
  return PI_SUCCESS;
}

static pi_result device_release(pi_device device) {
  (void)device;
  return PI_SUCCESS;
}

static pi_result get_last_error(char **message) {
  static char text[] = FAKE_NAME " driver is not installed";
#if defined FAKE_NO_PLATFORM || defined FAKE_PLATFORMS_FAIL
  *message = text;
#else
  (void)text;
  *message = NULL;
#endif
  return PI_SUCCESS;
}

static int has_ended;

static void end_plugin(void) {
  has_ended = 1;
}

static pi_result tear_down(void *parameter) {
  (void)parameter;
#ifdef FAKE_CRASHES_LATE
  raise(SIGABRT);
#endif
  if (has_ended) {
    fputs(FAKE_NAME ": piTearDown came after the end of the driver\n", stderr);
    _exit(70);
  }
  return PI_SUCCESS;
}

static const pi_function_table functions = {
    .piPlatformsGet = platforms_get,
    .piPlatformGetInfo = platform_get_info,
    .piDevicesGet = devices_get,
    .piDeviceGetInfo = device_get_info,
    .piDevicePartition = device_partition,
    .piDeviceRelease = device_release,
    .piPluginGetLastError = get_last_error,
    .piTearDown = tear_down,
};

#ifdef FAKE_NEEDS_MISSING
void symbol_that_is_nowhere(void);
EXPORT void fake_needs(void);
void fake_needs(void) {
  symbol_that_is_nowhere();
}
#endif

#ifdef FAKE_NO_SYMBOL
#define piPluginInit fake_plugin_init
pi_result fake_plugin_init(pi_plugin *plugin_info);
#endif

EXPORT pi_result piPluginInit(pi_plugin *plugin_info) {
#ifdef FAKE_INIT_FAILS
  (void)plugin_info;
  return PI_ERROR_INVALID_OPERATION;
#endif
  if (inits++ == 0)
    atexit(end_plugin);
  snprintf(plugin_info->PluginVersion, PI_VERSION_SIZE, "%s", FAKE_VERSION);
  if (FILLS_IN)
    plugin_info->PiFunctionTable = functions;
#ifdef FAKE_OVERRUN
  memset(plugin_info + 1, 0xa5, 64);
#endif
  return PI_SUCCESS;
}
