/* UR's entries for kernels. The entries that set arguments are in kernel_arguments.c. */
#include "../plugins/objects/driver.h"
#include "../plugins/objects/launch_kernel.h"

#include "checks.h"
#include "reply_object.h"

ur_result_t urKernelCreate(ur_program_handle_t hProgram, const char *pKernelName,
                           ur_kernel_handle_t *phKernel) {
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_POINTER(pKernelName);
  UR_REQUIRE_POINTER(phKernel);
  return face_result(kernel_create(program_of(hProgram), pKernelName, kernels_of(phKernel)));
}

ur_result_t urKernelRetain(ur_kernel_handle_t hKernel) {
  UR_REQUIRE_KERNEL(hKernel);
  kernel_retain(kernel_of(hKernel));
  return UR_RESULT_SUCCESS;
}

ur_result_t urKernelRelease(ur_kernel_handle_t hKernel) {
  UR_REQUIRE_KERNEL(hKernel);
  kernel_release(kernel_of(hKernel));
  return UR_RESULT_SUCCESS;
}

ur_result_t urKernelGetNativeHandle(ur_kernel_handle_t hKernel,
                                    ur_native_handle_t *phNativeKernel) {
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(phNativeKernel);
  return face_result(kernel_native(kernel_of(hKernel), phNativeKernel));
}

/* hProgram may be NULL if the native handle identifies the program. */
ur_result_t urKernelCreateWithNativeHandle(ur_native_handle_t hNativeKernel,
                                           ur_context_handle_t hContext,
                                           ur_program_handle_t hProgram,
                                           const ur_kernel_native_properties_t *pProperties,
                                           ur_kernel_handle_t *phKernel) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(phKernel);
  UR_REQUIRE(hNativeKernel, UR_RESULT_ERROR_INVALID_NULL_HANDLE, "hNativeKernel is 0");
  if (hProgram)
    UR_REQUIRE_PROGRAM_OF_CONTEXT();
  return face_result(kernel_adopt(context_of(hContext), program_of(hProgram), hNativeKernel,
                                  pProperties && pProperties->isNativeHandleOwned,
                                  kernels_of(phKernel)));
}

/* ---- Queries ---- */

/* X(UR's name, PI's): queries whose answers have the same bytes in PI. */
#define KERNEL_QUERIES(X)                                                                          \
  X(FUNCTION_NAME)                                                                                 \
  X(NUM_ARGS)                                                                                      \
  X(REFERENCE_COUNT)                                                                               \
  X(CONTEXT)                                                                                       \
  X(PROGRAM)                                                                                       \
  X(ATTRIBUTES)
#define GROUP_QUERIES(X)                                                                           \
  X(GLOBAL_WORK_SIZE)                                                                              \
  X(WORK_GROUP_SIZE)                                                                               \
  X(COMPILE_WORK_GROUP_SIZE)                                                                       \
  X(LOCAL_MEM_SIZE)                                                                                \
  X(PREFERRED_WORK_GROUP_SIZE_MULTIPLE)                                                            \
  X(PRIVATE_MEM_SIZE)
#define SUB_GROUP_QUERIES(X)                                                                       \
  X(MAX_SUB_GROUP_SIZE, MAX_SUB_GROUP_SIZE)                                                        \
  X(MAX_NUM_SUB_GROUPS, MAX_NUM_SUB_GROUPS)                                                        \
  X(COMPILE_NUM_SUB_GROUPS, COMPILE_NUM_SUB_GROUPS)                                                \
  X(SUB_GROUP_SIZE_INTEL, COMPILE_SUB_GROUP_SIZE_INTEL)

static pi_result ask_kernel(const object_query *query, const info_answer *answer) {
  return kernel_answer(query->object, (pi_kernel_info)query->number, answer);
}

static pi_result ask_group(const object_query *query, const info_answer *answer) {
  return kernel_answer_group(query->object, query->device, (pi_kernel_group_info)query->number,
                             answer);
}

static pi_result ask_sub_group(const object_query *query, const info_answer *answer) {
  return kernel_answer_sub_group(query->object, query->device,
                                 (pi_kernel_sub_group_info)query->number, 0, NULL, answer);
}

/* Answers for the first device that the kernel is built for, because UR's query has no device. */
static ur_result_t reply_registers(const info_answer *reply, pi_kernel kernel) {
  const pi_context context = kernel->context;
  object_query query = {
      .ask = ask_group, .object = kernel, .number = PI_KERNEL_GROUP_INFO_NUM_REGS};
  ur_result_t result = UR_RESULT_ERROR_INVALID_PROGRAM_EXECUTABLE;
  for (pi_uint32 i = 0;
       i < context->device_count && result == UR_RESULT_ERROR_INVALID_PROGRAM_EXECUTABLE; i++) {
    query.device = context->devices[i];
    result = reply_object(reply, &query);
  }
  return result;
}

