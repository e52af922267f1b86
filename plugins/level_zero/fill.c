#include "fill.h"

#include "../objects/deferred_free.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

/* Fills that write a pattern once, at most; with more of them it is copied from the host. */
enum { MOST_FILLS = 16 };

/* Host memory with a pattern that is copied from. */
struct fill_stage {
  deferred deferred;
  pi_context context; /* a reference */
  void *pointer;
};

/* A fill that begins; lives on the stack. */
typedef struct fill {
  fill_rows rows;
  const unsigned char *pattern;
  size_t period;     /* bytes after which the pattern repeats itself */
  fill_stage *stage; /* NULL: the pattern is written by fills */
} fill;

/* The smallest part of the pattern that gives it when repeated. */
static size_t period_of(const unsigned char *pattern, size_t size) {
  for (size_t period = 1; period <= size / 2; period++)
    if (size % period == 0 && memcmp(pattern, pattern + period, size - period) == 0)
      return period;
  return size;
}

static bool is_power_of_2(size_t size) {
  return (size & (size - 1)) == 0;
}

/* What the device's engines take; 1 byte can be filled by each. */
static size_t limit_of(pi_queue queue, queue_engine engine) {
  const size_t size = engine == QUEUE_COPY ? queue->device->driver.copy_fill_pattern_size
                                           : queue->device->driver.fill_pattern_size;
  return size ? size : 1;
}

static bool is_direct(const fill *fill, size_t limit) {
  return is_power_of_2(fill->period) && fill->period <= limit;
}

/* The largest power of 2 that is not above both. */
static size_t piece_of(size_t left, size_t limit) {
  size_t piece = 1;
  while (piece * 2 <= left && piece * 2 <= limit)
    piece *= 2;
  return piece;
}

static size_t count_pieces(size_t size, size_t limit) {
  size_t count = 0;
  for (size_t left = size; left && count <= MOST_FILLS; count++)
    left -= piece_of(left, limit);
  return count;
}

static void free_stage(deferred *node) {
  fill_stage *stage = DEFERRED_OWNER(node, fill_stage, deferred);
  const pi_context context = stage->context;
  if (stage->pointer)
    ze.MemFree(context->driver.context, stage->pointer);
  free(stage);
  context_release(context);
}

static pi_result make_stage(pi_context context, fill *fill) {
  const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  fill_stage *stage = calloc(1, sizeof *stage);
  PI_REQUIRE(stage, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a pattern of %zu bytes",
             fill->period);
  stage->context = context;
  context_retain(context);
  const pi_result result = ze_result(
      ze.MemAllocHost(context->driver.context, &description, fill->period, 0, &stage->pointer),
      "zeMemAllocHost");
  if (result != PI_SUCCESS) {
    stage->pointer = NULL;
    free_stage(&stage->deferred);
    return result;
  }
  memcpy(stage->pointer, fill->pattern, fill->period);
  fill->stage = stage;
  return PI_SUCCESS;
}

static pi_result begin(pi_queue queue, const fill_rows *rows, const void *pattern,
                       size_t pattern_size, fill *ret) {
  fill made = {.rows = *rows, .pattern = pattern};
  if (rows->height == 1 || rows->pitch == rows->width) {
    made.rows.width *= rows->height;
    made.rows.pitch = made.rows.width;
    made.rows.height = made.rows.width ? 1 : 0;
  }
  made.period = period_of(pattern, pattern_size);
  const size_t limit = limit_of(queue, QUEUE_COMPUTE);
  if (made.rows.height && !is_direct(&made, limit) && count_pieces(made.period, limit) > MOST_FILLS)
    PI_TRY(make_stage(queue->context, &made));
  *ret = made;
  return PI_SUCCESS;
}

/* Copy engines often take less; only what they do in one command is for them. */
static queue_engine engine_for(pi_queue queue, const fill *fill) {
  return is_direct(fill, limit_of(queue, QUEUE_COPY)) ? QUEUE_COPY : QUEUE_COMPUTE;
}

static pi_result append_copy(queue_command *command, void *to, const void *from, size_t size) {
  ZE_TRY(CommandListAppendMemoryCopy, command->list, to, from, size, NULL, 0, NULL);
  return PI_SUCCESS;
}

