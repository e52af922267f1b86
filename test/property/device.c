#include "device.h"

#include "memory.h"

#include <specpi/specpi.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const pi_function_table *pi;
static specpi_device chosen;
static pi_device device;
static pi_context context;
static pi_queue queue;
static char sentence[4096];

static bool check(pi_result result, const char *call) {
  if (result == PI_SUCCESS)
    return true;
  char *text = NULL;
  pi->piPluginGetLastError(&text);
  snprintf(sentence, sizeof sentence, "%s returned %d: %s", call, (int)result,
           text != NULL ? text : "");
  return false;
}

#define TRY(function, ...) check(pi->function(__VA_ARGS__), #function)

void device_open(void) {
  size_t count;
  const char *selector = getenv("ONEAPI_DEVICE_SELECTOR") != NULL ? NULL : "opencl:cpu";
  if (specpiDevicesGet(selector, 1, &chosen, &count) != SPECPI_SUCCESS)
    property_die("%s", specpiGetLastError());
  if (count == 0)
    property_die("there is no device; specpi doctor says why");
  pi = specpiDeviceGetFunctions(chosen);
  device = specpiDeviceGetHandle(chosen);
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  if (!TRY(piContextCreate, NULL, 1, &device, NULL, NULL, &context) ||
      !TRY(piextQueueCreate, context, device, in_order, &queue))
    property_die("%s", sentence);
}

void device_close(void) {
  TRY(piQueueRelease, queue);
  TRY(piContextRelease, context);
}

const char *device_name(void) {
  return specpiDeviceGetName(chosen);
}

const char *device_error(void) {
  return sentence;
}

/* Adds the build's log to the sentence. */
static void add_log(pi_program program) {
  size_t size = 0;
  if (pi->piProgramGetBuildInfo(program, device, PI_PROGRAM_BUILD_INFO_LOG, 0, NULL, &size) !=
      PI_SUCCESS)
    return;
  char *log = memory_new(size + 1);
  pi->piProgramGetBuildInfo(program, device, PI_PROGRAM_BUILD_INFO_LOG, size, log, NULL);
  const size_t length = strlen(sentence);
  snprintf(sentence + length, sizeof sentence - length, "\n%s", log);
}

bool device_build(const void *spirv, size_t size, const device_value *values, size_t count,
                  pi_program *ret) {
  pi_program program;
  if (!TRY(piProgramCreate, context, spirv, size, &program))
    return false;
  bool good = true;
  for (size_t i = 0; i < count && good; i++)
    good = TRY(piextProgramSetSpecializationConstant, program, values[i].id, values[i].size,
               values[i].value);
  if (good && !TRY(piProgramBuild, program, 1, &device, "", NULL, NULL)) {
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
  pi->piProgramRelease(program);
}

bool device_buffer(const void *data, size_t size, pi_mem *ret) {
  const pi_mem_flags flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
  /* With this flag the memory is only read. */
  return TRY(piMemBufferCreate, context, flags, size != 0 ? size : 1,
             size != 0 ? (void *)(uintptr_t)data : (void *)&(char){0}, ret, NULL);
}

bool device_read(pi_mem buffer, size_t size, void *data) {
  return TRY(piEnqueueMemBufferRead, queue, buffer, PI_TRUE, 0, size, data, 0, NULL, NULL);
}

void device_release_buffer(pi_mem buffer) {
  pi->piMemRelease(buffer);
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
  const bool good = set_arguments(kernel, arguments) &&
                    TRY(piEnqueueKernelLaunch, queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) &&
                    TRY(piQueueFinish, queue);
  pi->piKernelRelease(kernel);
  return good;
}
