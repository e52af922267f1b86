/*
 * Contexts. piContextCreate uses the device's primary context, which all of a process share: what
 * DPC++ does, and what lets the CUDA runtime and the libraries over it (cuBLAS, ..) see this
 * plugin's memory and streams. A context of the application's own comes in by its native handle.
 */
#include "context.h"
#include "checks.h"
#include "gate.h"
#include "memory.h"
#include "native.h"
#include "program.h"
#include "transfer.h"

#include <stdlib.h>

/* The key by which libsycl asks for the primary context (1) or leaves the choice open (0). */
enum { PROPERTY_CUDA_PRIMARY = 0xff02 };
/* OpenCL's CL_CONTEXT_PLATFORM, which is also PI_CONTEXT_INFO_PLATFORM. */
enum { PROPERTY_PLATFORM = PI_CONTEXT_INFO_PLATFORM };

/* A function to call at the end of a context. */
typedef struct context_deleter {
  struct context_deleter *next;
  void (*function)(void *user_data);
  void *user_data;
} context_deleter;

static pi_result check_properties(const pi_context_properties *properties) {
  for (; properties && properties[0]; properties += 2) {
    switch (properties[0]) {
    case PROPERTY_CUDA_PRIMARY:
      PI_REQUIRE(properties[1] == 0 || properties[1] == 1, PI_ERROR_INVALID_PROPERTY,
                 "the value of property 0x%x is %lld, expected is 0 or 1", PROPERTY_CUDA_PRIMARY,
                 (long long)properties[1]);
      break;
    case PROPERTY_PLATFORM:
      PI_REQUIRE(properties[1] == (pi_context_properties)cuda_platform(), PI_ERROR_INVALID_PLATFORM,
                 "the value of property 0x%x is not the devices' platform", PROPERTY_PLATFORM);
      break;
    default:
      return pi_error(PI_ERROR_INVALID_PROPERTY, "0x%llx is not a property of a context",
                      (unsigned long long)properties[0]);
    }
  }
  return PI_SUCCESS;
}

/* devices is not NULL where count is not 0. */
static pi_result check_devices(pi_uint32 count, const pi_device *devices) {
  for (pi_uint32 i = 0; i < count; i++)
    PI_REQUIRE(pi_handle_is((const pi_handle *)(const void *)devices[i], PI_HANDLE_DEVICE),
               PI_ERROR_INVALID_DEVICE, "devices[%u] is %s", i,
               devices[i] ? "not a live handle" : "NULL");
  PI_REQUIRE(count <= 1, PI_ERROR_INVALID_VALUE, "num_devices is %u, a CUDA context has one device",
             count);
  return PI_SUCCESS;
}

/*
 * Gives back what a context holds in the driver. Errors count for nothing: the caller has no use
 * for the handle any more, and at the end of a process the driver may be gone before us.
 */
static void close_context(pi_context context) {
  native_forget(context->context, &context->handle);
  CUcontext previous = NULL;
  cu.CtxGetCurrent(&previous);
  cu.CtxSetCurrent(context->context);
  transfer_free_staged(context, true);
  memory_free_retired(context);
  build_free_retired(context);
  gate_close_context(context);
  if (context->clock == &context->own_clock)
    clock_end(&context->own_clock);
  else if (context->clock)
    clock_yield(context->device);
  /* Not to be found current by what runs later on this thread. */
  cu.CtxSetCurrent(previous == context->context ? NULL : previous);
  if (context->is_primary)
    cu.DevicePrimaryCtxRelease(context->device->ordinal);
  else if (context->is_owned)
    cu.CtxDestroy(context->context);
}

/* Begins the clock of a context that has all else. */
static pi_result open_clock(pi_context context) {
  PI_TRY(cuda_enter(context));
  if (context->is_primary) {
    PI_TRY(clock_hold(context->device));
    context->clock = &context->device->clock;
  } else {
    PI_TRY(clock_begin(&context->own_clock));
    context->clock = &context->own_clock;
  }
  return PI_SUCCESS;
}

