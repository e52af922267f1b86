/* Kernels. A pi_kernel is the cl_kernel, so setting an argument costs the driver's call. */
#include "checks.h"
#include "program.h"

#include "../checks/launch.h"

#include <stdio.h>

pi_result piKernelCreate(pi_program program, const char *kernel_name, pi_kernel *ret_kernel) {
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(kernel_name);
  REQUIRE_POINTER(ret_kernel);
  cl_program active;
  TRY(opencl_program_hold(program, &active));
  cl_int code;
  const cl_kernel kernel = cl.CreateKernel(active, kernel_name, &code);
  opencl_program_yield(program, active);
  if (code == CL_INVALID_KERNEL_NAME)
    return refuse_kernel_name(kernel_name);
  TRY(cl_result(code, "clCreateKernel"));
  *ret_kernel = pi_from_cl_kernel(kernel);
  return PI_SUCCESS;
}

/* Facts about a kernel for messages; "?" and 0 if the driver does not report them. */
typedef struct kernel_facts {
  char name[128];
  cl_uint arguments;
} kernel_facts;

static kernel_facts facts_of(cl_kernel kernel) {
  kernel_facts facts = {.name = "?"};
  cl.GetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof facts.name, facts.name, NULL);
  cl.GetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof facts.arguments, &facts.arguments, NULL);
  return facts;
}

/* Returns the largest local memory of the devices in the kernel's context, in bytes. */
static size_t most_local_memory(cl_kernel kernel) {
  cl_context context = NULL;
  cl.GetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL);
  cl_device_id devices[OPENCL_CONTEXT_DEVICES_MAX];
  const size_t count = opencl_devices_of_context(context, devices);
  cl_ulong most = 0;
  for (size_t i = 0; i < count; i++) {
    cl_ulong value = 0;
    cl.GetDeviceInfo(devices[i], CL_DEVICE_LOCAL_MEM_SIZE, sizeof value, &value, NULL);
    most = value > most ? value : most;
  }
  return (size_t)most;
}

/* Local memory in bytes that OpenCL 1.2 guarantees. Sizes up to it need no query. */
enum { LOCAL_MEMORY_LEAST = 32 * 1024 };

/* Refuses local memory that is larger than on any device; Intel's CPU runtime accepts any size. */
static pi_result __attribute__((cold, noinline))
check_local(cl_kernel kernel, pi_uint32 index, size_t size) {
  const size_t most = most_local_memory(kernel);
  return size <= most ? PI_SUCCESS : refuse_local_memory(facts_of(kernel).name, index, size, most);
}

/*
 * Refuses the index UINT32_MAX and leaves the others to the driver. Intel's CPU runtime adds 1 to
 * the index in 32 bits, so with that one it writes before the start of its list.
 */
static inline pi_result check_index(cl_kernel kernel, pi_uint32 index) {
  if (__builtin_expect(index != UINT32_MAX, 1))
    return PI_SUCCESS;
  const kernel_facts facts = facts_of(kernel);
  return refuse_argument(facts.name, facts.arguments, index);
}

/* Makes the error of setting an argument, with a message that names the argument. */
static pi_result __attribute__((cold))
argument_error(cl_int code, const char *function, cl_kernel kernel, pi_uint32 index, size_t size) {
  char call[96];
  const kernel_facts facts = facts_of(kernel);
  if (code == CL_INVALID_ARG_INDEX)
    return refuse_argument(facts.name, facts.arguments, index);
  snprintf(call, sizeof call, "%s of argument %u, %zu bytes,", function, index, size);
  return cl_error(code, call);
}

/*
 * Sets an argument. If arg_value is NULL, the argument is local memory of arg_size bytes. libsycl
 * also passes memory objects to this function, as the eight bytes of the cl_mem.
 */
pi_result piKernelSetArg(pi_kernel kernel, pi_uint32 arg_index, size_t arg_size,
                         const void *arg_value) {
  REQUIRE_KERNEL(kernel);
  const cl_kernel object = cl_from_kernel(kernel);
  TRY(check_index(object, arg_index));
  if (__builtin_expect(!arg_value && arg_size > LOCAL_MEMORY_LEAST, 0))
    TRY(check_local(object, arg_index, arg_size));
  const cl_int code = cl.SetKernelArg(object, arg_index, arg_size, arg_value);
  if (__builtin_expect(code != CL_SUCCESS, 0))
    return argument_error(code, "clSetKernelArg", object, arg_index, arg_size);
  return PI_SUCCESS;
}

/* Sets a USM pointer, which may be NULL. arg_value is the address of a variable that holds it. */
pi_result piextKernelSetArgPointer(pi_kernel kernel, pi_uint32 arg_index, size_t arg_size,
                                   const void *arg_value) {
  REQUIRE_KERNEL(kernel);
  TRY(check_argument_pointer(arg_index, arg_size, arg_value));
  const cl_kernel object = cl_from_kernel(kernel);
  TRY(check_index(object, arg_index));
  const opencl_extensions *extensions = opencl_extensions_of_kernel(object);
  if (__builtin_expect(!extensions->SetKernelArgMemPointer, 0))
    return OPENCL_UNSUPPORTED("the driver takes no pointer arguments: it has no "
                              "clSetKernelArgMemPointerINTEL");
  const void *pointer;
  __builtin_memcpy(&pointer, arg_value, sizeof pointer);
  const cl_int code = extensions->SetKernelArgMemPointer(object, arg_index, pointer);
  if (__builtin_expect(code != CL_SUCCESS, 0))
    return argument_error(code, "clSetKernelArgMemPointerINTEL", object, arg_index, arg_size);
  return PI_SUCCESS;
}