ur_result_t urKernelGetInfo(ur_kernel_handle_t hKernel, ur_kernel_info_t propName, size_t propSize,
                            void *pPropValue, size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_KERNEL(hKernel);
  UR_PASS(reply_check(&reply));
  object_query query = {.ask = ask_kernel, .object = kernel_of(hKernel)};
  switch ((int)propName) {
#define KERNEL_QUERY(name)                                                                         \
  case UR_KERNEL_INFO_##name:                                                                      \
    query.number = PI_KERNEL_INFO_##name;                                                          \
    return reply_object(&reply, &query);
    KERNEL_QUERIES(KERNEL_QUERY)
#undef KERNEL_QUERY
  case UR_KERNEL_INFO_NUM_REGS:
    return reply_registers(&reply, kernel_of(hKernel));
  }
  return reply_unknown("ur_kernel_info_t", propName);
}

ur_result_t urKernelGetGroupInfo(ur_kernel_handle_t hKernel, ur_device_handle_t hDevice,
                                 ur_kernel_group_info_t propName, size_t propSize, void *pPropValue,
                                 size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_DEVICE_OF(kernel_of(hKernel)->context, hDevice);
  UR_PASS(reply_check(&reply));
  object_query query = {
      .ask = ask_group, .object = kernel_of(hKernel), .device = device_of(hDevice)};
  switch ((int)propName) {
#define GROUP_QUERY(name)                                                                          \
  case UR_KERNEL_GROUP_INFO_##name:                                                                \
    query.number = PI_KERNEL_GROUP_INFO_##name;                                                    \
    return reply_object(&reply, &query);
    GROUP_QUERIES(GROUP_QUERY)
#undef GROUP_QUERY
  }
  return reply_unknown("ur_kernel_group_info_t", propName);
}

ur_result_t urKernelGetSubGroupInfo(ur_kernel_handle_t hKernel, ur_device_handle_t hDevice,
                                    ur_kernel_sub_group_info_t propName, size_t propSize,
                                    void *pPropValue, size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_DEVICE_OF(kernel_of(hKernel)->context, hDevice);
  UR_PASS(reply_check(&reply));
  object_query query = {
      .ask = ask_sub_group, .object = kernel_of(hKernel), .device = device_of(hDevice)};
  switch ((int)propName) {
#define SUB_GROUP_QUERY(ur, pi)                                                                    \
  case UR_KERNEL_SUB_GROUP_INFO_##ur:                                                              \
    query.number = PI_KERNEL_##pi;                                                                 \
    return reply_object(&reply, &query);
    SUB_GROUP_QUERIES(SUB_GROUP_QUERY)
#undef SUB_GROUP_QUERY
  }
  return reply_unknown("ur_kernel_sub_group_info_t", propName);
}

/* ---- Suggested sizes ---- */

ur_result_t urKernelSuggestMaxCooperativeGroupCount(ur_kernel_handle_t hKernel,
                                                    ur_device_handle_t hDevice, uint32_t workDim,
                                                    const size_t *pLocalWorkSize,
                                                    size_t dynamicSharedMemorySize,
                                                    uint32_t *pGroupCountRet) {
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_DEVICE_OF(kernel_of(hKernel)->context, hDevice);
  UR_REQUIRE_POINTER(pLocalWorkSize);
  UR_REQUIRE_POINTER(pGroupCountRet);
  return face_result(launch_count_cooperative(kernel_of(hKernel), device_of(hDevice), workDim,
                                              pLocalWorkSize, dynamicSharedMemorySize,
                                              pGroupCountRet));
}

ur_result_t urKernelSuggestMaxCooperativeGroupCountExp(ur_kernel_handle_t hKernel,
                                                       ur_device_handle_t hDevice, uint32_t workDim,
                                                       const size_t *pLocalWorkSize,
                                                       size_t dynamicSharedMemorySize,
                                                       uint32_t *pGroupCountRet) {
  return urKernelSuggestMaxCooperativeGroupCount(hKernel, hDevice, workDim, pLocalWorkSize,
                                                 dynamicSharedMemorySize, pGroupCountRet);
}

/* This form has no device: it answers for the first one that the kernel is built for. */
ur_result_t urKernelSuggestMaxCooperativeGroupCountExp_2025_1(ur_kernel_handle_t hKernel,
                                                              uint32_t workDim,
                                                              const size_t *pLocalWorkSize,
                                                              size_t dynamicSharedMemorySize,
                                                              uint32_t *pGroupCountRet) {
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(pLocalWorkSize);
  UR_REQUIRE_POINTER(pGroupCountRet);
  return face_result(launch_count_cooperative(kernel_of(hKernel), NULL, workDim, pLocalWorkSize,
                                              dynamicSharedMemorySize, pGroupCountRet));
}

ur_result_t urKernelSuggestMaxCooperativeGroupCountExp_2025_0(ur_kernel_handle_t hKernel,
                                                              size_t localWorkSize,
                                                              size_t dynamicSharedMemorySize,
                                                              uint32_t *pGroupCountRet) {
  return urKernelSuggestMaxCooperativeGroupCountExp_2025_1(hKernel, 1, &localWorkSize,
                                                           dynamicSharedMemorySize, pGroupCountRet);
}