static pi_result new_context(pi_device device, pi_context *ret) {
  pi_context context = calloc(1, sizeof *context);
  PI_REQUIRE(context, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a context");
  pi_handle_init(&context->handle, PI_HANDLE_CONTEXT);
  context->device = device;
  *ret = context;
  return PI_SUCCESS;
}

/* pfn_notify has nothing to be called for: CUDA tells of errors through results only. */
pi_result piContextCreate(const pi_context_properties *properties, pi_uint32 num_devices,
                          const pi_device *devices,
                          void (*pfn_notify)(const char *errinfo, const void *private_info,
                                             size_t cb, void *user_data),
                          void *user_data, pi_context *ret_context) {
  PI_REQUIRE(num_devices != 0, PI_ERROR_INVALID_VALUE, "num_devices is 0");
  REQUIRE_POINTER(devices);
  REQUIRE_POINTER(ret_context);
  PI_REQUIRE(pfn_notify || !user_data, PI_ERROR_INVALID_VALUE,
             "user_data is given without pfn_notify");
  PI_TRY(check_devices(num_devices, devices));
  PI_TRY(check_properties(properties));

  pi_context context;
  PI_TRY(new_context(devices[0], &context));
  pi_result result =
      cu_result(cu.DevicePrimaryCtxRetain(&context->context, context->device->ordinal),
                "cuDevicePrimaryCtxRetain");
  if (result == PI_SUCCESS) {
    context->is_primary = true;
    result = open_clock(context);
    if (result != PI_SUCCESS)
      cu.DevicePrimaryCtxRelease(context->device->ordinal);
  }
  if (result == PI_SUCCESS)
    *ret_context = context;
  else
    free(context);
  return result;
}

/* Runs what is registered, the latest first; deleters may register others. */
static void run_deleters(pi_context context) {
  context_deleter *taken = atomic_exchange(&context->deleters, NULL);
  while (taken) {
    context_deleter *next = taken->next;
    taken->function(taken->user_data);
    free(taken);
    taken = next;
  }
}

/* The deleters may still use the context, so it gets one more reference while they run. */
void context_release(pi_context context) {
  while (pi_handle_release(&context->handle)) {
    if (atomic_load(&context->deleters)) {
      pi_handle_init(&context->handle, PI_HANDLE_CONTEXT);
      run_deleters(context);
      continue;
    }
    close_context(context);
    free(context);
    return;
  }
}

pi_result piContextRetain(pi_context context) {
  REQUIRE_CONTEXT(context);
  context_retain(context);
  return PI_SUCCESS;
}

pi_result piContextRelease(pi_context context) {
  REQUIRE_CONTEXT(context);
  context_release(context);
  return PI_SUCCESS;
}

pi_result piextContextSetExtendedDeleter(pi_context context, void (*func)(void *user_data),
                                         void *user_data) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(func);
  context_deleter *deleter = malloc(sizeof *deleter);
  PI_REQUIRE(deleter, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a deleter of %zu bytes",
             sizeof *deleter);
  *deleter = (context_deleter){atomic_load(&context->deleters), func, user_data};
  while (!atomic_compare_exchange_weak(&context->deleters, &deleter->next, deleter))
    ;
  return PI_SUCCESS;
}

pi_result piContextGetInfo(pi_context context, pi_context_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_CONTEXT(context);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_CONTEXT_INFO_REFERENCE_COUNT:
    return pi_answer_uint32(&answer, pi_handle_references(&context->handle));
  case PI_CONTEXT_INFO_NUM_DEVICES:
    return pi_answer_uint32(&answer, 1);
  case PI_CONTEXT_INFO_DEVICES:
    return pi_answer_handle(&answer, context->device);
  case PI_CONTEXT_INFO_PROPERTIES:
    return pi_answer_bytes(&answer, NULL, 0);
  case PI_CONTEXT_INFO_PLATFORM:
    return pi_answer_handle(&answer, context->device->platform);
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES:
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES:
    return pi_answer_uint64(&answer, cuda_atomic_orders(context->device));
  case PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES:
  case PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES:
    return pi_answer_uint64(&answer, cuda_atomic_scopes(context->device));
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT:
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT:
    return pi_answer_bool(&answer, true);
  /* CUDA fills with 1, 2 or 4 bytes; a runtime's one kernel is better than many fills. */
  case PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT:
    return pi_answer_bool(&answer, false);
  }
  return pi_answer_unknown("pi_context_info", param_name);
}