/*
 * Sets a memory object. Checks the access but does not use it, because OpenCL follows the memory
 * object's own flags. For an empty buffer, runtimes pass NULL as arg_value or as the object.
 */
pi_result piextKernelSetArgMemObj(pi_kernel kernel, pi_uint32 arg_index,
                                  const pi_mem_obj_property *arg_properties,
                                  const pi_mem *arg_value) {
  REQUIRE_KERNEL(kernel);
  if (arg_properties)
    TRY(check_mem_access(arg_properties, arg_index));
  const cl_mem mem = arg_value ? cl_from_mem(*arg_value) : NULL;
  return piKernelSetArg(kernel, arg_index, sizeof mem, &mem);
}

pi_result piextKernelSetArgSampler(pi_kernel kernel, pi_uint32 arg_index,
                                   const pi_sampler *arg_value) {
  REQUIRE_KERNEL(kernel);
  TRY(check_argument_value(arg_index, arg_value));
  REQUIRE(*arg_value, PI_ERROR_INVALID_SAMPLER, "the sampler of argument %u is NULL", arg_index);
  return piKernelSetArg(kernel, arg_index, sizeof *arg_value, arg_value);
}

static pi_result set_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                               const void *value) {
  if (!cl.SetKernelExecInfo || opencl_extensions_of_kernel(kernel)->version < 200)
    return OPENCL_UNSUPPORTED("clSetKernelExecInfo takes OpenCL 2.0");
  return CL_CALL(SetKernelExecInfo, kernel, name, size, value);
}

/* Sets OpenCL's settings of indirect access, one per kind of USM; PI has one for all kinds. */
static pi_result set_indirect_access(cl_kernel kernel, const pi_bool *value) {
  const opencl_extensions *extensions = opencl_extensions_of_kernel(kernel);
  const cl_bool access = *value ? CL_TRUE : CL_FALSE;
  if (!extensions->HostMemAlloc && !extensions->DeviceMemAlloc && !extensions->SharedMemAlloc)
    return OPENCL_UNSUPPORTED("the driver has no cl_intel_unified_shared_memory");
  if (extensions->HostMemAlloc)
    TRY(set_exec_info(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof access,
                      &access));
  if (extensions->DeviceMemAlloc)
    TRY(set_exec_info(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof access,
                      &access));
  if (extensions->SharedMemAlloc)
    TRY(set_exec_info(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof access,
                      &access));
  return PI_SUCCESS;
}

pi_result piKernelSetExecInfo(pi_kernel kernel, pi_kernel_exec_info value_name,
                              size_t param_value_size, const void *param_value) {
  REQUIRE_KERNEL(kernel);
  REQUIRE_POINTER(param_value);
  TRY(kernel_check_info(value_name, param_value_size, param_value));
  if (value_name == PI_USM_INDIRECT_ACCESS)
    return set_indirect_access(cl_from_kernel(kernel), param_value);
  if (value_name == PI_USM_PTRS)
    return set_exec_info(cl_from_kernel(kernel), CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                         param_value_size, param_value);
  /* The cache configuration is only a preference, which OpenCL has no way to pass on. */
  return PI_SUCCESS;
}

static pi_result get_kernel_info(cl_kernel kernel, cl_kernel_info query,
                                 const info_answer *answer) {
  CL_ANSWER(answer, GetKernelInfo, kernel, query);
}

/* Answers with the pi_program, also if the kernel belongs to the cl_program of a later build. */
static pi_result get_program(cl_kernel kernel, const info_answer *answer) {
  cl_program program;
  TRY(CL_GET(Kernel, kernel, CL_KERNEL_PROGRAM, &program));
  return answer_handle(answer, opencl_program_owner(program));
}

pi_result piKernelGetInfo(pi_kernel kernel, pi_kernel_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_KERNEL_INFO_PROGRAM:
    return get_program(cl_from_kernel(kernel), &answer);
  /* The following queries have the same numbers in PI and OpenCL. */
  case PI_KERNEL_INFO_FUNCTION_NAME:
  case PI_KERNEL_INFO_NUM_ARGS:
  case PI_KERNEL_INFO_REFERENCE_COUNT:
  case PI_KERNEL_INFO_CONTEXT:
  case PI_KERNEL_INFO_ATTRIBUTES:
    return get_kernel_info(cl_from_kernel(kernel), (cl_kernel_info)param_name, &answer);
  }
  return answer_unknown("pi_kernel_info", (pi_uint32)param_name);
}

