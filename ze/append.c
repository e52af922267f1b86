/*
 * Entries that append commands to command lists. The commands of a list are executed in its order,
 * which Level Zero allows; those of an immediate list around a SYCL runtime's queue in that of the
 * queue.
 */
#include "../plugins/objects/context.h"
#include "../plugins/objects/launch_kernel.h"
#include "../plugins/objects/usm_command.h"
#include "command.h"

/* ---- Launches ---- */

/* Checks a launch that is kept for later as one that is executed at once would be. */
static pi_result check_kept(const ze_command *command, pi_context context, pi_device device) {
  const sink sink = {.context = context, .device = device};
  kernel_launch launch = {.is_cooperative = command->launch.is_cooperative};
  return launch_prepare(&sink, command->launch.kernel, 3, command->launch.offset,
                        command->launch.global, command->launch.local, &launch);
}

static ze_result_t append_launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                 const ze_group_count_t *groups, ze_command *command) {
  pi_context context;
  pi_device device;
  ZE_REQUIRE_LIST(list);
  ZE_REQUIRE_HANDLE(kernel, KERNEL);
  ZE_REQUIRE(groups, INVALID_NULL_POINTER, "pLaunchFuncArgs is NULL");
  const pi_kernel launched = kernel_of(kernel);
  list_place(list, &context, &device);
  ZE_REQUIRE(context_has(launched->context, device), INVALID_ARGUMENT,
             "kernel %s is of a context without the list's device", launched->name);
  command->launch.kernel = launched;
  ZE_TRY(ze_kernel_group(launched, device, command->launch.local));
  const uint32_t counts[3] = {groups->groupCountX, groups->groupCountY, groups->groupCountZ};
  for (int i = 0; i < 3; i++) {
    command->launch.offset[i] = launched->offset[i];
    command->launch.global[i] = counts[i] * command->launch.local[i];
  }
  if (ZE_IS(list, LIST))
    ZE_TRY(check_kept(command, context, device));
  return list_append(list, command);
}

ze_result_t zeCommandListAppendLaunchKernel(ze_command_list_handle_t hCommandList,
                                            ze_kernel_handle_t hKernel,
                                            const ze_group_count_t *pLaunchFuncArgs,
                                            ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                            ze_event_handle_t *phWaitEvents) {
  ze_command command = ZE_COMMAND(command_launch, KERNEL_LAUNCH);
  command.launch.is_cooperative = false;
  return append_launch(hCommandList, hKernel, pLaunchFuncArgs, &command);
}

ze_result_t zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t hCommandList,
                                                       ze_kernel_handle_t hKernel,
                                                       const ze_group_count_t *pLaunchFuncArgs,
                                                       ze_event_handle_t hSignalEvent,
                                                       uint32_t numWaitEvents,
                                                       ze_event_handle_t *phWaitEvents) {
  ze_command command = ZE_COMMAND(command_launch, KERNEL_LAUNCH);
  command.launch.is_cooperative = true;
  return append_launch(hCommandList, hKernel, pLaunchFuncArgs, &command);
}

/* ---- Copies and fills ---- */

static pi_result run_copy(const ze_command *command, sink *sink) {
  return usm_copy(sink, command->copy.to, command->copy.from, command->copy.size);
}

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t hCommandList, void *dstptr,
                                          const void *srcptr, size_t size,
                                          ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                          ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(dstptr);
  ZE_REQUIRE_POINTER(srcptr);
  ze_command command = ZE_COMMAND(run_copy, USM_MEMCPY);
  command.copy.to = dstptr;
  command.copy.from = srcptr;
  command.copy.size = size;
  return list_append(hCommandList, &command);
}

/* Copies as within one context, because contexts of one device share its memory. */
ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t hCommandList,
                                                     void *dstptr, ze_context_handle_t hContextSrc,
                                                     const void *srcptr, size_t size,
                                                     ze_event_handle_t hSignalEvent,
                                                     uint32_t numWaitEvents,
                                                     ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_HANDLE(hContextSrc, CONTEXT);
  return zeCommandListAppendMemoryCopy(hCommandList, dstptr, srcptr, size, hSignalEvent,
                                       numWaitEvents, phWaitEvents);
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t hCommandList, void *ptr,
                                          const void *pattern, size_t pattern_size, size_t size,
                                          ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                          ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(ptr);
  ZE_REQUIRE_POINTER(pattern);
  ZE_REQUIRE(pattern_size, INVALID_SIZE, "pattern_size is 0");
  ze_command command = ZE_COMMAND(command_fill, USM_FILL);
  command.fill.pointer = ptr;
  command.fill.pattern = pattern;
  command.fill.pattern_size = pattern_size;
  command.fill.size = size;
  return list_append(hCommandList, &command);
}

