/*
 * Command buffers: recording with each release's functions, the order of commands, updates of
 * launches, bad input.
 */
#include "run.h"

#include <string.h>

typedef ur_exp_command_buffer_handle_t buffer_handle;
typedef ur_exp_command_buffer_command_handle_t command_handle;

static buffer_handle create(bool is_updatable, bool is_in_order) {
  const ur_exp_command_buffer_desc_t desc = {.stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_DESC,
                                             .isUpdatable = is_updatable,
                                             .isInOrder = is_in_order};
  buffer_handle buffer = NULL;
  assert_ok(UR(urCommandBufferCreateExp)(place.context, place.device, &desc, &buffer));
  return buffer;
}

static void run_buffer(buffer_handle buffer) {
  if (HAS(urEnqueueCommandBufferExp))
    assert_ok(UR(urEnqueueCommandBufferExp)(place.queue, buffer, 0, NULL, NULL));
  else
    assert_ok(UR(urCommandBufferEnqueueExp)(buffer, place.queue, 0, NULL, NULL));
  assert_ok(UR(urQueueFinish)(place.queue));
}

/* Appends a launch. The release's function takes the arguments, or they are set on the kernel. */
static ur_result_t append_launch(buffer_handle buffer, ur_kernel_handle_t kernel, size_t items,
                                 uint32_t count, const run_argument *arguments,
                                 uint32_t *sync_point, command_handle *command) {
  if (HAS(urCommandBufferAppendKernelLaunchWithArgsExp))
    return UR(urCommandBufferAppendKernelLaunchWithArgsExp)(buffer, kernel, 1, NULL, &items, NULL,
                                                            count, arguments, 0, NULL, 0, NULL, 0,
                                                            NULL, sync_point, NULL, command);
  const ur_result_t result = run_set(kernel, count, arguments);
  if (result != UR_RESULT_SUCCESS)
    return result;
  if (HAS(urCommandBufferAppendKernelLaunchExp))
    return UR(urCommandBufferAppendKernelLaunchExp)(buffer, kernel, 1, NULL, &items, NULL, 0, NULL,
                                                    0, NULL, 0, NULL, sync_point, NULL, command);
  return UR(urCommandBufferAppendKernelLaunchExp_2025_0)(buffer, kernel, 1, NULL, &items, NULL, 0,
                                                         NULL, sync_point, command);
}

static ur_result_t append_fill(buffer_handle buffer, void *memory, const void *pattern,
                               size_t pattern_size, size_t size, uint32_t *sync_point) {
  if (HAS(urCommandBufferAppendUSMFillExp))
    return UR(urCommandBufferAppendUSMFillExp)(buffer, memory, pattern, pattern_size, size, 0, NULL,
                                               0, NULL, sync_point, NULL, NULL);
  return UR(urCommandBufferAppendUSMFillExp_2025_0)(buffer, memory, pattern, pattern_size, size, 0,
                                                    NULL, sync_point);
}

static ur_result_t append_copy(buffer_handle buffer, void *to, const void *from, size_t size,
                               uint32_t wait_count, const uint32_t *waits) {
  if (HAS(urCommandBufferAppendUSMMemcpyExp))
    return UR(urCommandBufferAppendUSMMemcpyExp)(buffer, to, from, size, wait_count, waits, 0, NULL,
                                                 NULL, NULL, NULL);
  return UR(urCommandBufferAppendUSMMemcpyExp_2025_0)(buffer, to, from, size, wait_count, waits,
                                                      NULL);
}

