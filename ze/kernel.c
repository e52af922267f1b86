/* Entries for kernels. */
#include "../plugins/objects/launch_kernel.h"

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

/*
 * Returns whether a value is a number with too few bytes, such as an int for a size_t. Intel's
 * driver takes those bytes, and Level Zero's own tests rely on it. PTX does not tell pointers from
 * numbers, so there a short pointer counts as a number, too.
 */
static bool is_short_number(pi_kernel kernel, uint32_t index, size_t size) {
  if (index >= kernel->argument_count)
    return false;
  const kernel_argument *argument = &kernel->arguments[index];
  return (argument->kind == SPIRV_ARGUMENT_VALUE || argument->kind == SPIRV_ARGUMENT_UNKNOWN) &&
         size != 0 && size < argument->size && argument->size <= sizeof(uint64_t);
}

/*
 * Sets an argument. If pArgValue is NULL, it is local memory or a null pointer. The upper bytes of
 * a number with too few bytes are 0.
 */
ze_result_t zeKernelSetArgumentValue(ze_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize,
                                     const void *pArgValue) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  const pi_kernel kernel = kernel_of(hKernel);
  uint64_t number = 0;
  if (pArgValue && is_short_number(kernel, argIndex, argSize)) {
    memcpy(&number, pArgValue, argSize);
    return ze_answer(kernel_set_value(kernel, argIndex, kernel->arguments[argIndex].size, &number));
  }
  return ze_answer(pArgValue ? kernel_set_value(kernel, argIndex, argSize, pArgValue)
                             : kernel_set_argument(kernel, argIndex, argSize, NULL));
}

/* Has no other effect, because kernels always reach all memory of their context. */
ze_result_t zeKernelSetIndirectAccess(ze_kernel_handle_t hKernel,
                                      ze_kernel_indirect_access_flags_t flags) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE(flags <= (ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED << 1) - 1, INVALID_ENUMERATION,
             "flags is 0x%x, which has unknown bits", flags);
  kernel_of(hKernel)->indirect = flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetIndirectAccess(ze_kernel_handle_t hKernel,
                                      ze_kernel_indirect_access_flags_t *pFlags) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE_POINTER(pFlags);
  *pFlags = kernel_of(hKernel)->indirect;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetCacheConfig(ze_kernel_handle_t hKernel, ze_cache_config_flags_t flags) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE(flags <= (ZE_CACHE_CONFIG_FLAG_LARGE_DATA << 1) - 1, INVALID_ENUMERATION,
             "flags is 0x%x, which has unknown bits", flags);
  const pi_uint32 config =
      flags == ZE_CACHE_CONFIG_FLAG_LARGE_SLM    ? PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM
      : flags == ZE_CACHE_CONFIG_FLAG_LARGE_DATA ? PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_DATA
                                                 : PI_EXT_KERNEL_EXEC_INFO_CACHE_DEFAULT;
  return ze_answer(kernel_set_info(kernel_of(hKernel), PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG,
                                   sizeof config, &config));
}

/* ---- Work-groups ---- */

ze_result_t zeKernelSetGroupSize(ze_kernel_handle_t hKernel, uint32_t groupSizeX,
                                 uint32_t groupSizeY, uint32_t groupSizeZ) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  const pi_kernel kernel = kernel_of(hKernel);
  const size_t group[3] = {groupSizeX, groupSizeY, groupSizeZ};
  launch_range range;
  launch_groups groups;
  kernel_limits *limits;
  launch_range_set(&range, 3, NULL, group, group);
  ZE_REQUIRE(!range.is_empty, INVALID_GROUP_SIZE_DIMENSION,
             "the work-groups of kernel %s are of %ux%ux%u work-items", kernel->name, groupSizeX,
             groupSizeY, groupSizeZ);
  ZE_TRY(driver_kernel_limits(kernel, ze_module_device(kernel->program), &range, &limits));
  if (!launch_make_groups(limits, &range, &groups)) {
    (void)launch_check_groups(kernel->name, limits, &range);
    return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  }
  memcpy(kernel->group, group, sizeof group);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSetGlobalOffsetExp(ze_kernel_handle_t hKernel, uint32_t offsetX,
                                       uint32_t offsetY, uint32_t offsetZ) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  memcpy(kernel_of(hKernel)->offset, (size_t[3]){offsetX, offsetY, offsetZ}, 3 * sizeof(size_t));
  return ZE_RESULT_SUCCESS;
}

/*
 * Suggests a size that divides the range: one work-item if no other one does, even if the device
 * has no grid of so many work-groups.
 */
ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t hKernel, uint32_t globalSizeX,
                                     uint32_t globalSizeY, uint32_t globalSizeZ,
                                     uint32_t *groupSizeX, uint32_t *groupSizeY,
                                     uint32_t *groupSizeZ) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE_POINTER(groupSizeX);
  ZE_REQUIRE_POINTER(groupSizeY);
  ZE_REQUIRE_POINTER(groupSizeZ);
  const pi_kernel kernel = kernel_of(hKernel);
  const size_t global[3] = {globalSizeX, globalSizeY, globalSizeZ};
  size_t local[3] = {1, 1, 1};
  ZE_REQUIRE(globalSizeX && globalSizeY && globalSizeZ, INVALID_GLOBAL_WIDTH_DIMENSION,
             "the range has %ux%ux%u work-items", globalSizeX, globalSizeY, globalSizeZ);
  const pi_result result = launch_suggest_local(kernel->context, ze_module_device(kernel->program),
                                                kernel, 3, NULL, global, local);
  if (result != PI_SUCCESS && result != PI_ERROR_INVALID_GLOBAL_WORK_SIZE)
    return ze_answer(result);
  *groupSizeX = (uint32_t)local[0];
  *groupSizeY = (uint32_t)local[1];
  *groupSizeZ = (uint32_t)local[2];
  return ZE_RESULT_SUCCESS;
}

/* Counts for the kernel's group size and the local memory of its current arguments. */
ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t hKernel,
                                                    uint32_t *totalGroupCount) {
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE_POINTER(totalGroupCount);
  const pi_kernel kernel = kernel_of(hKernel);
  const pi_device device = ze_module_device(kernel->program);
  size_t group[3];
  pi_uint32 count;
  ZE_TRY(ze_kernel_group(kernel, device, group));
  ZE_TRY(launch_count_cooperative(kernel, device, 3, group,
                                  kernel->local_memory - kernel->local_start, &count));
  *totalGroupCount = count;
  return ZE_RESULT_SUCCESS;
}

pi_result ze_kernel_group(pi_kernel kernel, pi_device device, size_t ret[3]) {
  kernel_limits *limits;
  const size_t single[3] = {1, 1, 1};
  TRY(driver_kernel_limits(kernel, device, NULL, &limits));
  const size_t *group = kernel->group[0]      ? kernel->group
                        : limits->required[0] ? limits->required
                                              : single;
  memcpy(ret, group, sizeof single);
  return PI_SUCCESS;
}

/* ---- Queries ---- */

/*
 * There are none: a module in SPIR-V need not have the attributes of its source. Writes the empty
 * text to memory of the caller, or returns its address if *pString is NULL: programs do both.
 */
ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t hKernel, uint32_t *pSize,
                                        char **pString) {
  static char none[1];
  ZE_REQUIRE_HANDLE(hKernel, KERNEL);
  ZE_REQUIRE_POINTER(pSize);
  if (pString && *pString)
    **pString = '\0';
  else if (pString)
    *pString = none;
  *pSize = sizeof none;
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
