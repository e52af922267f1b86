/* PI's entries for contexts. */
#include "../plugins/objects/context.h"

#include "../plugins/checks/arguments.h"
#include "../plugins/objects/handle_checks.h"

/* Never calls pfn_notify, because drivers report errors only through results. */
pi_result piContextCreate(const pi_context_properties *properties, pi_uint32 num_devices,
                          const pi_device *devices,
                          void (*pfn_notify)(const char *errinfo, const void *private_info,
                                             size_t cb, void *user_data),
                          void *user_data, pi_context *ret_context) {
  REQUIRE(num_devices != 0, PI_ERROR_INVALID_VALUE, "num_devices is 0");
  REQUIRE_POINTER(devices);
  REQUIRE_POINTER(ret_context);
  TRY(check_notify(pfn_notify, user_data));
  return context_create(num_devices, devices, properties, ret_context);
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
  return context_add_deleter(context, func, user_data);
}

pi_result piContextGetInfo(pi_context context, pi_context_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_CONTEXT(context);
  TRY(answer_check(&answer));
  return context_answer(context, param_name, &answer);
}

/* Returns the native handle without a new reference. It is valid as long as the context. */
pi_result piextContextGetNativeHandle(pi_context context, pi_native_handle *native_handle) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(native_handle);
  return context_native(context, native_handle);
}

pi_result piextContextCreateWithNativeHandle(pi_native_handle native_handle, pi_uint32 num_devices,
                                             const pi_device *devices,
                                             bool plugin_owns_native_handle, pi_context *context) {
  REQUIRE(native_handle, PI_ERROR_INVALID_CONTEXT, "native_handle is 0");
  REQUIRE_POINTER(context);
  REQUIRE(num_devices == 0 || devices, PI_ERROR_INVALID_VALUE,
          "devices is NULL and num_devices is %u", num_devices);
  return context_adopt(native_handle, num_devices, devices, plugin_owns_native_handle, context);
}
