/* UR's entries that set a kernel's arguments and its execution properties. */
#include "kernel_arguments.h"

#include "../plugins/objects/kernel.h"
#include "../plugins/objects/memory.h"

/* Checks the access, which has no effect: kernels can read and write all their memory. */
static ur_result_t check_access(ur_mem_flags_t access, uint32_t index) {
  const ur_mem_flags_t known =
      UR_MEM_FLAG_READ_WRITE | UR_MEM_FLAG_WRITE_ONLY | UR_MEM_FLAG_READ_ONLY;
  UR_REQUIRE((access & ~known) == 0, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "memoryAccess of argument %u is 0x%x, which has bits outside of 0x%x", index, access,
             known);
  UR_REQUIRE((access & (access - 1)) == 0, UR_RESULT_ERROR_INVALID_VALUE,
             "memoryAccess of argument %u is 0x%x, of which one excludes the others", index,
             access);
  return UR_RESULT_SUCCESS;
}

/* memory may be NULL, because runtimes pass NULL for an empty buffer. */
static ur_result_t set_memory(pi_kernel kernel, uint32_t index, ur_mem_handle_t memory,
                              ur_mem_flags_t access) {
  UR_PASS(check_access(access, index));
  if (memory)
    UR_REQUIRE_MEM(memory);
  return face_result(kernel_set_memory(kernel, index, mem_of(memory)));
}

static ur_result_t set_sampler(pi_kernel kernel, uint32_t index, ur_sampler_handle_t sampler) {
  UR_REQUIRE_SAMPLER(sampler);
  return face_result(kernel_set_sampler(kernel, index, sampler_of(sampler)));
}

/* ---- One by one, until 2026.1 ---- */

ur_result_t urKernelSetArgValue(ur_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize,
                                const ur_kernel_arg_value_properties_t *pProperties,
                                const void *pArgValue) {
  (void)pProperties;
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(pArgValue);
  return face_result(kernel_set_value(kernel_of(hKernel), argIndex, argSize, pArgValue));
}

ur_result_t urKernelSetArgLocal(ur_kernel_handle_t hKernel, uint32_t argIndex, size_t argSize,
                                const ur_kernel_arg_local_properties_t *pProperties) {
  (void)pProperties;
  UR_REQUIRE_KERNEL(hKernel);
  return face_result(kernel_set_local(kernel_of(hKernel), argIndex, argSize));
}

ur_result_t urKernelSetArgPointer(ur_kernel_handle_t hKernel, uint32_t argIndex,
                                  const ur_kernel_arg_pointer_properties_t *pProperties,
                                  const void *pArgValue) {
  (void)pProperties;
  UR_REQUIRE_KERNEL(hKernel);
  return face_result(
      kernel_set_pointer(kernel_of(hKernel), argIndex, sizeof pArgValue, &pArgValue));
}

ur_result_t urKernelSetArgSampler(ur_kernel_handle_t hKernel, uint32_t argIndex,
                                  const ur_kernel_arg_sampler_properties_t *pProperties,
                                  ur_sampler_handle_t hArgValue) {
  (void)pProperties;
  UR_REQUIRE_KERNEL(hKernel);
  return set_sampler(kernel_of(hKernel), argIndex, hArgValue);
}

ur_result_t urKernelSetArgMemObj(ur_kernel_handle_t hKernel, uint32_t argIndex,
                                 const ur_kernel_arg_mem_obj_properties_t *pProperties,
                                 ur_mem_handle_t hArgValue) {
  UR_REQUIRE_KERNEL(hKernel);
  return set_memory(kernel_of(hKernel), argIndex, hArgValue,
                    pProperties ? pProperties->memoryAccess : 0);
}

/* ---- All together with a launch, since 2026.0 ---- */

