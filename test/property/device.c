#include "device.h"

#include "memory.h"

#include <specpi/specpi.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MAX = 2 };

typedef struct opened {
  specpi_device chosen;
  const pi_function_table *pi;
  pi_device device;
  pi_context context;
  pi_queue queue;
} opened;

static opened all[DEVICES_MAX];
static unsigned count_of_all;
static opened *now = all;
static char sentence[4096];

static bool check(pi_result result, const char *call) {
  if (result == PI_SUCCESS)
    return true;
  char *text = NULL;
  now->pi->piPluginGetLastError(&text);
  snprintf(sentence, sizeof sentence, "%s returned %d: %s", call, (int)result,
           text != NULL ? text : "");
  return false;
}

#define TRY(function, ...) check(now->pi->function(__VA_ARGS__), #function)

bool device_open(const char *selector) {
  size_t count;
  if (selector == NULL && getenv("ONEAPI_DEVICE_SELECTOR") == NULL)
    selector = "opencl:cpu";
  if (count_of_all == DEVICES_MAX)
    property_die("there is no place for another device than %d", DEVICES_MAX);
  now = &all[count_of_all];
  if (specpiDevicesGet(selector, 1, &now->chosen, &count) != SPECPI_SUCCESS)
    property_die("%s", specpiGetLastError());
  if (count == 0)
    return false;
  count_of_all++;
  now->pi = specpiDeviceGetFunctions(now->chosen);
  now->device = specpiDeviceGetHandle(now->chosen);
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  if (!TRY(piContextCreate, NULL, 1, &now->device, NULL, NULL, &now->context) ||
      !TRY(piextQueueCreate, now->context, now->device, in_order, &now->queue))
    property_die("%s", sentence);
  return true;
}

void device_choose(unsigned number) {
  now = &all[number];
}

void device_close(void) {
  for (unsigned i = 0; i < count_of_all; i++) {
    device_choose(i);
    TRY(piQueueRelease, now->queue);
    TRY(piContextRelease, now->context);
  }
  count_of_all = 0;
}

const char *device_name(void) {
  return specpiDeviceGetName(now->chosen);
}

const char *device_error(void) {
  return sentence;
}

/* Adds the build's log to the message. */
static void add_log(pi_program program) {
  size_t size = 0;
  if (now->pi->piProgramGetBuildInfo(program, now->device, PI_PROGRAM_BUILD_INFO_LOG, 0, NULL,
                                     &size) != PI_SUCCESS)
    return;
  char *log = memory_new(size + 1);
  now->pi->piProgramGetBuildInfo(program, now->device, PI_PROGRAM_BUILD_INFO_LOG, size, log, NULL);
  const size_t length = strlen(sentence);
  snprintf(sentence + length, sizeof sentence - length, "\n%s", log);
}

bool device_build(const void *spirv, size_t size, const device_value *values, size_t count,
                  pi_program *ret) {
  pi_program program;
  if (!TRY(piProgramCreate, now->context, spirv, size, &program))
    return false;
  bool good = true;
  for (size_t i = 0; i < count && good; i++)
    good = TRY(piextProgramSetSpecializationConstant, program, values[i].id, values[i].size,
               values[i].value);
  if (good && !TRY(piProgramBuild, program, 1, &now->device, "", NULL, NULL)) {
    good = false;
    add_log(program);
  }
  if (good)
    *ret = program;
  else
    device_release(program);
  return good;
}

void device_release(pi_program program) {
  now->pi->piProgramRelease(program);
}

bool device_buffer(const void *data, size_t size, pi_mem *ret) {
  const pi_mem_flags flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
  /* With HOST_PTR_COPY the host's memory is only read, so that the cast is safe. */
  return TRY(piMemBufferCreate, now->context, flags, size != 0 ? size : 1,
             size != 0 ? (void *)(uintptr_t)data : (void *)&(char){0}, ret, NULL);
}

bool device_read(pi_mem buffer, size_t size, void *data) {
  return TRY(piEnqueueMemBufferRead, now->queue, buffer, PI_TRUE, 0, size, data, 0, NULL, NULL);
}

void device_release_buffer(pi_mem buffer) {
  now->pi->piMemRelease(buffer);
}

static bool set_arguments(pi_kernel kernel, const device_arguments *arguments) {
  for (pi_uint32 i = 0; i < arguments->count; i++) {
    const bool good = arguments->items[i] != NULL
                          ? TRY(piextKernelSetArgMemObj, kernel, i, NULL, &arguments->items[i])
                          : TRY(piKernelSetArg, kernel, i, sizeof(pi_int32), &(pi_int32){7});
    if (!good)
      return false;
  }
  return true;
}

bool device_launch(pi_program program, const char *name, const device_arguments *arguments) {
  pi_kernel kernel;
  if (!TRY(piKernelCreate, program, name, &kernel))
    return false;
  const size_t one = 1;
  const size_t *global = arguments->global != 0 ? &arguments->global : &one;
  const size_t *local = arguments->global != 0 ? &arguments->local : NULL;
  const bool good =
      set_arguments(kernel, arguments) &&
      TRY(piEnqueueKernelLaunch, now->queue, kernel, 1, NULL, global, local, 0, NULL, NULL) &&
      TRY(piQueueFinish, now->queue);
  now->pi->piKernelRelease(kernel);
  return good;
}