/* Writes the pattern once. */
static pi_result append_pattern(queue_command *command, const fill *fill) {
  const size_t limit = limit_of(command->queue, QUEUE_COMPUTE);
  char *to = fill->rows.pointer;
  if (fill->stage)
    return append_copy(command, to, fill->stage->pointer, fill->period);
  for (size_t done = 0; done < fill->period;) {
    const size_t size = piece_of(fill->period - done, limit);
    ZE_TRY(CommandListAppendMemoryFill, command->list, to + done, fill->pattern + done, size, size,
           NULL, 0, NULL);
    done += size;
  }
  return PI_SUCCESS;
}

/* Copies what is filled behind itself until so many bytes are. */
static pi_result double_width(queue_command *command, char *start, size_t filled, size_t width) {
  while (filled < width) {
    const size_t left = width - filled;
    const size_t size = left < filled ? left : filled;
    PI_TRY(queue_order_steps(command));
    PI_TRY(append_copy(command, start + filled, start, size));
    filled += size;
  }
  return PI_SUCCESS;
}

static pi_result append_first_row(queue_command *command, const fill *fill) {
  if (is_direct(fill, limit_of(command->queue, command->engine))) {
    ZE_TRY(CommandListAppendMemoryFill, command->list, fill->rows.pointer, fill->pattern,
           fill->period, fill->rows.width, NULL, 0, NULL);
    return PI_SUCCESS;
  }
  PI_TRY(append_pattern(command, fill));
  return double_width(command, fill->rows.pointer, fill->period, fill->rows.width);
}

static pi_result append_rows(queue_command *command, const fill *fill) {
  const fill_rows *rows = &fill->rows;
  char *start = rows->pointer;
  for (size_t filled = 1; filled < rows->height;) {
    const size_t left = rows->height - filled;
    const size_t count = left < filled ? left : filled;
    const uintptr_t from = transfer_address(start);
    const transfer_side source = {from, rows->pitch, rows->pitch * count};
    const transfer_side target = {from + filled * rows->pitch, rows->pitch, rows->pitch * count};
    const transfer copy = {source, target, rows->width, count, 1};
    PI_TRY(queue_order_steps(command));
    PI_TRY(transfer_append_step(command, &copy));
    filled += count;
  }
  return PI_SUCCESS;
}

static pi_result append(queue_command *command, const fill *fill) {
  if (fill->rows.height == 0 || fill->rows.width == 0) {
    command->is_single = true;
    return queue_marker(command, false);
  }
  if (fill->rows.height == 1 && is_direct(fill, limit_of(command->queue, command->engine))) {
    command->is_single = true;
    ZE_TRY(CommandListAppendMemoryFill, command->list, fill->rows.pointer, fill->pattern,
           fill->period, fill->rows.width, command->signal, command->wait_count, command->waits);
    return PI_SUCCESS;
  }
  PI_TRY(queue_first_step(command));
  PI_TRY(append_first_row(command, fill));
  PI_TRY(append_rows(command, fill));
  return queue_last_step(command);
}

pi_result fill_enqueue(pi_queue queue, pi_command_type type, const fill_rows *rows,
                       const void *pattern, size_t pattern_size, pi_uint32 num_events_in_wait_list,
                       const pi_event *event_wait_list, pi_event *event) {
  fill it;
  PI_TRY(begin(queue, rows, pattern, pattern_size, &it));
  queue_command command;
  pi_result result = queue_begin(queue, type, engine_for(queue, &it), num_events_in_wait_list,
                                 event_wait_list, event != NULL, &command);
  if (result == PI_SUCCESS)
    result = queue_conclude_started(&command, append(&command, &it), false, event);
  if (it.stage)
    deferred_free(it.stage->context, &it.stage->deferred, free_stage);
  return result;
}

pi_result fill_append(queue_command *command, const fill_rows *rows, const void *pattern,
                      size_t pattern_size, fill_stage **stage) {
  fill it;
  /* Nothing is in the list by half before something is in it. */
  command->is_single = true;
  PI_TRY(begin(command->queue, rows, pattern, pattern_size, &it));
  command->is_single = false;
  const pi_result result = append(command, &it);
  /* After a failure commands may be in the list that use it, too. */
  *stage = it.stage;
  return result;
}

void fill_stage_free(fill_stage *stage) {
  free_stage(&stage->deferred);
}
