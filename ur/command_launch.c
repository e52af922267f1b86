/*
 * UR's entries that record launches and change recorded ones. A command is a launch that can be
 * changed (plugins/objects/recorded_launch.h). The command buffer owns it; in releases until 2025.1
 * the caller who asked for it has a reference, too.
 */
#include "../plugins/objects/recorded_launch.h"

#include "kernel_arguments.h"
#include "recording.h"
#include "reply.h"
#include "table.h"

static recorded_launch *launch_of(ur_exp_command_buffer_command_handle_t command) {
  return (recorded_launch *)(void *)command;
}

/* ---- Recording ---- */

/* The parameters of an entry other than the range and the command buffer. */
typedef struct recorded_kernels {
  pi_kernel kernel;
  uint32_t alternative_count;
  const ur_kernel_handle_t *alternatives;
  ur_exp_command_buffer_command_handle_t *command; /* NULL: the launch cannot be changed later */
} recorded_kernels;

static ur_result_t check_alternatives(const recorded_kernels *kernels) {
  UR_REQUIRE((kernels->alternative_count == 0) == (kernels->alternatives == NULL),
             UR_RESULT_ERROR_INVALID_VALUE,
             "numKernelAlternatives is %u and phKernelAlternatives is %sNULL",
             kernels->alternative_count, kernels->alternatives ? "not " : "");
  for (uint32_t i = 0; i < kernels->alternative_count; i++) {
    const ur_kernel_handle_t other = kernels->alternatives[i];
    UR_REQUIRE_KERNEL(other);
    UR_REQUIRE(kernel_of(other) != kernels->kernel, UR_RESULT_ERROR_INVALID_VALUE,
               "phKernelAlternatives[%u] is hKernel", i);
  }
  return UR_RESULT_SUCCESS;
}

static pi_result record_changeable(sink *sink, const recorded_kernels *kernels,
                                   const range_arrays *range) {
  recorded_launch *launch;
  TRY(launch_record(sink, kernels->kernel, range, kernels->alternative_count,
                    kernels_of(kernels->alternatives), &launch));
  if (table_release() > UR_RELEASE_2025_1)
    recorded_launch_release(launch);
  *kernels->command = (ur_exp_command_buffer_command_handle_t)(void *)launch;
  return PI_SUCCESS;
}

static ur_result_t record_launch(sink *sink, const recorded_kernels *kernels,
                                 const range_arrays *range) {
  UR_PASS(check_alternatives(kernels));
  if (kernels->command)
    return face_result(record_changeable(sink, kernels, range));
  return face_result(launch_kernel(sink, kernels->kernel, range->dimensions, range->offset,
                                   range->global, range->local, false));
}

#define RANGE_GIVEN ((range_arrays){workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize})

ur_result_t urCommandBufferAppendKernelLaunchExp(
    ur_exp_command_buffer_handle_t hCommandBuffer, ur_kernel_handle_t hKernel, uint32_t workDim,
    const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize,
    uint32_t numKernelAlternatives, ur_kernel_handle_t *phKernelAlternatives,
    uint32_t numSyncPointsInWaitList, const ur_exp_command_buffer_sync_point_t *pSyncPointWaitList,
    uint32_t numEventsInWaitList, const ur_event_handle_t *phEventWaitList,
    ur_exp_command_buffer_sync_point_t *pSyncPoint, ur_event_handle_t *phEvent,
    ur_exp_command_buffer_command_handle_t *phCommand) {
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(pGlobalWorkSize);
  UR_REQUIRE_WAIT_LIST();
  UR_PASS(recording_check_events(numEventsInWaitList, phEvent));
  const recorded_kernels kernels = {kernel_of(hKernel), numKernelAlternatives, phKernelAlternatives,
                                    phCommand};
  sink sink = SINK_OF_COMMAND_BUFFER();
  return record_launch(&sink, &kernels, &RANGE_GIVEN);
}

