/* Platforms, devices, contexts, queues, samplers, and calls without an object. */
#include "scenarios.h"

#include <string.h>

/* A query, and the enumeration that it belongs to. */
typedef struct query {
  const char *type;
  pi_uint32 value;
} query;

static const query queries[] = {
#define PI_QUERY(type, name, value, kind) {#type, (value)},
#include <pi/pi_enums.def>
};

/* Asks for an answer and its size. */
typedef pi_result ask(world *w, pi_uint32 query, size_t size, void *value, size_t *size_ret);

/*
 * Asks all queries of a type. PI_ERROR_INVALID_VALUE, for a query without an answer, is no failure.
 * The outputs are the last query's.
 */
static pi_result ask_all(world *w, const char *type, ask *ask) {
  for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
    if (strcmp(queries[i].type, type) != 0)
      continue;
    outputs_reset(&w->out);
    pi_result result = ask(w, queries[i].value, 0, NULL, &w->out.size);
    if (result == PI_SUCCESS) {
      outputs_reset(&w->out);
      result = ask(w, queries[i].value, sizeof w->out.bytes, w->out.bytes, NULL);
    }
    if (result != PI_SUCCESS && result != PI_ERROR_INVALID_VALUE)
      return result;
  }
  return PI_SUCCESS;
}

CALL(piPlatformsGet) {
  return piPlatformsGet(1, &w->out.platform, &w->out.count);
}

static pi_result ask_platform(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piPlatformGetInfo(w->platform, query, size, value, ret);
}

CALL(piPlatformGetInfo) {
  return ask_all(w, "pi_platform_info", ask_platform);
}

CALL(piextPlatformGetNativeHandle) {
  return expect_where(backend.native_platforms,
                      piextPlatformGetNativeHandle(w->platform, &w->out.native));
}

CALL(piextPlatformCreateWithNativeHandle) {
  return expect_where(backend.native_platforms,
                      piextPlatformCreateWithNativeHandle(w->native.platform, &w->out.platform));
}

CALL(piDevicesGet) {
  return piDevicesGet(w->platform, PI_DEVICE_TYPE_ALL, 1, &w->out.device, &w->out.count);
}

static pi_result ask_device(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piDeviceGetInfo(w->sub_devices[0], (pi_device_info)query, size, value, ret);
}

CALL(piDeviceGetInfo) {
  return ask_all(w, "pi_device_info", ask_device);
}

CALL(piDevicePartition) {
  const pi_result result =
      piDevicePartition(w->device, backend.partition, 2, w->out.devices, &w->out.count);
  /* The code for an unsupported way to partition is PI_ERROR_INVALID_VALUE. */
  return !backend.sub_devices && result == PI_ERROR_INVALID_VALUE ? PI_SUCCESS : result;
}

CALL(piDeviceRetain) {
  const pi_result result = piDeviceRetain(w->sub_devices[0]);
  if (result == PI_SUCCESS)
    w->out.device = w->sub_devices[0];
  return result;
}

CALL(piDeviceRelease) {
  const pi_result result = piDeviceRelease(w->spare.device);
  if (result == PI_SUCCESS)
    w->spare.device = NULL;
  return result;
}

CALL(piextDeviceSelectBinary) {
  const unsigned char *code = backend_code();
  pi_device_binary_struct image = {.DeviceTargetSpec = PI_DEVICE_BINARY_TARGET_SPIRV64,
                                   .BinaryStart = code,
                                   .BinaryEnd = code + backend_code_size()};
  pi_device_binary images[] = {&image};
  return piextDeviceSelectBinary(w->device, images, 1, &w->out.index);
}

CALL(piextGetDeviceFunctionPointer) {
  const pi_result result =
      piextGetDeviceFunctionPointer(w->device, w->rebuilt, "probe", &w->out.times[0]);
  const bool none = result == PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE;
  return !backend.function_pointers && none ? PI_SUCCESS : result;
}

CALL(piextGetGlobalVariablePointer) {
  return piextGetGlobalVariablePointer(w->device, w->rebuilt, "fake_variable", &w->out.size,
                                       (void **)&w->out.text);
}

CALL(piextDeviceGetNativeHandle) {
  return piextDeviceGetNativeHandle(w->device, &w->out.native);
}

CALL(piextDeviceCreateWithNativeHandle) {
  return piextDeviceCreateWithNativeHandle(w->native.device, w->platform, &w->out.device);
}