static pi_result run_box(const ze_command *command, sink *sink) {
  const transfer *box = &command->box;
  return box->width ? usm_copy_box(sink, box) : driver_copy(sink, box, COPY_NO_HOST);
}

/* A side of a copy of regions, as the entry has it. */
typedef struct region_side {
  const char *name;
  const void *pointer;
  const ze_copy_region_t *region;
  uint32_t pitch, slice_pitch;
} region_side;

/* A region of depth 0 has one slice, and no pitch of slices. */
static pi_result read_box(const region_side *from, const region_side *to, transfer *ret) {
  const region_side *sides[2] = {from, to};
  rect_side rects[2];
  rect_memory memories[2];
  pi_buff_rect_offset_struct offsets[2];
  const ze_copy_region_t *size = to->region;
  for (int i = 0; i < 2; i++) {
    const region_side *side = sides[i];
    const bool is_flat = side->region->depth == 0;
    offsets[i] = (pi_buff_rect_offset_struct){side->region->originX, side->region->originY,
                                              is_flat ? 0 : side->region->originZ};
    rects[i] = (rect_side){side->name, &offsets[i], side->pitch, is_flat ? 0 : side->slice_pitch};
    memories[i] = (rect_memory){(uintptr_t)side->pointer, SIZE_MAX, NULL};
  }
  if (size->width == 0 || size->height == 0) {
    *ret = transfer_plain((uintptr_t)to->pointer, (uintptr_t)from->pointer, 0);
    return PI_SUCCESS;
  }
  pi_buff_rect_region_struct region = {size->width, size->height, size->depth ? size->depth : 1};
  return rect_read(&rects[0], &memories[0], &rects[1], &memories[1], &region, ret);
}

ze_result_t zeCommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t hCommandList, void *dstptr, const ze_copy_region_t *dstRegion,
    uint32_t dstPitch, uint32_t dstSlicePitch, const void *srcptr,
    const ze_copy_region_t *srcRegion, uint32_t srcPitch, uint32_t srcSlicePitch,
    ze_event_handle_t hSignalEvent, uint32_t numWaitEvents, ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(dstptr);
  ZE_REQUIRE_POINTER(dstRegion);
  ZE_REQUIRE_POINTER(srcptr);
  ZE_REQUIRE_POINTER(srcRegion);
  ZE_REQUIRE(dstRegion->width == srcRegion->width && dstRegion->height == srcRegion->height &&
                 dstRegion->depth == srcRegion->depth,
             INVALID_ARGUMENT, "dstRegion is of %ux%ux%u and srcRegion of %ux%ux%u",
             dstRegion->width, dstRegion->height, dstRegion->depth, srcRegion->width,
             srcRegion->height, srcRegion->depth);
  ze_command command = ZE_COMMAND(run_box, USM_MEMCPY_2D);
  const region_side from = {"srcptr", srcptr, srcRegion, srcPitch, srcSlicePitch};
  const region_side to = {"dstptr", dstptr, dstRegion, dstPitch, dstSlicePitch};
  ZE_TRY(read_box(&from, &to, &command.box));
  return list_append(hCommandList, &command);
}

/* ---- Hints ---- */

static pi_result run_prefetch(const ze_command *command, sink *sink) {
  return usm_prefetch(sink, command->hint.pointer, command->hint.size, false);
}

ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t hCommandList,
                                              const void *ptr, size_t size) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(ptr);
  const ze_command command = {
      .run = run_prefetch, .type = UR_COMMAND_USM_PREFETCH, .hint = {.pointer = ptr, .size = size}};
  return list_append(hCommandList, &command);
}

static pi_result run_advice(const ze_command *command, sink *sink) {
  return usm_advise(sink, command->hint.pointer, command->hint.size, command->hint.advice);
}

