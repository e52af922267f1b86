#include "device.h"

#include <stdio.h>
#include <stdlib.h>

void bench_check(const pi_function_table *pi, pi_result result, const char *call) {
  if (result == PI_SUCCESS)
    return;
  char *sentence = NULL;
  pi->piPluginGetLastError(&sentence);
  bench_die("%s returned %d: %s", call, (int)result, sentence ? sentence : "");
}

bench_device bench_device_open(void) {
  const char *selector = getenv("ONEAPI_DEVICE_SELECTOR") ? NULL : "opencl:cpu";
  specpi_device first;
  size_t count = 0;
  if (specpiDevicesGet(selector, 1, &first, &count) != SPECPI_SUCCESS)
    bench_die("%s", specpiGetLastError());
  if (count == 0)
    bench_die("there is no device to measure; specpi doctor says why");

  bench_device device = {
      .pi = specpiDeviceGetFunctions(first),
      .plugin = specpiPluginGetPath(specpiPlatformGetPlugin(specpiDeviceGetPlatform(first))),
      .name = specpiDeviceGetName(first),
      .driver_version = specpiDeviceGetDriverVersion(first),
      .specpi = first,
      .device = specpiDeviceGetHandle(first),
  };
  BENCH_PI(&device, piContextCreate, NULL, 1, &device.device, NULL, NULL, &device.context);
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  BENCH_PI(&device, piextQueueCreate, device.context, device.device, in_order, &device.queue);
  return device;
}

void bench_device_close(bench_device *device) {
  BENCH_PI(device, piQueueRelease, device->queue);
  BENCH_PI(device, piContextRelease, device->context);
}

void bench_device_print(const bench_device *device) {
  printf("  device  %s, driver %s\n  plugin  %s\n\n", device->name, device->driver_version,
         device->plugin);
}

json_t *bench_device_json(const bench_device *device) {
  return json_pack("{s:s, s:s, s:s}", "name", device->name, "driver_version",
                   device->driver_version, "plugin", device->plugin);
}

pi_program bench_program(const bench_device *device, const unsigned char *begin,
                         const unsigned char *end) {
  pi_program program;
  BENCH_PI(device, piProgramCreate, device->context, begin, (size_t)(end - begin), &program);
  return program;
}

pi_kernel bench_kernel(const bench_device *device, pi_program program, const char *name) {
  BENCH_PI(device, piProgramBuild, program, 1, &device->device, "", NULL, NULL);
  pi_kernel kernel;
  BENCH_PI(device, piKernelCreate, program, name, &kernel);
  BENCH_PI(device, piProgramRelease, program);
  return kernel;
}

pi_mem bench_buffer(const bench_device *device, size_t size, const void *data) {
  const pi_mem_flags flags = PI_MEM_FLAGS_ACCESS_RW | (data ? PI_MEM_FLAGS_HOST_PTR_COPY : 0);
  pi_mem buffer;
  /* The const may be cast away, because with this flag the plugin only reads the memory. */
  BENCH_PI(device, piMemBufferCreate, device->context, flags, size, (void *)(uintptr_t)data,
           &buffer, NULL);
  return buffer;
}

void bench_read(const bench_device *device, pi_mem buffer, size_t size, void *data) {
  BENCH_PI(device, piEnqueueMemBufferRead, device->queue, buffer, PI_TRUE, 0, size, data, 0, NULL,
           NULL);
}

void bench_set_buffer(const bench_device *device, pi_kernel kernel, pi_uint32 index,
                      pi_mem buffer) {
  BENCH_PI(device, piextKernelSetArgMemObj, kernel, index, NULL, &buffer);
}

void bench_set_int(const bench_device *device, pi_kernel kernel, pi_uint32 index, int value) {
  BENCH_PI(device, piKernelSetArg, kernel, index, sizeof value, &value);
}

uint32_t bench_number(const bench_device *device, pi_program program, const char *name) {
  pi_kernel kernel;
  BENCH_PI(device, piKernelCreate, program, name, &kernel);
  const pi_mem out = bench_buffer(device, sizeof(uint32_t), NULL);
  bench_set_buffer(device, kernel, 0, out);
  const size_t one = 1;
  BENCH_PI(device, piEnqueueKernelLaunch, device->queue, kernel, 1, NULL, &one, NULL, 0, NULL,
           NULL);
  uint32_t number = 0;
  bench_read(device, out, sizeof number, &number);
  BENCH_PI(device, piMemRelease, out);
  BENCH_PI(device, piKernelRelease, kernel);
  return number;
}
