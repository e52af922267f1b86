/* UR's entries for launches in a queue, and for suggested local sizes. */
#include "sinks.h"

#include "../plugins/objects/launch_kernel.h"
#include "kernel_arguments.h"
#include "launch_properties.h"

/* The parameters of a range, which have the same names in every entry. */
typedef struct range_given {
  uint32_t dimensions;
  const size_t *offset, *global, *local;
} range_given;

#define RANGE_GIVEN ((range_given){workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize})

static inline ur_result_t launch_range_given(sink *sink, pi_kernel kernel, const range_given *given,
                                             const launch_properties *properties) {
  return face_result(launch_kernel(sink, kernel, given->dimensions, given->offset, given->global,
                                   given->local, properties->is_cooperative));
}

/* Launches a kernel with its present arguments. */
#define LAUNCH_KERNEL(properties)                                                                  \
  do {                                                                                             \
    UR_REQUIRE_POINTER(pGlobalWorkSize);                                                           \
    UR_REQUIRE_WAIT_LIST();                                                                        \
    sink sink = SINK_OF_QUEUE(KERNEL_LAUNCH, false);                                               \
    return launch_range_given(&sink, kernel_of(hKernel), &RANGE_GIVEN, properties);                \
  } while (0)

ur_result_t urEnqueueKernelLaunch_2025_0(ur_queue_handle_t hQueue, ur_kernel_handle_t hKernel,
                                         uint32_t workDim, const size_t *pGlobalWorkOffset,
                                         const size_t *pGlobalWorkSize,
                                         const size_t *pLocalWorkSize, uint32_t numEventsInWaitList,
                                         const ur_event_handle_t *phEventWaitList,
                                         ur_event_handle_t *phEvent) {
  const launch_properties properties = {false};
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_KERNEL(hKernel);
  LAUNCH_KERNEL(&properties);
}

ur_result_t urEnqueueCooperativeKernelLaunchExp(
    ur_queue_handle_t hQueue, ur_kernel_handle_t hKernel, uint32_t workDim,
    const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize,
    uint32_t numEventsInWaitList, const ur_event_handle_t *phEventWaitList,
    ur_event_handle_t *phEvent) {
  const launch_properties properties = {true};
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_KERNEL(hKernel);
  LAUNCH_KERNEL(&properties);
}

ur_result_t urEnqueueKernelLaunchCustomExp_2025_0(
    ur_queue_handle_t hQueue, ur_kernel_handle_t hKernel, uint32_t workDim,
    const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize, uint32_t numPropsInLaunchPropList,
    const ur_exp_launch_property_t_2025_0 *launchPropList, uint32_t numEventsInWaitList,
    const ur_event_handle_t *phEventWaitList, ur_event_handle_t *phEvent) {
  const size_t *pGlobalWorkOffset = NULL;
  launch_properties properties = {false};
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_KERNEL(hKernel);
  UR_PASS(launch_properties_of_2025_0(numPropsInLaunchPropList, launchPropList, &properties));
  LAUNCH_KERNEL(&properties);
}

ur_result_t urEnqueueKernelLaunchCustomExp(
    ur_queue_handle_t hQueue, ur_kernel_handle_t hKernel, uint32_t workDim,
    const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize,
    uint32_t numPropsInLaunchPropList, const ur_exp_launch_property_t *launchPropList,
    uint32_t numEventsInWaitList, const ur_event_handle_t *phEventWaitList,
    ur_event_handle_t *phEvent) {
  launch_properties properties = {false};
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_KERNEL(hKernel);
  UR_PASS(launch_properties_of_2025_1(numPropsInLaunchPropList, launchPropList, &properties));
  LAUNCH_KERNEL(&properties);
}

ur_result_t
urEnqueueKernelLaunch_2025_3(ur_queue_handle_t hQueue, ur_kernel_handle_t hKernel, uint32_t workDim,
                             const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize,
                             const size_t *pLocalWorkSize, uint32_t numPropsInLaunchPropList,
                             const ur_kernel_launch_property_t *launchPropList,
                             uint32_t numEventsInWaitList, const ur_event_handle_t *phEventWaitList,
                             ur_event_handle_t *phEvent) {
  launch_properties properties = {false};
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_KERNEL(hKernel);
  UR_PASS(launch_properties_of_2025_3(numPropsInLaunchPropList, launchPropList, &properties));
  LAUNCH_KERNEL(&properties);
}

