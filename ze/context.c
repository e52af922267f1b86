/* Entries for contexts. */
#include "../plugins/objects/context.h"

#include "ze.h"

/* Returns a new context's handle, after making its native handle known to the plugin: a runtime may
 * pass it back. Releases the context on failure. */
static ze_result_t give_context(pi_context context, ze_context_handle_t *ret) {
  pi_native_handle handle;
  const pi_result result = context_native(context, &handle);
  if (result == PI_SUCCESS)
    *ret = context_handle(context);
  else
    context_release(context);
  return ze_answer(result);
}

ze_result_t zeContextCreateEx(ze_driver_handle_t hDriver, const ze_context_desc_t *desc,
                              uint32_t numDevices, ze_device_handle_t *phDevices,
                              ze_context_handle_t *phContext) {
  ZE_REQUIRE_HANDLE(hDriver, PLATFORM);
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE_POINTER(phContext);
  ZE_REQUIRE(numDevices == 0 || phDevices, INVALID_NULL_POINTER, "phDevices is NULL");
  const pi_platform platform = platform_of(hDriver);
  for (uint32_t i = 0; i < numDevices; i++)
    ZE_REQUIRE_HANDLE(phDevices[i], DEVICE);
  pi_context made;
  ZE_TRY(numDevices
             ? context_create(numDevices, (const pi_device *)(const void *)phDevices, NULL, &made)
             : context_create(platform->device_count, platform->devices, NULL, &made));
  return give_context(made, phContext);
}

ze_result_t zeContextCreate(ze_driver_handle_t hDriver, const ze_context_desc_t *desc,
                            ze_context_handle_t *phContext) {
  return zeContextCreateEx(hDriver, desc, 0, NULL, phContext);
}

ze_result_t zeContextDestroy(ze_context_handle_t hContext) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  context_release(context_of(hContext));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeContextGetStatus(ze_context_handle_t hContext) {
  ZE_REQUIRE_HANDLE(hContext, CONTEXT);
  return ZE_RESULT_SUCCESS;
}