/* Translates an advice; one that CUDA has not is PI_MEM_ADVICE_UNKNOWN, which has no effect. */
static ze_result_t read_advice(ze_memory_advice_t advice, pi_mem_advice *ret) {
  switch (advice) {
  case ZE_MEMORY_ADVICE_SET_READ_MOSTLY:
    *ret = PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY;
    return ZE_RESULT_SUCCESS;
  case ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY:
    *ret = PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY;
    return ZE_RESULT_SUCCESS;
  case ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION:
    *ret = PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION;
    return ZE_RESULT_SUCCESS;
  case ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION:
    *ret = PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION;
    return ZE_RESULT_SUCCESS;
  case ZE_MEMORY_ADVICE_SET_NON_ATOMIC_MOSTLY:
  case ZE_MEMORY_ADVICE_CLEAR_NON_ATOMIC_MOSTLY:
  case ZE_MEMORY_ADVICE_BIAS_CACHED:
  case ZE_MEMORY_ADVICE_BIAS_UNCACHED:
    *ret = PI_MEM_ADVICE_UNKNOWN;
    return ZE_RESULT_SUCCESS;
  case ZE_MEMORY_ADVICE_FORCE_UINT32:
    break;
  }
  ZE_REQUIRE(false, INVALID_ENUMERATION, "advice is %d", (int)advice);
}

/* An advice about another device than the list's is a hint that has no effect. */
ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t hCommandList,
                                         ze_device_handle_t hDevice, const void *ptr, size_t size,
                                         ze_memory_advice_t advice) {
  pi_context context;
  pi_device device;
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_HANDLE(hDevice, DEVICE);
  ZE_REQUIRE_POINTER(ptr);
  list_place(hCommandList, &context, &device);
  ze_command command = {
      .run = run_advice, .type = UR_COMMAND_USM_ADVISE, .hint = {.pointer = ptr, .size = size}};
  ZE_PASS(read_advice(advice, &command.hint.advice));
  if (device_of(hDevice) != device)
    command.hint.advice = PI_MEM_ADVICE_UNKNOWN;
  return list_append(hCommandList, &command);
}

/* ---- Barriers and events ---- */

static pi_result run_barrier(const ze_command *command, sink *sink) {
  return barrier_enqueue(sink, command->wait_count == 0);
}

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t hCommandList,
                                       ze_event_handle_t hSignalEvent, uint32_t numWaitEvents,
                                       ze_event_handle_t *phWaitEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  const ze_command command = ZE_COMMAND(run_barrier, EVENTS_WAIT_WITH_BARRIER);
  return list_append(hCommandList, &command);
}

/* A barrier for all memory. */
ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t hCommandList,
                                                   uint32_t numRanges, const size_t *pRangeSizes,
                                                   const void **pRanges,
                                                   ze_event_handle_t hSignalEvent,
                                                   uint32_t numWaitEvents,
                                                   ze_event_handle_t *phWaitEvents) {
  (void)numRanges;
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(pRangeSizes);
  ZE_REQUIRE_POINTER(pRanges);
  return zeCommandListAppendBarrier(hCommandList, hSignalEvent, numWaitEvents, phWaitEvents);
}

/* Enqueues a marker that ends when all earlier commands have ended. */
static pi_result run_marker(const ze_command *command, sink *sink) {
  (void)command;
  return marker_enqueue(sink, true);
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t hCommandList,
                                           ze_event_handle_t hEvent) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE(hEvent, INVALID_NULL_HANDLE, "%s: hEvent is NULL", __func__);
  const ze_command command = {.run = run_marker, .type = UR_COMMAND_EVENTS_WAIT, .signal = hEvent};
  return list_append(hCommandList, &command);
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t hCommandList,
                                          ze_event_handle_t hEvent) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE(hEvent, INVALID_NULL_HANDLE, "%s: hEvent is NULL", __func__);
  const ze_command command = {.run = run_marker, .type = UR_COMMAND_EVENTS_WAIT, .reset = hEvent};
  return list_append(hCommandList, &command);
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t hCommandList,
                                            uint32_t numEvents, ze_event_handle_t *phEvents) {
  ZE_REQUIRE_LIST(hCommandList);
  ZE_REQUIRE_POINTER(phEvents);
  const ze_command command = {.run = run_barrier,
                              .type = UR_COMMAND_EVENTS_WAIT_WITH_BARRIER,
                              .wait_count = numEvents,
                              .waits = phEvents};
  return numEvents ? list_append(hCommandList, &command) : ZE_RESULT_SUCCESS;
}