static ur_result_t take_argument(pi_kernel kernel, const ur_exp_kernel_arg_properties_t *argument) {
  switch ((int)argument->type) {
  case UR_EXP_KERNEL_ARG_TYPE_VALUE:
    UR_REQUIRE(argument->value.value, UR_RESULT_ERROR_INVALID_NULL_POINTER,
               "the value of argument %u is NULL", argument->index);
    return face_result(
        kernel_set_value(kernel, argument->index, argument->size, argument->value.value));
  case UR_EXP_KERNEL_ARG_TYPE_POINTER:
    return face_result(kernel_set_pointer(kernel, argument->index, sizeof argument->value.pointer,
                                          &argument->value.pointer));
  case UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ:
    return set_memory(kernel, argument->index, argument->value.memObjTuple.hMem,
                      argument->value.memObjTuple.flags);
  case UR_EXP_KERNEL_ARG_TYPE_LOCAL:
    return face_result(kernel_set_local(kernel, argument->index, argument->size));
  case UR_EXP_KERNEL_ARG_TYPE_SAMPLER:
    return set_sampler(kernel, argument->index, argument->value.sampler);
  }
  return face_error(UR_RESULT_ERROR_INVALID_ENUMERATION,
                    "the type of argument %u is 0x%x, which UR has not", argument->index,
                    (unsigned)argument->type);
}

ur_result_t kernel_take_arguments(pi_kernel kernel, uint32_t count,
                                  const ur_exp_kernel_arg_properties_t *arguments) {
  for (uint32_t i = 0; i < count; i++)
    UR_PASS(take_argument(kernel, &arguments[i]));
  return UR_RESULT_SUCCESS;
}

/* ---- Execution properties ---- */

/* A boolean has 1 byte in UR and 4 in PI. */
static ur_result_t set_indirect(pi_kernel kernel, size_t size, const void *value) {
  UR_REQUIRE(size == sizeof(ur_bool_t), UR_RESULT_ERROR_INVALID_SIZE,
             "propSize is %zu, a ur_bool_t has %zu byte", size, sizeof(ur_bool_t));
  const pi_bool is_on = *(const unsigned char *)value != 0;
  return face_result(kernel_set_info(kernel, PI_USM_INDIRECT_ACCESS, sizeof is_on, &is_on));
}

static ur_result_t set_cache(pi_kernel kernel, size_t size, const void *value) {
  const pi_kernel_exec_info name = PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG;
  UR_REQUIRE(size == sizeof(ur_kernel_cache_config_t), UR_RESULT_ERROR_INVALID_SIZE,
             "propSize is %zu, a ur_kernel_cache_config_t has %zu bytes", size,
             sizeof(ur_kernel_cache_config_t));
  return face_result(kernel_set_info(kernel, name, size, value)); /* UR and PI share the numbers */
}

ur_result_t urKernelSetExecInfo(ur_kernel_handle_t hKernel, ur_kernel_exec_info_t propName,
                                size_t propSize,
                                const ur_kernel_exec_info_properties_t *pProperties,
                                const void *pPropValue) {
  (void)pProperties;
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(pPropValue);
  switch ((int)propName) {
  case UR_KERNEL_EXEC_INFO_USM_INDIRECT_ACCESS:
    return set_indirect(kernel_of(hKernel), propSize, pPropValue);
  case UR_KERNEL_EXEC_INFO_USM_PTRS:
    UR_REQUIRE(propSize != 0 && propSize % sizeof(void *) == 0, UR_RESULT_ERROR_INVALID_SIZE,
               "propSize is %zu, not a multiple of %zu", propSize, sizeof(void *));
    return face_result(kernel_set_info(kernel_of(hKernel), PI_USM_PTRS, propSize, pPropValue));
  case UR_KERNEL_EXEC_INFO_CACHE_CONFIG:
    return set_cache(kernel_of(hKernel), propSize, pPropValue);
  }
  return face_error(UR_RESULT_ERROR_INVALID_ENUMERATION, "0x%x is not a ur_kernel_exec_info_t",
                    (unsigned)propName);
}
