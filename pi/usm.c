/* PI's entries for unified shared memory (USM). enqueue_usm.c has commands on it. */
#include "../plugins/objects/usm.h"

#include "../plugins/objects/handle_checks.h"

pi_result piextUSMHostAlloc(void **result_ptr, pi_context context,
                            pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  REQUIRE_POINTER(result_ptr);
  REQUIRE_CONTEXT(context);
  return usm_allocate(context, NULL, PI_MEM_TYPE_HOST, properties, size, alignment, result_ptr);
}

pi_result piextUSMDeviceAlloc(void **result_ptr, pi_context context, pi_device device,
                              pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  REQUIRE_POINTER(result_ptr);
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  return usm_allocate(context, device, PI_MEM_TYPE_DEVICE, properties, size, alignment, result_ptr);
}

/* Allocates shared memory; device may be NULL for memory of no device in particular. */
pi_result piextUSMSharedAlloc(void **result_ptr, pi_context context, pi_device device,
                              pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  REQUIRE_POINTER(result_ptr);
  REQUIRE_CONTEXT(context);
  if (device)
    REQUIRE_DEVICE_OF(context, device);
  return usm_allocate(context, device, PI_MEM_TYPE_SHARED, properties, size, alignment, result_ptr);
}

pi_result piextUSMPitchedAlloc(void **result_ptr, size_t *result_pitch, pi_context context,
                               pi_device device, pi_usm_mem_properties *properties,
                               size_t width_in_bytes, size_t height,
                               unsigned int element_size_bytes) {
  REQUIRE_POINTER(result_ptr);
  REQUIRE_POINTER(result_pitch);
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  return usm_allocate_rows(context, device, properties, width_in_bytes, height, element_size_bytes,
                           result_ptr, result_pitch);
}

pi_result piextUSMFree(pi_context context, void *ptr) {
  REQUIRE_CONTEXT(context);
  return ptr ? usm_free(context, ptr) : PI_SUCCESS;
}

pi_result piextUSMGetMemAllocInfo(pi_context context, const void *ptr, pi_mem_alloc_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_CONTEXT(context);
  TRY(answer_check(&answer));
  return usm_answer(context, ptr, param_name, &answer);
}

pi_result piextUSMImport(const void *ptr, size_t size, pi_context context) {
  REQUIRE_POINTER(ptr);
  REQUIRE_CONTEXT(context);
  return usm_import(context, (void *)(uintptr_t)ptr, size);
}

pi_result piextUSMRelease(const void *ptr, pi_context context) {
  REQUIRE_POINTER(ptr);
  REQUIRE_CONTEXT(context);
  return usm_release(context, (void *)(uintptr_t)ptr);
}
