/*
 * Contexts. One that is created is the device's primary context, which all of a process share: what
 * DPC++ does, and what lets the CUDA runtime and the libraries over it (cuBLAS, ..) see this
 * plugin's memory and streams. A context of the application's own comes in by its native handle.
 */
#include "context.h"
#include "../objects/driver.h"
#include "backend.h"
#include "block_pool.h"
#include "build_cache.h"
#include "checks.h"
#include "gate.h"
#include "transfer.h"

/*
 * Errors count for nothing: the caller has no use for the handle any more, and at the end of a
 * process the driver may be gone before us.
 */
void driver_context_destroy(pi_context context) {
  struct driver_context *own = &context->driver;
  CUcontext previous = NULL;
  cu.CtxGetCurrent(&previous);
  cu.CtxSetCurrent(own->context);
  build_cache_close(context);
  transfer_free_staged(context);
  block_pool_yield(context);
  gate_close_context(context);
  if (own->clock == &own->own_clock)
    clock_end(&own->own_clock);
  else
    clock_yield(context->devices[0]);
  /* Not to be found current by what runs later on this thread. */
  cu.CtxSetCurrent(previous == own->context ? NULL : previous);
  if (own->is_primary)
    cu.DevicePrimaryCtxRelease(context->devices[0]->driver.ordinal);
  else if (context->is_owned)
    cu.CtxDestroy(own->context);
}

static pi_result open_clock(pi_context context) {
  struct driver_context *own = &context->driver;
  if (own->is_primary) {
    TRY(clock_hold(context->devices[0]));
    own->clock = &context->devices[0]->driver.clock;
  } else {
    TRY(clock_begin(&own->own_clock));
    own->clock = &own->own_clock;
  }
  return PI_SUCCESS;
}

/* Begins the cache, the pool and the clock of a context that has all else. */
static pi_result open_rest(pi_context context) {
  build_cache_open(context);
  TRY(cuda_enter(context));
  TRY(block_pool_hold(context));
  const pi_result result = open_clock(context);
  if (result != PI_SUCCESS)
    block_pool_yield(context);
  return result;
}

static pi_result check_count(pi_context context) {
  REQUIRE(context->device_count == 1, PI_ERROR_INVALID_VALUE,
          "num_devices is %u, a CUDA context has one device", context->device_count);
  return PI_SUCCESS;
}

pi_result driver_context_create(pi_context context) {
  TRY(check_count(context));
  const CUdevice ordinal = context->devices[0]->driver.ordinal;
  CU_TRY(DevicePrimaryCtxRetain, &context->driver.context, ordinal);
  context->native = (pi_native_handle)context->driver.context;
  context->driver.is_primary = true;
  cuda_backend_warn();
  const pi_result result = open_rest(context);
  if (result != PI_SUCCESS)
    cu.DevicePrimaryCtxRelease(ordinal);
  return result;
}

/* The device of a CUcontext, which is made current for the question only. */
pi_result driver_context_device(pi_native_handle native, pi_device *ret) {
  const CUcontext context = (CUcontext)native;
  unsigned version;
  /* Finds out contexts that were destroyed, as far as the driver can. */
  CU_TRY(CtxGetApiVersion, context, &version);
  CUcontext previous = NULL;
  CUdevice ordinal = 0;
  CU_TRY(CtxGetCurrent, &previous);
  CU_TRY(CtxSetCurrent, context);
  const pi_result result = CU_CALL(CtxGetDevice, &ordinal);
  cu.CtxSetCurrent(previous);
  TRY(result);
  const pi_device found = device_find((pi_native_handle)ordinal);
  REQUIRE(found, PI_ERROR_INVALID_CONTEXT, "the context is of device %d, which is not listed",
          (int)ordinal);
  *ret = found;
  return PI_SUCCESS;
}

/* A primary context is counted: the plugin's reference to it is the caller's, or a new one. */
static pi_result find_owner(pi_context context, bool with_ownership) {
  struct driver_context *own = &context->driver;
  const CUdevice ordinal = context->devices[0]->driver.ordinal;
  own->context = (CUcontext)context->native;
  unsigned flags;
  int is_active = 0;
  CU_TRY(DevicePrimaryCtxGetState, ordinal, &flags, &is_active);
  if (is_active) {
    CUcontext primary = NULL;
    CU_TRY(DevicePrimaryCtxRetain, &primary, ordinal);
    own->is_primary = primary == own->context;
    if (!own->is_primary || with_ownership)
      cu.DevicePrimaryCtxRelease(ordinal);
  }
  context->is_owned = !own->is_primary && with_ownership;
  return PI_SUCCESS;
}

pi_result driver_context_adopt(pi_context context, bool with_ownership) {
  TRY(check_count(context));
  pi_device device;
  TRY(driver_context_device(context->native, &device));
  REQUIRE(context->devices[0] == device, PI_ERROR_INVALID_DEVICE,
          "devices[0] is device %u, the context is of device %u", context->devices[0]->index,
          device->index);
  TRY(find_owner(context, with_ownership));
  const pi_result result = open_rest(context);
  if (result != PI_SUCCESS && context->driver.is_primary && !with_ownership)
    cu.DevicePrimaryCtxRelease(device->driver.ordinal);
  return result;
}