pi_result piKernelGetGroupInfo(pi_kernel kernel, pi_device device, pi_kernel_group_info param_name,
                               size_t param_value_size, void *param_value,
                               size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  REQUIRE_DEVICE(device);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_KERNEL_GROUP_INFO_NUM_REGS:
    return answer_unsupported("pi_kernel_group_info", (pi_uint32)param_name,
                              "OpenCL does not tell the registers of a kernel");
  /* The following queries have the same numbers in PI and OpenCL. */
  case PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE:
  case PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE:
  case PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE:
  case PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
  case PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE:
  case PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE:
    CL_ANSWER(&answer, GetKernelWorkGroupInfo, cl_from_kernel(kernel), cl_from_device(device),
              (cl_kernel_work_group_info)param_name);
  }
  return answer_unknown("pi_kernel_group_info", (pi_uint32)param_name);
}

/* Asks OpenCL 2.1 or cl_khr_subgroups, which answer with a size_t. */
static pi_result get_sub_group_size(cl_kernel kernel, cl_device_id device,
                                    cl_kernel_sub_group_info query, size_t input_size,
                                    const void *input, size_t *ret) {
  const opencl_extensions *extensions = opencl_extensions_of_device(device);
  if (cl.GetKernelSubGroupInfo && extensions->version >= 210)
    return CL_CALL(GetKernelSubGroupInfo, kernel, device, query, input_size, input, sizeof *ret,
                   ret, NULL);
  if (extensions->GetKernelSubGroupInfo)
    return cl_result(extensions->GetKernelSubGroupInfo(kernel, device, query, input_size, input,
                                                       sizeof *ret, ret, NULL),
                     "clGetKernelSubGroupInfoKHR");
  return answer_unsupported("pi_kernel_sub_group_info", query,
                            "it takes OpenCL 2.1 or cl_khr_subgroups");
}

/*
 * For PI_KERNEL_MAX_SUB_GROUP_SIZE, input_value is the local size, 1 to 3 size_t; if it is NULL,
 * the largest one-dimensional group counts. Other queries do not read input_value. All answers of
 * PI have 4 bytes.
 */
pi_result piKernelGetSubGroupInfo(pi_kernel kernel, pi_device device,
                                  pi_kernel_sub_group_info param_name, size_t input_value_size,
                                  const void *input_value, size_t param_value_size,
                                  void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_KERNEL(kernel);
  REQUIRE_DEVICE(device);
  TRY(answer_check(&answer));
  const cl_kernel cl_object = cl_from_kernel(kernel);
  size_t size = 0;
  switch (param_name) {
  case PI_KERNEL_MAX_SUB_GROUP_SIZE: {
    size_t local[3] = {1, 1, 1};
    TRY(kernel_check_local_size(input_value, input_value_size));
    if (input_value)
      __builtin_memcpy(local, input_value, input_value_size);
    else
      TRY(CL_CALL(GetKernelWorkGroupInfo, cl_object, cl_from_device(device),
                  CL_KERNEL_WORK_GROUP_SIZE, sizeof local[0], local, NULL));
    TRY(get_sub_group_size(cl_object, cl_from_device(device),
                           CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local, &size));
    return answer_uint32(&answer, (pi_uint32)size);
  }
  /* The following queries have the same numbers in PI and OpenCL. */
  case PI_KERNEL_MAX_NUM_SUB_GROUPS:
  case PI_KERNEL_COMPILE_NUM_SUB_GROUPS:
  case PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
    TRY(get_sub_group_size(cl_object, cl_from_device(device), (cl_kernel_sub_group_info)param_name,
                           0, NULL, &size));
    return answer_uint32(&answer, (pi_uint32)size);
  }
  return answer_unknown("pi_kernel_sub_group_info", (pi_uint32)param_name);
}

/* Ignores context and program, because the cl_kernel knows its own. */
pi_result piextKernelCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                            pi_program program, bool plugin_owns_native_handle,
                                            pi_kernel *kernel) {
  (void)context;
  (void)program;
  REQUIRE(native_handle, PI_ERROR_INVALID_KERNEL, "native_handle is 0");
  REQUIRE_POINTER(kernel);
  const cl_kernel native = (cl_kernel)native_handle;
  /* The pi_kernel needs a reference of its own, unless it takes over the application's. */
  if (!plugin_owns_native_handle)
    TRY(CL_CALL(RetainKernel, native));
  *kernel = pi_from_cl_kernel(native);
  return PI_SUCCESS;
}

/*
 * Returns 1, because every driver runs a cooperative launch of one group. A driver with
 * cl_intel_concurrent_dispatch may run more, but reports their number only for a queue.
 */
pi_result piextKernelSuggestMaxCooperativeGroupCount(pi_kernel kernel, size_t local_work_size,
                                                     size_t dynamic_shared_memory_size,
                                                     pi_uint32 *group_count_ret) {
  (void)dynamic_shared_memory_size;
  REQUIRE_KERNEL(kernel);
  REQUIRE(local_work_size != 0, PI_ERROR_INVALID_VALUE, "local_work_size is 0");
  REQUIRE_POINTER(group_count_ret);
  *group_count_ret = 1;
  return PI_SUCCESS;
}