/* The CUcontext; it lives as long as the context, of which this takes no reference. */
pi_result piextContextGetNativeHandle(pi_context context, pi_native_handle *native_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(native_handle);
  PI_TRY(native_remember(context->context, &context->handle));
  *native_handle = (pi_native_handle)context->context;
  return PI_SUCCESS;
}

/* The device of a CUcontext, which is made current for the question only. */
static pi_result device_of(CUcontext native, pi_device *ret) {
  unsigned version;
  /* Finds out contexts that were destroyed, as far as the driver can. */
  CU_TRY(CtxGetApiVersion, native, &version);
  CUcontext previous = NULL;
  CUdevice ordinal = 0;
  CU_TRY(CtxGetCurrent, &previous);
  CU_TRY(CtxSetCurrent, native);
  const pi_result result = cu_result(cu.CtxGetDevice(&ordinal), "cuCtxGetDevice");
  cu.CtxSetCurrent(previous);
  PI_TRY(result);
  pi_device found = NULL;
  for (int i = 0; i < cuda_devices(); i++)
    if (cuda_device(i)->ordinal == ordinal)
      found = cuda_device(i);
  PI_REQUIRE(found, PI_ERROR_INVALID_CONTEXT, "the context is of device %d, which is not listed",
             (int)ordinal);
  *ret = found;
  return PI_SUCCESS;
}

/*
 * Fills in who owns the CUcontext. A primary context is counted: the plugin's reference to it is
 * the caller's, or a new one; any other belongs to the caller or to the plugin.
 */
static pi_result adopt(pi_context context, CUcontext native, bool plugin_owns) {
  const CUdevice ordinal = context->device->ordinal;
  context->context = native;
  unsigned flags;
  int is_active = 0;
  CU_TRY(DevicePrimaryCtxGetState, ordinal, &flags, &is_active);
  if (is_active) {
    CUcontext primary = NULL;
    CU_TRY(DevicePrimaryCtxRetain, &primary, ordinal);
    context->is_primary = primary == native;
    if (!context->is_primary || plugin_owns)
      cu.DevicePrimaryCtxRelease(ordinal);
  }
  context->is_owned = !context->is_primary && plugin_owns;
  return PI_SUCCESS;
}

/*
 * The handle is a CUcontext. One that piextContextGetNativeHandle gave is the context it came from;
 * with ownership the caller's reference to that passes on. Of others ownership is CUDA's: the
 * right to destroy it, or a reference of cuDevicePrimaryCtxRetain.
 */
pi_result piextContextCreateWithNativeHandle(pi_native_handle native_handle, pi_uint32 num_devices,
                                             const pi_device *devices,
                                             bool plugin_owns_native_handle, pi_context *context) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_CONTEXT, "native_handle is 0");
  REQUIRE_POINTER(context);
  PI_REQUIRE(num_devices == 0 || devices, PI_ERROR_INVALID_VALUE,
             "devices is NULL and num_devices is %u", num_devices);
  PI_TRY(check_devices(num_devices, devices));
  pi_device device;
  PI_TRY(device_of((CUcontext)native_handle, &device));
  PI_REQUIRE(num_devices == 0 || devices[0] == device, PI_ERROR_INVALID_DEVICE,
             "devices[0] is device %d, the context is of device %d", (int)devices[0]->ordinal,
             (int)device->ordinal);

  pi_handle *known =
      native_find((const void *)native_handle, PI_HANDLE_CONTEXT, plugin_owns_native_handle);
  if (known) {
    *context = (pi_context)(void *)known;
    return PI_SUCCESS;
  }
  pi_context made;
  PI_TRY(new_context(device, &made));
  pi_result result = adopt(made, (CUcontext)native_handle, plugin_owns_native_handle);
  if (result == PI_SUCCESS) {
    result = open_clock(made);
    /* After a failure the caller has what it had. */
    if (result != PI_SUCCESS && made->is_primary && !plugin_owns_native_handle)
      cu.DevicePrimaryCtxRelease(device->ordinal);
  }
  if (result == PI_SUCCESS)
    *context = made;
  else
    free(made);
  return result;
}