ur_result_t urEnqueueKernelLaunch(ur_queue_handle_t hQueue, ur_kernel_handle_t hKernel,
                                  uint32_t workDim, const size_t *pGlobalWorkOffset,
                                  const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize,
                                  const ur_kernel_launch_ext_properties_t *launchPropList,
                                  uint32_t numEventsInWaitList,
                                  const ur_event_handle_t *phEventWaitList,
                                  ur_event_handle_t *phEvent) {
  launch_properties properties = {false};
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_KERNEL(hKernel);
  UR_PASS(launch_properties_of_chain(launchPropList, &properties));
  LAUNCH_KERNEL(&properties);
}

/* ---- With all arguments ---- */

ur_result_t urEnqueueKernelLaunchWithArgsExp(
    ur_queue_handle_t hQueue, ur_kernel_handle_t hKernel, uint32_t workDim,
    const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize,
    uint32_t numArgs, const ur_exp_kernel_arg_properties_t *pArgs,
    const ur_kernel_launch_ext_properties_t *launchPropList, uint32_t numEventsInWaitList,
    const ur_event_handle_t *phEventWaitList, ur_event_handle_t *phEvent) {
  launch_properties properties = {false};
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(pGlobalWorkSize);
  UR_PASS(kernel_check_list(numArgs, pArgs));
  UR_REQUIRE_WAIT_LIST();
  UR_PASS(launch_properties_of_chain(launchPropList, &properties));
  const pi_kernel kernel = kernel_of(hKernel);
  sink sink = SINK_OF_QUEUE(KERNEL_LAUNCH, false);
  kernel_begin_arguments(kernel);
  ur_result_t result = kernel_take_arguments(kernel, numArgs, pArgs);
  if (__builtin_expect(result == UR_RESULT_SUCCESS, 1))
    result = launch_range_given(&sink, kernel, &RANGE_GIVEN, &properties);
  kernel_end_arguments(kernel);
  return result;
}

/* ---- Local sizes ---- */

ur_result_t urKernelGetSuggestedLocalWorkSize(ur_kernel_handle_t hKernel, ur_queue_handle_t hQueue,
                                              uint32_t numWorkDim, const size_t *pGlobalWorkOffset,
                                              const size_t *pGlobalWorkSize,
                                              size_t *pSuggestedLocalWorkSize) {
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pGlobalWorkSize);
  UR_REQUIRE_POINTER(pSuggestedLocalWorkSize);
  return face_result(launch_suggest_local(queue_of(hQueue)->context, queue_of(hQueue)->device,
                                          kernel_of(hKernel), numWorkDim, pGlobalWorkOffset,
                                          pGlobalWorkSize, pSuggestedLocalWorkSize));
}

ur_result_t urKernelGetSuggestedLocalWorkSizeWithArgs(
    ur_kernel_handle_t hKernel, ur_queue_handle_t hQueue, uint32_t numWorkDim,
    const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize, uint32_t numArgs,
    const ur_exp_kernel_arg_properties_t *pArgs, size_t *pSuggestedLocalWorkSize) {
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_QUEUE(hQueue);
  UR_REQUIRE_POINTER(pGlobalWorkSize);
  UR_PASS(kernel_check_list(numArgs, pArgs));
  UR_REQUIRE_POINTER(pSuggestedLocalWorkSize);
  const pi_kernel kernel = kernel_of(hKernel);
  kernel_begin_arguments(kernel);
  ur_result_t result = kernel_take_arguments(kernel, numArgs, pArgs);
  if (result == UR_RESULT_SUCCESS)
    result = face_result(launch_suggest_local(queue_of(hQueue)->context, queue_of(hQueue)->device,
                                              kernel, numWorkDim, pGlobalWorkOffset,
                                              pGlobalWorkSize, pSuggestedLocalWorkSize));
  kernel_end_arguments(kernel);
  return result;
}
