/*
 * Contexts. As in DPC++, a created context uses the device's primary context, which all code in the
 * process shares. So the CUDA runtime and libraries on top of it (cuBLAS, ..) can use this plugin's
 * memory and streams. A context of several devices is a list of such contexts; its devices access
 * each other's memory if the hardware can. An application's own CUcontext becomes a PI context by
 * its native handle, and has one device.
 */
#include "context.h"
#include "../objects/driver.h"
#include "../objects/peer.h"
#include "backend.h"
#include "blocks.h"
#include "build_cache.h"
#include "checks.h"
#include "gate.h"
#include "transfer.h"

#include <stdlib.h>

/* ---- Members ---- */

/*
 * Enables peer access. It also succeeds if the driver refuses: other code in this process may have
 * enabled (and may disable) that access, or the hardware may allow no more peers.
 */
static pi_result hold_peer(pi_device command_device, pi_device peer_device) {
  const pi_result result = peer_hold(command_device, peer_device);
  return result == PI_ERROR_INVALID_OPERATION ? PI_SUCCESS : result;
}

static void disconnect_devices(pi_device one, pi_device other) {
  peer_yield(one, other);
  peer_yield(other, one);
}

/* Lets two devices access each other's memory while the context lives, if the hardware can. */
static pi_result connect_devices(pi_device one, pi_device other) {
  bool can = false;
  TRY(driver_peer_can(one, other, PI_PEER_ACCESS_SUPPORTED, &can));
  if (!can)
    return PI_SUCCESS;
  TRY(hold_peer(one, other));
  const pi_result result = hold_peer(other, one);
  if (result != PI_SUCCESS)
    disconnect_devices(one, other);
  return result;
}

/* Disconnects a root's device from the first count members. */
static void disconnect_members(pi_context context, pi_uint32 root, pi_uint32 count) {
  for (pi_uint32 i = 0; i < count; i++)
    if (i != root && context_found_member(context, i))
      disconnect_devices(context->roots[root], context->roots[i]);
}

static pi_result connect_members(pi_context context, pi_uint32 root) {
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    if (i == root || !context_found_member(context, i))
      continue;
    const pi_result result = connect_devices(context->roots[root], context->roots[i]);
    if (result != PI_SUCCESS) {
      disconnect_members(context, root, i);
      return result;
    }
  }
  return PI_SUCCESS;
}

/* The caller holds members_lock. */
static pi_result make_member(pi_context context, pi_uint32 root, pi_context *ret) {
  pi_context member;
  TRY(context_create(1, &context->roots[root], NULL, &member));
  const pi_result result = connect_members(context, root);
  if (result == PI_SUCCESS)
    *ret = member;
  else
    context_release(member);
  return result;
}

pi_result context_make_member(pi_context context, pi_uint32 root, pi_context *ret) {
  *ret = context_found_member(context, root);
  if (*ret)
    return PI_SUCCESS;
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&context->driver.members_lock);
  *ret = context_found_member(context, root);
  if (!*ret) {
    result = make_member(context, root, ret);
    if (result == PI_SUCCESS)
      atomic_store_explicit(&context->driver.members[root], *ret, memory_order_release);
  }
  pthread_mutex_unlock(&context->driver.members_lock);
  return result;
}

pi_result context_any_member(pi_context context, pi_context *ret) {
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    *ret = context_found_member(context, i);
    if (*ret)
      return PI_SUCCESS;
  }
  return context_make_member(context, 0, ret);
}

void context_synchronize(pi_context context) {
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    const pi_context member = context_found_member(context, i);
    if (member && cuda_enter(member) == PI_SUCCESS)
      cu.CtxSynchronize();
  }
}

/* Returns whether a device of the context was ever used. */
static bool is_open(pi_context context) {
  bool any = false;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    any = any || context_found_member(context, i);
  return any;
}

static pi_result open_members(pi_context context) {
  context->driver.members = calloc(context->root_count, sizeof *context->driver.members);
  REQUIRE_MEMORY(context->driver.members, "a context of %u devices", context->root_count);
  pthread_mutex_init(&context->driver.members_lock, NULL);
  return PI_SUCCESS;
}

static void release_members(pi_context context) {
  for (pi_uint32 i = 0; i < context->root_count; i++) {
    const pi_context member = context_found_member(context, i);
    if (!member)
      continue;
    disconnect_members(context, i, i);
    context_release(member);
  }
  pthread_mutex_destroy(&context->driver.members_lock);
  free(context->driver.members);
}

/* ---- Contexts of one device ---- */

static void close_primary(pi_context context) {
  struct driver_context *own = &context->driver;
  build_cache_close(context);
  blocks_yield(context);
  if (own->clock == &own->own_clock)
    clock_end(&own->own_clock);
  else
    clock_yield(context->devices[0]);
}

/*
 * Ignores errors, because the caller gives the handle up anyway, and because the driver may end
 * before the plugin at the end of a process.
 */
void driver_context_destroy(pi_context context) {
  struct driver_context *own = &context->driver;
  CUcontext previous = NULL;
  cu.CtxGetCurrent(&previous);
  if (is_open(context))
    (void)cuda_enter(context);
  transfer_free_staged(context);
  gate_close_context(context);
  if (own->members) {
    cu.CtxSetCurrent(previous);
    release_members(context);
    return;
  }
  close_primary(context);
  /* Leaves no context current that is destroyed here. */
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

/* Opens the cache, the pool and the clock of a context of one device. */
static pi_result open_rest(pi_context context) {
  build_cache_open(context);
  TRY(cuda_enter(context));
  TRY(blocks_hold(context));
  const pi_result result = open_clock(context);
  if (result != PI_SUCCESS)
    blocks_yield(context);
  return result;
}

pi_result driver_context_create(pi_context context) {
  if (context->root_count > 1)
    return open_members(context);
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

/* Returns the CUcontext; in a context of several devices the first device's, as others do. */
pi_result driver_context_native(pi_context context, pi_native_handle *ret) {
  if (context->driver.members)
    TRY(context_make_member(context, 0, &context));
  *ret = context->native;
  return PI_SUCCESS;
}

/* Finds the device of a CUcontext, which is made current only for this query. */
pi_result driver_context_device(pi_native_handle native, pi_device *ret) {
  const CUcontext context = (CUcontext)native;
  unsigned version;
  /* Fails for a destroyed context, as far as the driver recognises it. */
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

/*
 * Finds out if the native context is the primary context. CUDA counts references to that one: with
 * ownership the plugin takes over the caller's reference, without it a new one.
 */
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
  REQUIRE(context->root_count == 1, PI_ERROR_INVALID_VALUE,
          "num_devices is %u, a CUcontext has one device", context->device_count);
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
