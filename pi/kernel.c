/* PI's entries for kernels. */
#include "../plugins/checks/arguments.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"
#include "../plugins/objects/launch_kernel.h"

pi_result piKernelCreate(pi_program program, const char *kernel_name, pi_kernel *ret_kernel) {
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(kernel_name);
  REQUIRE_POINTER(ret_kernel);
  return kernel_create(program, kernel_name, ret_kernel);
}

pi_result piKernelRetain(pi_kernel kernel) {
  REQUIRE_KERNEL(kernel);
  kernel_retain(kernel);
  return PI_SUCCESS;
}

pi_result piKernelRelease(pi_kernel kernel) {
  REQUIRE_KERNEL(kernel);
  kernel_release(kernel);
  return PI_SUCCESS;
}

/* Sets an argument. If arg_value is NULL, the argument is local memory of arg_size bytes. */
pi_result piKernelSetArg(pi_kernel kernel, pi_uint32 arg_index, size_t arg_size,
                         const void *arg_value) {
  REQUIRE_KERNEL(kernel);
  return kernel_set_argument(kernel, arg_index, arg_size, arg_value);
}

/* Sets a USM pointer, which may be NULL. arg_value is the address of a variable that holds it. */
pi_result piextKernelSetArgPointer(pi_kernel kernel, pi_uint32 arg_index, size_t arg_size,
                                   const void *arg_value) {
  REQUIRE_KERNEL(kernel);
  return kernel_set_pointer(kernel, arg_index, arg_size, arg_value);
}

/* Sets a memory object. Checks the access but does not use it, because kernels can read and write
 * all their memory objects. */
pi_result piextKernelSetArgMemObj(pi_kernel kernel, pi_uint32 arg_index,
                                  const pi_mem_obj_property *arg_properties,
                                  const pi_mem *arg_value) {
  REQUIRE_KERNEL(kernel);
  if (arg_properties)
    TRY(check_mem_access(arg_properties, arg_index));
  const pi_mem mem = arg_value ? *arg_value : NULL;
  if (mem)
    REQUIRE_MEM(mem);
  return kernel_set_memory(kernel, arg_index, mem);
}

pi_result piextKernelSetArgSampler(pi_kernel kernel, pi_uint32 arg_index,
                                   const pi_sampler *arg_value) {
  REQUIRE_KERNEL(kernel);
  TRY(check_argument_value(arg_index, arg_value));
  REQUIRE_SAMPLER(*arg_value);
  return kernel_set_sampler(kernel, arg_index, *arg_value);
}

pi_result piKernelSetExecInfo(pi_kernel kernel, pi_kernel_exec_info value_name,
                              size_t param_value_size, const void *param_value) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(param_value);
  return kernel_set_info(kernel, value_name, param_value_size, param_value);
}

pi_result piKernelGetInfo(pi_kernel kernel, pi_kernel_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  TRY(answer_check(&answer));
  return kernel_answer(kernel, param_name, &answer);
}

pi_result piKernelGetGroupInfo(pi_kernel kernel, pi_device device, pi_kernel_group_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  REQUIRE_DEVICE_OF(kernel->context, device);
  TRY(answer_check(&answer));
  return kernel_answer_group(kernel, device, param_name, &answer);
}

pi_result piKernelGetSubGroupInfo(pi_kernel kernel, pi_device device,
                                  pi_kernel_sub_group_info param_name, size_t input_value_size,
                                  const void *input_value, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  REQUIRE_DEVICE_OF(kernel->context, device);
  TRY(answer_check(&answer));
  return kernel_answer_sub_group(kernel, device, param_name, input_value_size, input_value,
                                 &answer);
}

pi_result piextKernelSuggestMaxCooperativeGroupCount(pi_kernel kernel, size_t local_work_size,
                                                     size_t dynamic_shared_memory_size,
                                                     pi_uint32 *group_count_ret) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(group_count_ret);
  return launch_count_cooperative(kernel, NULL, 1, &local_work_size, dynamic_shared_memory_size,
                                  group_count_ret);
}

pi_result piextKernelGetNativeHandle(pi_kernel kernel, pi_native_handle *native_handle) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(native_handle);
  return kernel_native(kernel, native_handle);
}

pi_result piextKernelCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                            pi_program program, bool plugin_owns_native_handle,
                                            pi_kernel *kernel) {
  REQUIRE(native_handle, PI_ERROR_INVALID_KERNEL, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  if (program) {
    REQUIRE_PROGRAM(program);
    REQUIRE(program->context->native == context->native, PI_ERROR_INVALID_CONTEXT,
            "the program is of another context");
  }
  REQUIRE_POINTER(kernel);
  return kernel_adopt(context, program, native_handle, plugin_owns_native_handle, kernel);
}