/* Records a fill, a kernel that doubles it, and a copy, ordered by sync points or by the buffer. */
static void commands(bool is_in_order) {
  enum { ITEMS = 8 };
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "add");
  int32_t *memory = run_memory(3 * ITEMS * sizeof *memory);
  const int32_t pattern = 21;
  const run_argument arguments[] = {run_pointer(0, memory), run_pointer(1, memory),
                                    run_pointer(2, memory + ITEMS)};
  const buffer_handle buffer = create(false, is_in_order);
  uint32_t points[2] = {7, 7};
  assert_ok(append_fill(buffer, memory, &pattern, 4, ITEMS * 4, &points[0]));
  if (is_in_order) {
    assert_ok(append_launch(buffer, kernel, ITEMS, 3, arguments, &points[1], NULL));
    assert_ok(append_copy(buffer, memory + 2 * ITEMS, memory + ITEMS, ITEMS * 4, 0, NULL));
  } else {
    /* Nothing orders the launch after the fill, so the host fills the memory. */
    for (int i = 0; i < ITEMS; i++)
      memory[i] = pattern;
    assert_ok(append_launch(buffer, kernel, ITEMS, 3, arguments, &points[1], NULL));
    assert_ok(append_copy(buffer, memory + 2 * ITEMS, memory + ITEMS, ITEMS * 4, 2, points));
  }
  assert_int_equal(points[0], 0);
  assert_int_equal(points[1], 1);
  assert_ok(UR(urCommandBufferFinalizeExp)(buffer));
  for (int round = 0; round < 2; round++) {
    memset(memory + ITEMS, 0, 2 * ITEMS * sizeof *memory);
    run_buffer(buffer);
    for (int i = 0; i < ITEMS; i++)
      assert_int_equal(memory[2 * ITEMS + i], 42);
  }
  assert_ok(UR(urCommandBufferReleaseExp)(buffer));
  run_free(memory);
  assert_ok(UR(urKernelRelease)(kernel));
}

TEST(sync_points_order_commands) {
  commands(false);
}

TEST(the_buffer_orders_commands) {
  commands(true);
}

TEST(commands_use_buffers) {
  if (!HAS(urCommandBufferAppendMemBufferFillExp))
    return;
  ur_mem_handle_t from = NULL, to = NULL;
  const uint8_t pattern[] = {1, 2}, other[4] = {9, 9, 9, 9};
  uint8_t result[16] = {0};
  assert_ok(UR(urMemBufferCreate)(place.context, UR_MEM_FLAG_READ_WRITE, 16, NULL, &from));
  assert_ok(UR(urMemBufferCreate)(place.context, UR_MEM_FLAG_READ_WRITE, 16, NULL, &to));
  const buffer_handle buffer = create(false, true);
#define TAIL 0, NULL, 0, NULL, NULL, NULL, NULL
  assert_ok(UR(urCommandBufferAppendMemBufferFillExp)(buffer, from, pattern, 2, 0, 16, TAIL));
  assert_ok(UR(urCommandBufferAppendMemBufferWriteExp)(buffer, from, 4, 4, other, TAIL));
  assert_ok(UR(urCommandBufferAppendMemBufferCopyExp)(buffer, from, to, 0, 0, 16, TAIL));
  const ur_rect_offset_t start = {0, 0, 0};
  const ur_rect_region_t square = {2, 2, 1};
  assert_ok(UR(urCommandBufferAppendMemBufferCopyRectExp)(
      buffer, from, to, (ur_rect_offset_t){0, 1, 0}, start, square, 4, 16, 4, 16, TAIL));
  assert_ok(UR(urCommandBufferAppendMemBufferReadExp)(buffer, to, 0, 16, result, TAIL));
  assert_refused(UR(urCommandBufferAppendMemBufferFillExp)(buffer, from, pattern, 2, 8, 16, TAIL),
                 INVALID_SIZE, "not all inside");
  assert_refused(UR(urCommandBufferAppendMemBufferFillExp)(buffer, from, NULL, 2, 8, 16, TAIL),
                 INVALID_NULL_POINTER, "pPattern is NULL");
#undef TAIL
  assert_ok(UR(urCommandBufferFinalizeExp)(buffer));
  run_buffer(buffer);
  const uint8_t expected[] = {9, 9, 1, 2, 1, 2, 9, 9, 1, 2, 1, 2, 1, 2, 1, 2};
  assert_memory_equal(result, expected, 16);
  assert_ok(UR(urCommandBufferReleaseExp)(buffer));
  assert_ok(UR(urMemRelease)(from));
  assert_ok(UR(urMemRelease)(to));
}

