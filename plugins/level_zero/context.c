/* Contexts: a ze_context_handle_t and its devices, which may be root devices and sub-devices. */
#include "context.h"
#include "../objects/driver.h"
#include "blocks.h"
#include "checks.h"

/* Returns whether a device reaches the memory of another; false if the driver cannot say. */
static bool reaches(pi_device device, pi_device other) {
  ze_bool_t can = false;
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): every device has a root
  return ze.DeviceCanAccessPeer(device->driver.device, other->driver.device, &can) ==
             ZE_RESULT_SUCCESS &&
         can;
}

static bool all_reach_all(pi_context context) {
  for (pi_uint32 i = 0; i < context->root_count; i++)
    for (pi_uint32 k = 0; k < context->root_count; k++)
      if (i != k && !reaches(context->roots[i], context->roots[k]))
        return false;
  return true;
}

/* Fills in the parts that depend on the driver's context. */
static pi_result fill_context(pi_context context, ze_context_handle_t native) {
  context->driver.context = native;
  context->driver.shares_device_memory = all_reach_all(context);
  TRY(event_pools_create(context));
  const pi_result result = blocks_open(context);
  if (result != PI_SUCCESS)
    event_pools_destroy(context);
  return result;
}

/*
 * Creates a context for all devices of the driver. That costs no more than a context for one
 * device, and each allocation names its device anyway.
 */
pi_result driver_context_create(pi_context context) {
  const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t native = NULL;
  ZE_TRY(ContextCreate, context->platform->driver.driver, &description, &native);
  context->native = (pi_native_handle)native;
  context->is_owned = true;
  const pi_result result = fill_context(context, native);
  if (result != PI_SUCCESS)
    ze.ContextDestroy(native);
  return result;
}

pi_result driver_context_adopt(pi_context context, bool with_ownership) {
  context->is_owned = with_ownership;
  return fill_context(context, (ze_context_handle_t)context->native);
}

void driver_context_destroy(pi_context context) {
  blocks_close(context);
  event_pools_destroy(context);
  if (context->is_owned)
    ze.ContextDestroy(context->driver.context);
}