ur_result_t urCommandBufferAppendKernelLaunchExp_2025_0(
    ur_exp_command_buffer_handle_t hCommandBuffer, ur_kernel_handle_t hKernel, uint32_t workDim,
    const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize,
    uint32_t numSyncPointsInWaitList, const ur_exp_command_buffer_sync_point_t *pSyncPointWaitList,
    ur_exp_command_buffer_sync_point_t *pSyncPoint,
    ur_exp_command_buffer_command_handle_t *phCommand) {
  return urCommandBufferAppendKernelLaunchExp(
      hCommandBuffer, hKernel, workDim, pGlobalWorkOffset, pGlobalWorkSize, pLocalWorkSize, 0, NULL,
      numSyncPointsInWaitList, pSyncPointWaitList, 0, NULL, pSyncPoint, NULL, phCommand);
}

ur_result_t urCommandBufferAppendKernelLaunchWithArgsExp(
    ur_exp_command_buffer_handle_t hCommandBuffer, ur_kernel_handle_t hKernel, uint32_t workDim,
    const size_t *pGlobalWorkOffset, const size_t *pGlobalWorkSize, const size_t *pLocalWorkSize,
    uint32_t numArgs, const ur_exp_kernel_arg_properties_t *pArgs, uint32_t numKernelAlternatives,
    ur_kernel_handle_t *phKernelAlternatives, uint32_t numSyncPointsInWaitList,
    const ur_exp_command_buffer_sync_point_t *pSyncPointWaitList, uint32_t numEventsInWaitList,
    const ur_event_handle_t *phEventWaitList, ur_exp_command_buffer_sync_point_t *pSyncPoint,
    ur_event_handle_t *phEvent, ur_exp_command_buffer_command_handle_t *phCommand) {
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(pGlobalWorkSize);
  UR_PASS(kernel_check_list(numArgs, pArgs));
  UR_REQUIRE_WAIT_LIST();
  UR_PASS(recording_check_events(numEventsInWaitList, phEvent));
  const pi_kernel kernel = kernel_of(hKernel);
  const recorded_kernels kernels = {kernel, numKernelAlternatives, phKernelAlternatives, phCommand};
  sink sink = SINK_OF_COMMAND_BUFFER();
  kernel_begin_arguments(kernel);
  ur_result_t result = kernel_take_arguments(kernel, numArgs, pArgs);
  if (result == UR_RESULT_SUCCESS)
    result = record_launch(&sink, &kernels, &RANGE_GIVEN);
  kernel_end_arguments(kernel);
  return result;
}

/* ---- Commands ---- */

/*
 * The command buffer may have been released, as long as the caller has a reference to the command.
 */
ur_result_t urCommandBufferRetainCommandExp(ur_exp_command_buffer_command_handle_t hCommand) {
  UR_REQUIRE_COMMAND(hCommand);
  recorded_launch_retain(launch_of(hCommand));
  return UR_RESULT_SUCCESS;
}

ur_result_t urCommandBufferReleaseCommandExp(ur_exp_command_buffer_command_handle_t hCommand) {
  UR_REQUIRE_COMMAND(hCommand);
  recorded_launch_release(launch_of(hCommand));
  return UR_RESULT_SUCCESS;
}

ur_result_t urCommandBufferCommandGetInfoExp(ur_exp_command_buffer_command_handle_t hCommand,
                                             ur_exp_command_buffer_command_info_t propName,
                                             size_t propSize, void *pPropValue,
                                             size_t *pPropSizeRet) {
  const info_answer reply = REPLY_PLACE;
  UR_REQUIRE_COMMAND(hCommand);
  UR_PASS(reply_check(&reply));
  if (propName == UR_EXP_COMMAND_BUFFER_COMMAND_INFO_REFERENCE_COUNT)
    return reply_uint32(&reply, object_references(&launch_of(hCommand)->handle));
  return reply_unknown("ur_exp_command_buffer_command_info_t", propName);
}

/* ---- Changes ---- */

/* A change in the form of the newest release. */
typedef ur_exp_command_buffer_update_kernel_launch_desc_t launch_change;