/* ---- Changes ---- */

typedef struct change {
  const void *pointer; /* argument 2; NULL for no change */
  const size_t *items; /* NULL for no change */
} change;

static ur_result_t update(buffer_handle buffer, command_handle command, const change *change) {
  ur_exp_command_buffer_update_pointer_arg_desc_t pointer = {
      .stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_POINTER_ARG_DESC,
      .argIndex = 2,
      .pNewPointerArg = &change->pointer};
  const uint32_t pointers = change->pointer ? 1 : 0, dimensions = change->items ? 1 : 0;
  size_t *const items = (size_t *)(uintptr_t)change->items;
  if (SINCE(2025_2)) {
    const ur_exp_command_buffer_update_kernel_launch_desc_t desc = {
        .stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_KERNEL_LAUNCH_DESC,
        .hCommand = command,
        .numNewPointerArgs = pointers,
        .pNewPointerArgList = &pointer,
        .newWorkDim = dimensions,
        .pNewGlobalWorkSize = items};
    return UR(urCommandBufferUpdateKernelLaunchExp)(buffer, 1, &desc);
  }
  if (SINCE(2025_1)) {
    const ur_exp_command_buffer_update_kernel_launch_desc_t_2025_1 desc = {
        .numNewPointerArgs = pointers,
        .pNewPointerArgList = &pointer,
        .newWorkDim = dimensions,
        .pNewGlobalWorkSize = items};
    const void *given = &desc;
    return UR(urCommandBufferUpdateKernelLaunchExp_2025_0)(command, given);
  }
  const ur_exp_command_buffer_update_kernel_launch_desc_t_2025_0 desc = {
      .numNewPointerArgs = pointers,
      .pNewPointerArgList = &pointer,
      .newWorkDim = dimensions,
      .pNewGlobalWorkSize = items};
  return UR(urCommandBufferUpdateKernelLaunchExp_2025_0)(command, &desc);
}

TEST(a_launch_can_be_changed) {
  enum { ITEMS = 8 };
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "add");
  int32_t *memory = run_memory(3 * ITEMS * sizeof *memory);
  int32_t *const first = memory + ITEMS, *const second = memory + 2 * ITEMS;
  for (int i = 0; i < ITEMS; i++)
    memory[i] = i;
  const run_argument arguments[] = {run_pointer(0, memory), run_pointer(1, memory),
                                    run_pointer(2, first)};
  const buffer_handle buffer = create(true, false);
  command_handle command = NULL;
  assert_ok(append_launch(buffer, kernel, ITEMS, 3, arguments, NULL, &command));
  assert_non_null(command);
  const size_t half = ITEMS / 2, none = 0;
  const change other = {second, &half}, empty = {second, &none};
  assert_refused(update(buffer, command, &other), INVALID_OPERATION, "not finalized");
  assert_ok(UR(urCommandBufferFinalizeExp)(buffer));
  run_buffer(buffer);
  assert_int_equal(first[7], 14);
  /* The refused update leaves the command as it was. */
  memset(first, 0, ITEMS * sizeof *first);
  assert_refused(update(buffer, command, &empty), INVALID_GLOBAL_WIDTH_DIMENSION, "no work-items");
  run_buffer(buffer);
  assert_int_equal(first[7], 14);
  memset(first, 0, ITEMS * sizeof *first);
  assert_ok(update(buffer, command, &other));
  run_buffer(buffer);
  assert_int_equal(first[0] + first[7], 0);
  assert_int_equal(second[3], 6);
  assert_int_equal(second[4], 0);
  /* An update without a pointer keeps the pointer of the update before. */
  const size_t all = ITEMS;
  const change whole = {NULL, &all};
  assert_ok(update(buffer, command, &whole));
  run_buffer(buffer);
  assert_int_equal(second[7], 14);
  if (HAS(urCommandBufferReleaseCommandExp)) {
    uint32_t count = 0;
    assert_ok(UR(urCommandBufferRetainCommandExp)(command));
    assert_ok(UR(urCommandBufferCommandGetInfoExp)(
        command, UR_EXP_COMMAND_BUFFER_COMMAND_INFO_REFERENCE_COUNT, 4, &count, NULL));
    assert_int_equal(count, 3);
    assert_ok(UR(urCommandBufferReleaseCommandExp)(command));
  }
  assert_ok(UR(urCommandBufferReleaseExp)(buffer));
  if (HAS(urCommandBufferReleaseCommandExp)) {
    /* A command outlives its buffer only to be released. */
    assert_ok(UR(urCommandBufferReleaseCommandExp)(command));
  }
  run_free(memory);
  assert_ok(UR(urKernelRelease)(kernel));
}