CALL(piContextCreate) {
  return piContextCreate(NULL, 1, &w->device, NULL, NULL, &w->out.context);
}

static pi_result ask_context(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piContextGetInfo(w->context, (pi_context_info)query, size, value, ret);
}

CALL(piContextGetInfo) {
  return ask_all(w, "pi_context_info", ask_context);
}

CALL(piContextRetain) {
  const pi_result result = piContextRetain(w->context);
  if (result == PI_SUCCESS)
    w->out.context = w->context;
  return result;
}

CALL(piContextRelease) {
  const pi_result result = piContextRelease(w->spare.context);
  if (result == PI_SUCCESS)
    w->spare.context = NULL;
  return result;
}

static void delete_nothing(void *user_data) {
  (void)user_data;
}

CALL(piextContextSetExtendedDeleter) {
  return piextContextSetExtendedDeleter(w->context, delete_nothing, NULL);
}

CALL(piextContextGetNativeHandle) {
  return piextContextGetNativeHandle(w->context, &w->out.native);
}

CALL(piextContextCreateWithNativeHandle) {
  return piextContextCreateWithNativeHandle(w->native.context, 1, &w->device, false,
                                            &w->out.context);
}

CALL(piQueueCreate) {
  return piQueueCreate(w->context, w->device, PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_HIGH,
                       &w->out.queue);
}

CALL(piextQueueCreate) {
  pi_queue_properties properties[] = {PI_QUEUE_FLAGS, PI_EXT_ONEAPI_QUEUE_FLAG_PRIORITY_LOW, 0};
  return piextQueueCreate(w->context, w->device, properties, &w->out.queue);
}

static pi_result ask_queue(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piQueueGetInfo(w->queue, (pi_queue_info)query, size, value, ret);
}

CALL(piQueueGetInfo) {
  return ask_all(w, "pi_queue_info", ask_queue);
}

CALL(piQueueFinish) {
  return piQueueFinish(w->queue);
}

CALL(piQueueFlush) {
  return piQueueFlush(w->queue);
}

CALL(piQueueRetain) {
  const pi_result result = piQueueRetain(w->queue);
  if (result == PI_SUCCESS)
    w->out.queue = w->queue;
  return result;
}

CALL(piQueueRelease) {
  const pi_result result = piQueueRelease(w->spare.queue);
  if (result == PI_SUCCESS)
    w->spare.queue = NULL;
  return result;
}

CALL(piextQueueGetNativeHandle) {
  return piextQueueGetNativeHandle(w->queue, &w->out.native, &w->out.native_desc);
}

CALL(piextQueueCreateWithNativeHandle) {
  return piextQueueCreateWithNativeHandle(w->native.queue, w->native.queue_desc, w->context,
                                          w->device, false, NULL, &w->out.queue);
}

CALL(piSamplerCreate) {
  const pi_sampler_properties properties[] = {PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS, 0,
                                              PI_SAMPLER_PROPERTIES_FILTER_MODE,
                                              PI_SAMPLER_FILTER_MODE_LINEAR, 0};
  return piSamplerCreate(w->context, properties, &w->out.sampler);
}

static pi_result ask_sampler(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piSamplerGetInfo(w->sampler, (pi_sampler_info)query, size, value, ret);
}

CALL(piSamplerGetInfo) {
  return ask_all(w, "pi_sampler_info", ask_sampler);
}

CALL(piSamplerRetain) {
  const pi_result result = piSamplerRetain(w->sampler);
  if (result == PI_SUCCESS)
    w->out.sampler = w->sampler;
  return result;
}

CALL(piSamplerRelease) {
  const pi_result result = piSamplerRelease(w->spare.sampler);
  if (result == PI_SUCCESS)
    w->spare.sampler = NULL;
  return result;
}

CALL(piextPluginGetOpaqueData) {
  return expect_unsupported(piextPluginGetOpaqueData(w->host, &w->out.map));
}

/* The entry point returns the code of the thread's latest failure. */
CALL(piPluginGetLastError) {
  char *message = NULL;
  (void)w;
  piPluginGetLastError(&message);
  return message ? PI_SUCCESS : PI_ERROR_UNKNOWN;
}

CALL(piTearDown) {
  bool ignored = false;
  (void)w;
  return piTearDown(&ignored);
}

