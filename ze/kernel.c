/* Entries for kernels. */
#include "../plugins/objects/kernel.h"

#include "ze.h"

#include <string.h>

ze_result_t zeKernelCreate(ze_module_handle_t hModule, const ze_kernel_desc_t *desc,
                           ze_kernel_handle_t *phKernel) {
  ZE_REQUIRE_HANDLE(hModule, PROGRAM);
  ZE_REQUIRE_POINTER(desc);
  ZE_REQUIRE(desc->pKernelName, INVALID_NULL_POINTER, "desc->pKernelName is NULL");
  ZE_REQUIRE_POINTER(phKernel);
  pi_kernel kernel;
  pi_native_handle handle;
  ZE_TRY(kernel_create(program_of(hModule), desc->pKernelName, &kernel));
  const pi_result result = kernel_native(kernel, &handle);
  if (result == PI_SUCCESS)
    *phKernel = kernel_handle(kernel);
  else
    kernel_release(kernel);
  return ze_answer(result);
}

ze_result_t zeKernelDestroy(ze_kernel_handle_t hKernel) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  kernel_release(kernel_of(hKernel));
  return ZE_RESULT_SUCCESS;
}

/* Sets an argument. If pArgValue is NULL, it is local memory or a null pointer. */
ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize,
                                     const void *pArgValue) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  const pi_kernel kernel = kernel_of(hKernel);
  return ze_answer(pArgValue ? kernel_set_value(kernel, argIndex, argSize, pArgValue)
                             : kernel_set_argument(kernel, argIndex, argSize, NULL));
}

/* Does nothing, because kernels always reach all memory of their context. */
ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t hKernel,
                                      ze_kernel_indirect_access_flags_t flags) {
  (void)flags;
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetName(ze_kernel_handle_t hKernel, size_t *pSize, char *pName) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE_POINTER(pSize);
  return ze_text(pSize, kernel_of(hKernel)->name, pName);
}

static uint32_t sub_group(pi_kernel kernel, pi_kernel_sub_group_info query) {
  uint32_t value = 0;
  (void)kernel_answer_sub_group(kernel, ze_module_device(kernel->program), query, 0, NULL,
                                &(info_answer){sizeof value, &value, NULL});
  return value;
}

static pi_result group(pi_kernel kernel, pi_kernel_group_info query, size_t size, void *ret) {
  return kernel_answer_group(kernel, ze_module_device(kernel->program), query,
                             &(info_answer){size, ret, NULL});
}

ze_result_t zeKernelGetProperties(ze_kernel_handle_t hKernel,
                                  ze_kernel_properties_t *pKernelProperties) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE_POINTER(pKernelProperties);
  const pi_kernel kernel = kernel_of(hKernel);
  ze_kernel_properties_t *properties = pKernelProperties;
  size_t required[3];
  pi_uint64 local_memory, private_memory;
  ZE_TRY(group(kernel, PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE, sizeof required, required));
  ZE_TRY(group(kernel, PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, sizeof local_memory, &local_memory));
  ZE_TRY(
      group(kernel, PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE, sizeof private_memory, &private_memory));
  properties->numKernelArgs = kernel->argument_count;
  properties->requiredGroupSizeX = (uint32_t)required[0];
  properties->requiredGroupSizeY = (uint32_t)required[1];
  properties->requiredGroupSizeZ = (uint32_t)required[2];
  properties->requiredNumSubGroups = sub_group(kernel, PI_KERNEL_COMPILE_NUM_SUB_GROUPS);
  properties->requiredSubgroupSize = sub_group(kernel, PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL);
  properties->maxSubgroupSize = sub_group(kernel, PI_KERNEL_MAX_SUB_GROUP_SIZE);
  properties->maxNumSubgroups = sub_group(kernel, PI_KERNEL_MAX_NUM_SUB_GROUPS);
  properties->localMemSize = (uint32_t)local_memory;
  properties->privateMemSize = (uint32_t)private_memory;
  properties->spillMemSize = 0;
  memset(&properties->uuid, 0, sizeof properties->uuid);
  return ZE_RESULT_SUCCESS;
}