/* ---- Bad input, queries ---- */

/* Replaces the kernel of a launch and its pointer arguments from index first on. */
static ur_result_t update_kernel(buffer_handle buffer, command_handle command,
                                 ur_kernel_handle_t kernel, uint32_t first, uint32_t count,
                                 const void *const *pointers) {
  ur_exp_command_buffer_update_pointer_arg_desc_t arguments[3];
  for (uint32_t i = 0; i < count; i++)
    arguments[i] = (ur_exp_command_buffer_update_pointer_arg_desc_t){
        .stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_POINTER_ARG_DESC,
        .argIndex = first + i,
        .pNewPointerArg = &pointers[i]};
  const ur_exp_command_buffer_update_kernel_launch_desc_t desc = {
      .stype = UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_KERNEL_LAUNCH_DESC,
      .hCommand = command,
      .hNewKernel = kernel,
      .numNewPointerArgs = count,
      .pNewPointerArgList = arguments,
      .newWorkDim = 1};
  return UR(urCommandBufferUpdateKernelLaunchExp)(buffer, 1, &desc);
}

/* An update with the same kernel keeps the arguments that it does not pass. */
TEST(a_launch_can_change_its_kernel) {
  if (!HAS(urCommandBufferAppendKernelLaunchWithArgsExp))
    return;
  ur_kernel_handle_t add = run_kernel(MODULE_arguments, "add");
  ur_kernel_handle_t successor = run_kernel(MODULE_arguments, "from_constant");
  ur_kernel_handle_t stranger = run_kernel(MODULE_arguments, "indirect");
  int32_t *memory = run_memory(4 * sizeof *memory);
  memory[0] = 20;
  const run_argument arguments[] = {run_pointer(0, memory), run_pointer(1, memory),
                                    run_pointer(2, memory + 1)};
  const size_t items = 1;
  const buffer_handle buffer = create(true, false);
  command_handle command = NULL;
  assert_ok(UR(urCommandBufferAppendKernelLaunchWithArgsExp)(buffer, add, 1, NULL, &items, NULL, 3,
                                                             arguments, 1, &successor, 0, NULL, 0,
                                                             NULL, NULL, NULL, &command));
  assert_ok(UR(urCommandBufferFinalizeExp)(buffer));
  const void *pointers[] = {memory, memory, memory + 2};
  assert_ok(update_kernel(buffer, command, add, 2, 1, &pointers[2]));
  run_buffer(buffer);
  assert_int_equal(memory[1], 0);
  assert_int_equal(memory[2], 40);
  assert_ok(update_kernel(buffer, command, successor, 0, 2, (const void *[]){memory, memory + 3}));
  run_buffer(buffer);
  assert_int_equal(memory[3], 21);
  assert_refused(update_kernel(buffer, command, stranger, 0, 0, NULL), INVALID_VALUE,
                 "no alternative");
  memory[2] = 0;
  assert_ok(update_kernel(buffer, command, add, 0, 3, pointers));
  run_buffer(buffer);
  assert_int_equal(memory[2], 40);
  const ur_exp_command_buffer_update_kernel_launch_desc_t flat = {
      .hCommand = command, .newWorkDim = 2, .pNewGlobalWorkSize = (size_t[]){1, 1}};
  assert_refused(UR(urCommandBufferUpdateKernelLaunchExp)(buffer, 1, &flat), INVALID_VALUE,
                 "2 dimensions");
  assert_ok(UR(urCommandBufferReleaseExp)(buffer));
  run_free(memory);
  assert_ok(UR(urKernelRelease)(stranger));
  assert_ok(UR(urKernelRelease)(successor));
  assert_ok(UR(urKernelRelease)(add));
}