static ur_result_t check_lists(const launch_change *change) {
  UR_REQUIRE((change->numNewMemObjArgs == 0 || change->pNewMemObjArgList) &&
                 (change->numNewPointerArgs == 0 || change->pNewPointerArgList) &&
                 (change->numNewValueArgs == 0 || change->pNewValueArgList),
             UR_RESULT_ERROR_INVALID_NULL_POINTER, "a list of new arguments is NULL");
  UR_REQUIRE(change->newWorkDim <= 3, UR_RESULT_ERROR_INVALID_WORK_DIMENSION,
             "newWorkDim is %u, not up to 3", change->newWorkDim);
  return UR_RESULT_SUCCESS;
}

/* Sets the arguments of all three lists, in the form that launches pass them. */
static ur_result_t set_arguments(pi_kernel kernel, const launch_change *change) {
  for (uint32_t i = 0; i < change->numNewMemObjArgs; i++) {
    const ur_exp_command_buffer_update_memobj_arg_desc_t *from = &change->pNewMemObjArgList[i];
    const ur_exp_kernel_arg_properties_t argument = {
        .type = UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ,
        .index = from->argIndex,
        .value.memObjTuple = {from->hNewMemObjArg,
                              from->pProperties ? from->pProperties->memoryAccess : 0}};
    UR_PASS(kernel_take_arguments(kernel, 1, &argument));
  }
  for (uint32_t i = 0; i < change->numNewPointerArgs; i++) {
    const void *const *place = change->pNewPointerArgList[i].pNewPointerArg;
    UR_REQUIRE(place, UR_RESULT_ERROR_INVALID_NULL_POINTER, "pNewPointerArg of argument %u is NULL",
               change->pNewPointerArgList[i].argIndex);
    const ur_exp_kernel_arg_properties_t argument = {.type = UR_EXP_KERNEL_ARG_TYPE_POINTER,
                                                     .index =
                                                         change->pNewPointerArgList[i].argIndex,
                                                     .value.pointer = *place};
    UR_PASS(kernel_take_arguments(kernel, 1, &argument));
  }
  for (uint32_t i = 0; i < change->numNewValueArgs; i++) {
    const ur_exp_command_buffer_update_value_arg_desc_t *from = &change->pNewValueArgList[i];
    const ur_exp_kernel_arg_properties_t argument = {
        .type = from->pNewValueArg ? UR_EXP_KERNEL_ARG_TYPE_VALUE : UR_EXP_KERNEL_ARG_TYPE_LOCAL,
        .index = from->argIndex,
        .size = from->argSize,
        .value.value = from->pNewValueArg};
    UR_PASS(kernel_take_arguments(kernel, 1, &argument));
  }
  return UR_RESULT_SUCCESS;
}

static ur_result_t change_launch(const launch_change *change) {
  UR_REQUIRE_COMMAND(change->hCommand);
  recorded_launch *launch = launch_of(change->hCommand);
  UR_REQUIRE(launch->buffer, UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_COMMAND_HANDLE_EXP,
             "the command buffer of hCommand has ended");
  if (change->hNewKernel)
    UR_REQUIRE_KERNEL(change->hNewKernel);
  UR_PASS(check_lists(change));
  pi_kernel kernel;
  UR_TRY(launch_change_begin(launch, kernel_of(change->hNewKernel), &kernel));
  const ur_result_t result = set_arguments(kernel, change);
  if (result != UR_RESULT_SUCCESS) {
    kernel_release(kernel);
    return result;
  }
  const range_arrays range = {change->newWorkDim, change->pNewGlobalWorkOffset,
                              change->pNewGlobalWorkSize, change->pNewLocalWorkSize};
  return face_result(launch_change_end(launch, kernel, &range));
}