CALL(piGetDeviceAndHostTimer) {
  return piGetDeviceAndHostTimer(w->device, &w->out.times[0], &w->out.times[1]);
}

CALL(piPluginGetBackendOption) {
  return piPluginGetBackendOption(w->platform, "-O0", &w->out.text);
}

CALL(piextEnablePeerAccess) {
  const pi_result result = piextEnablePeerAccess(w->device, w->peer);
  if (result == PI_SUCCESS)
    w->out.peer = w->peer;
  return expect_where(backend.peers, result);
}

CALL(piextDisablePeerAccess) {
  const pi_result result = piextDisablePeerAccess(w->peer, w->device);
  if (result == PI_SUCCESS)
    w->spare.peer = false;
  return expect_where(backend.peers, result);
}

CALL(piextPeerAccessGetInfo) {
  return piextPeerAccessGetInfo(w->device, w->peer, PI_PEER_ACCESS_SUPPORTED, sizeof w->out.count,
                                &w->out.count, &w->out.size);
}

static pi_result ask_mem(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piMemGetInfo(w->buffer, (pi_mem_info)query, size, value, ret);
}

CALL(piMemGetInfo) {
  return ask_all(w, "pi_mem_info", ask_mem);
}

static pi_result ask_image(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piMemImageGetInfo(w->image, (pi_image_info)query, size, value, ret);
}

CALL(piMemImageGetInfo) {
  return ask_all(w, "pi_image_info", ask_image);
}

/* Another scenario asks PI_PROGRAM_INFO_BINARIES, which takes an array of the caller's pointers. */
static pi_result ask_program(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  if (query == PI_PROGRAM_INFO_BINARIES)
    return PI_ERROR_INVALID_VALUE;
  return piProgramGetInfo(w->rebuilt, (pi_program_info)query, size, value, ret);
}

CALL(piProgramGetInfo) {
  return ask_all(w, "pi_program_info", ask_program);
}

static pi_result ask_build(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piProgramGetBuildInfo(w->rebuilt, w->device, (pi_program_build_info)query, size, value,
                               ret);
}

CALL(piProgramGetBuildInfo) {
  return ask_all(w, "pi_program_build_info", ask_build);
}

static pi_result ask_kernel(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piKernelGetInfo(w->kernel, (pi_kernel_info)query, size, value, ret);
}

CALL(piKernelGetInfo) {
  return ask_all(w, "pi_kernel_info", ask_kernel);
}

/*
 * Leaves out the global size, which this kernel does not have. The OpenCL plugin makes a second
 * call to find out why that query failed, and ignores a failure of the second call.
 */
static pi_result ask_group(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  if (query == PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE)
    return PI_ERROR_INVALID_VALUE;
  return piKernelGetGroupInfo(w->kernel, w->device, (pi_kernel_group_info)query, size, value, ret);
}

CALL(piKernelGetGroupInfo) {
  return ask_all(w, "pi_kernel_group_info", ask_group);
}

static pi_result ask_sub_group(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  const size_t local[] = {64, 1, 1};
  return piKernelGetSubGroupInfo(w->kernel, w->device, (pi_kernel_sub_group_info)query,
                                 sizeof local, local, size, value, ret);
}

CALL(piKernelGetSubGroupInfo) {
  return ask_all(w, "pi_kernel_sub_group_info", ask_sub_group);
}

static pi_result ask_event(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piEventGetInfo(w->event, (pi_event_info)query, size, value, ret);
}

CALL(piEventGetInfo) {
  return ask_all(w, "pi_event_info", ask_event);
}

static pi_result ask_profiling(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piEventGetProfilingInfo(w->event, (pi_profiling_info)query, size, value, ret);
}

CALL(piEventGetProfilingInfo) {
  const pi_result result = ask_all(w, "pi_profiling_info", ask_profiling);
  if (world_queue_is("unprofiled") && result == PI_ERROR_PROFILING_INFO_NOT_AVAILABLE)
    return PI_SUCCESS;
  if (result != PI_SUCCESS)
    world_change_event(w);
  return result;
}

static pi_result ask_usm(world *w, pi_uint32 query, size_t size, void *value, size_t *ret) {
  return piextUSMGetMemAllocInfo(w->context, w->usm, (pi_mem_alloc_info)query, size, value, ret);
}

CALL(piextUSMGetMemAllocInfo) {
  return ask_all(w, "pi_mem_alloc_info", ask_usm);
}
