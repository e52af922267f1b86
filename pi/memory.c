/* PI's entries for memory objects. The enqueue*.c files have commands on them. */
#include "../plugins/objects/memory.h"

#include "../plugins/base/names.h"
#include "../plugins/checks/arguments.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"

/* Refuses all properties: they choose the kind of a buffer's memory, and there is only one. */
static pi_result check_properties(const pi_mem_properties *properties) {
  if (!properties || *properties == 0)
    return PI_SUCCESS;
  TRY(check_buffer_property(*properties));
  return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE, "%s has nothing for %s of a buffer",
                      driver_name, enumerator_name("pi_mem_properties", (int64_t)*properties));
}

pi_result piMemBufferCreate(pi_context context, pi_mem_flags flags, size_t size, void *host_ptr,
                            pi_mem *ret_mem, const pi_mem_properties *properties) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_mem);
  TRY(check_mem_flags(flags, host_ptr));
  TRY(check_properties(properties));
  return memory_create_buffer(context, flags, size, host_ptr, ret_mem);
}

pi_result piMemBufferPartition(pi_mem buffer, pi_mem_flags flags,
                               pi_buffer_create_type buffer_create_type, void *buffer_create_info,
                               pi_mem *ret_mem) {
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(buffer_create_info);
  REQUIRE_POINTER(ret_mem);
  TRY(check_sub_buffer(flags, buffer_create_type));
  return memory_create_part(buffer, flags, buffer_create_info, ret_mem);
}

pi_result piMemGetInfo(pi_mem mem, pi_mem_info param_name, size_t param_value_size,
                       void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_MEM(mem);
  TRY(answer_check(&answer));
  return memory_answer(mem, param_name, &answer);
}

pi_result piMemRetain(pi_mem mem) {
  REQUIRE_MEM(mem);
  memory_retain(mem);
  return PI_SUCCESS;
}

pi_result piMemRelease(pi_mem mem) {
  REQUIRE_MEM(mem);
  memory_release(mem);
  return PI_SUCCESS;
}

pi_result piextMemGetNativeHandle(pi_mem mem, pi_device device, pi_native_handle *native_handle) {
  REQUIRE_MEM(mem);
  REQUIRE_POINTER(native_handle);
  if (device)
    REQUIRE_DEVICE_OF(mem->context, device);
  return memory_native(mem, native_handle);
}

pi_result piextMemCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                         bool own_native_handle, pi_mem *mem) {
  REQUIRE(native_handle, PI_ERROR_INVALID_MEM_OBJECT, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(mem);
  return memory_adopt(context, native_handle, own_native_handle, mem);
}