ur_result_t urCommandBufferUpdateKernelLaunchExp(
    ur_exp_command_buffer_handle_t hCommandBuffer, uint32_t numKernelUpdates,
    const ur_exp_command_buffer_update_kernel_launch_desc_t *pUpdateKernelLaunch) {
  UR_REQUIRE_COMMAND_BUFFER(hCommandBuffer);
  UR_REQUIRE_POINTER(pUpdateKernelLaunch);
  UR_REQUIRE(numKernelUpdates != 0, UR_RESULT_ERROR_INVALID_SIZE, "numKernelUpdates is 0");
  for (uint32_t i = 0; i < numKernelUpdates; i++) {
    UR_REQUIRE_COMMAND(pUpdateKernelLaunch[i].hCommand);
    UR_REQUIRE(launch_of(pUpdateKernelLaunch[i].hCommand)->buffer ==
                   command_buffer_of(hCommandBuffer),
               UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_COMMAND_HANDLE_EXP,
               "hCommand of update %u is of another command buffer", i);
  }
  for (uint32_t i = 0; i < numKernelUpdates; i++)
    UR_PASS(change_launch(&pUpdateKernelLaunch[i]));
  return UR_RESULT_SUCCESS;
}

/* ---- Changes in 2025.0 and 2025.1, which have descriptions of their own ---- */

#define CHANGE_OF(hCommand, kernel, from)                                                          \
  {                                                                                                \
    .hCommand = hCommand, .hNewKernel = kernel, .numNewMemObjArgs = (from)->numNewMemObjArgs,      \
    .numNewPointerArgs = (from)->numNewPointerArgs, .newWorkDim = (from)->newWorkDim,              \
    .pNewMemObjArgList = (from)->pNewMemObjArgList,                                                \
    .pNewPointerArgList = (from)->pNewPointerArgList,                                              \
    .pNewGlobalWorkOffset = (from)->pNewGlobalWorkOffset,                                          \
    .pNewGlobalWorkSize = (from)->pNewGlobalWorkSize,                                              \
    .pNewLocalWorkSize = (from)->pNewLocalWorkSize                                                 \
  }

/* Values in the form of 2025.0 are converted one by one. */
static ur_result_t
change_2025_0(ur_exp_command_buffer_command_handle_t hCommand,
              const ur_exp_command_buffer_update_kernel_launch_desc_t_2025_0 *from) {
  launch_change change = CHANGE_OF(hCommand, NULL, from);
  enum { VALUES_MAX = 256 };
  ur_exp_command_buffer_update_value_arg_desc_t values[VALUES_MAX];
  UR_REQUIRE(from->numNewValueArgs <= VALUES_MAX, UR_RESULT_ERROR_UNSUPPORTED_SIZE,
             "%u values at once, more than %d", from->numNewValueArgs, (int)VALUES_MAX);
  UR_REQUIRE(from->numNewValueArgs == 0 || from->pNewValueArgList,
             UR_RESULT_ERROR_INVALID_NULL_POINTER, "pNewValueArgList is NULL");
  for (uint32_t i = 0; i < from->numNewValueArgs; i++) {
    const ur_exp_command_buffer_update_value_arg_desc_t_2025_0 *value = &from->pNewValueArgList[i];
    values[i] =
        (ur_exp_command_buffer_update_value_arg_desc_t){.argIndex = value->argIndex,
                                                        .argSize = value->argSize,
                                                        .pNewValueArg = value->pNewValueArg};
  }
  change.numNewValueArgs = from->numNewValueArgs;
  change.pNewValueArgList = values;
  return change_launch(&change);
}

ur_result_t urCommandBufferUpdateKernelLaunchExp_2025_0(
    ur_exp_command_buffer_command_handle_t hCommand,
    const ur_exp_command_buffer_update_kernel_launch_desc_t_2025_0 *pUpdateKernelLaunch) {
  UR_REQUIRE_COMMAND(hCommand);
  UR_REQUIRE_POINTER(pUpdateKernelLaunch);
  if (table_release() == UR_RELEASE_2025_0)
    return change_2025_0(hCommand, pUpdateKernelLaunch);
  const void *given = pUpdateKernelLaunch;
  const ur_exp_command_buffer_update_kernel_launch_desc_t_2025_1 *from = given;
  launch_change change = CHANGE_OF(hCommand, from->hNewKernel, from);
  change.numNewValueArgs = from->numNewValueArgs;
  change.pNewValueArgList = from->pNewValueArgList;
  return change_launch(&change);
}