TEST(wrong_input_is_refused) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_arguments, "add");
  const run_argument arguments[] = {run_pointer(0, NULL), run_pointer(1, NULL),
                                    run_pointer(2, NULL)};
  const buffer_handle buffer = create(false, false);
  command_handle command = NULL;
  int32_t *memory = run_memory(64);
  const int32_t pattern = 1;
  const uint32_t future = 3;
  assert_refused(append_launch(buffer, kernel, 1, 3, arguments, NULL, &command), INVALID_OPERATION,
                 "not created so");
  assert_null(command);
  assert_refused(append_fill(buffer, memory, &pattern, 4, 6, NULL), INVALID_SIZE, "multiple");
  assert_refused(append_fill(buffer, NULL, &pattern, 4, 8, NULL), INVALID_NULL_POINTER, "pMemory");
  assert_refused(append_copy(buffer, memory, memory + 4, 4, 1, &future),
                 INVALID_COMMAND_BUFFER_SYNC_POINT_WAIT_LIST_EXP, "sync point 0 is 3");
  assert_refused(append_copy(buffer, memory, memory + 4, 4, 1, NULL),
                 INVALID_COMMAND_BUFFER_SYNC_POINT_WAIT_LIST_EXP, "NULL");
  if (HAS(urCommandBufferAppendUSMMemcpyExp)) {
    ur_event_handle_t event = NULL;
    assert_refused(UR(urCommandBufferAppendUSMMemcpyExp)(buffer, memory, memory + 4, 4, 0, NULL, 0,
                                                         NULL, NULL, &event, NULL),
                   UNSUPPORTED_FEATURE, "events");
    assert_refused(UR(urCommandBufferAppendUSMMemcpyExp)(buffer, memory, memory + 4, 4, 0, NULL, 0,
                                                         NULL, NULL, NULL, &command),
                   UNSUPPORTED_FEATURE, "phCommand");
  }
  assert_ok(UR(urCommandBufferFinalizeExp)(buffer));
  assert_refused(UR(urCommandBufferFinalizeExp)(buffer), INVALID_OPERATION, "finalized already");
  assert_refused(append_copy(buffer, memory, memory + 4, 4, 0, NULL), INVALID_OPERATION,
                 "finalized");
  uint32_t count = 0;
  assert_ok(UR(urCommandBufferGetInfoExp)(buffer, UR_EXP_COMMAND_BUFFER_INFO_REFERENCE_COUNT, 4,
                                          &count, NULL));
  assert_int_equal(count, 1);
  if (SINCE(2025_1)) {
    ur_exp_command_buffer_desc_t desc = {.isInOrder = 7};
    assert_ok(UR(urCommandBufferGetInfoExp)(buffer, UR_EXP_COMMAND_BUFFER_INFO_DESCRIPTOR,
                                            sizeof desc, &desc, NULL));
    assert_int_equal(desc.isInOrder, 0);
  }
  assert_refused(
      UR(urCommandBufferGetInfoExp)(buffer, (ur_exp_command_buffer_info_t)9, 4, &count, NULL),
      UNSUPPORTED_ENUMERATION, "0x9");
  assert_ok(UR(urCommandBufferReleaseExp)(buffer));
  run_free(memory);
  assert_ok(UR(urKernelRelease)(kernel));
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(run_open, run_close);
}
