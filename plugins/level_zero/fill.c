/*
 * Fills. Level Zero fills with patterns whose size is a power of 2, up to a limit of the engine.
 * Any other pattern is first written once: by several fills of Level Zero, or by a copy from host
 * memory if that would take too many fills. Copies then double the filled part until the area is
 * full.
 */

#include "../checks/arguments.h"
#include "../objects/deferred_free.h"
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

/* Most fills that write a pattern once. A pattern that needs more is copied from host memory. */
enum { MOST_FILLS = 16 };

/* Host memory with a pattern, as the source of a copy. */
typedef struct fill_stage {
  deferred deferred;
  pi_context context; /* a reference */
  void *pointer;
} fill_stage;

/* A fill while its commands are appended. */
typedef struct fill {
  fill_area rows;
  const unsigned char *pattern;
  size_t period;     /* bytes after which the pattern repeats */
  fill_stage *stage; /* NULL if fills write the pattern */
} fill;

static bool is_power_of_2(size_t size) {
  return (size & (size - 1)) == 0;
}

/* Returns the engine's limit for patterns in bytes, at least 1. */
static size_t limit_of(pi_device device, queue_engine engine) {
  const size_t size = engine == QUEUE_COPY ? device->driver.copy_fill_pattern_size
                                           : device->driver.fill_pattern_size;
  return size ? size : 1;
}

static bool is_direct(const fill *fill, size_t limit) {
  return is_power_of_2(fill->period) && fill->period <= limit;
}

/* Returns the largest power of 2 that is above neither left nor limit. */
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
  fill_stage *stage = OWNER_OF(node, fill_stage, deferred);
  const pi_context context = stage->context;
  if (stage->pointer)
    ze.MemFree(context->driver.context, stage->pointer);
  free(stage);
  context_release(context);
}

static void release_stage(void *stage) {
  free_stage(&((fill_stage *)stage)->deferred);
}

static pi_result make_stage(pi_context context, fill *fill) {
  const ze_host_mem_alloc_desc_t description = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  fill_stage *stage = calloc(1, sizeof *stage);
  REQUIRE_MEMORY(stage, "a pattern of %zu bytes", fill->period);
  stage->context = context;
  context_retain(context);
  const pi_result result = ZE_CALL(MemAllocHost, context->driver.context, &description,
                                   fill->period, 0, &stage->pointer);
  if (result != PI_SUCCESS) {
    stage->pointer = NULL;
    free_stage(&stage->deferred);
    return result;
  }
  memcpy(stage->pointer, fill->pattern, fill->period);
  fill->stage = stage;
  return PI_SUCCESS;
}

static pi_result begin_fill(const sink *sink, const fill_area *rows, const void *pattern,
                            size_t pattern_size, fill *ret) {
  fill made = {.rows = *rows, .pattern = pattern};
  if (rows->height == 1 || rows->pitch == rows->width) {
    made.rows.width *= rows->height;
    made.rows.pitch = made.rows.width;
    made.rows.height = made.rows.width ? 1 : 0;
  }
  made.period = fill_period(pattern, pattern_size);
  const size_t limit = limit_of(sink->device, QUEUE_COMPUTE);
  if (made.rows.height && !is_direct(&made, limit) && count_pieces(made.period, limit) > MOST_FILLS)
    TRY(make_stage(sink->context, &made));
  *ret = made;
  return PI_SUCCESS;
}

/* Chooses the copy engine only if one of its fills writes the pattern; its limit is often lower. */
static sink_engine engine_for(pi_device device, const fill *fill) {
  return is_direct(fill, limit_of(device, QUEUE_COPY)) ? SINK_COPY : SINK_COMPUTE;
}

static pi_result append_copy(sink *sink, void *to, const void *from, size_t size) {
  ZE_TRY(CommandListAppendMemoryCopy, sink->command.list, to, from, size, NULL, 0, NULL);
  return PI_SUCCESS;
}

/* Appends the commands that write the pattern once. */
static pi_result append_pattern(sink *sink, const fill *fill) {
  const size_t limit = limit_of(sink->device, QUEUE_COMPUTE);
  char *to = (char *)fill->rows.pointer;
  if (fill->stage)
    return append_copy(sink, to, fill->stage->pointer, fill->period);
  for (size_t done = 0; done < fill->period;) {
    const size_t size = piece_of(fill->period - done, limit);
    ZE_TRY(CommandListAppendMemoryFill, sink->command.list, to + done, fill->pattern + done, size,
           size, NULL, 0, NULL);
    done += size;
  }
  return PI_SUCCESS;
}

/* Appends copies that double the filled part until it has width bytes. */
static pi_result double_width(sink *sink, char *start, size_t filled, size_t width) {
  while (filled < width) {
    const size_t left = width - filled;
    const size_t size = left < filled ? left : filled;
    TRY(command_order_steps(sink));
    TRY(append_copy(sink, start + filled, start, size));
    filled += size;
  }
  return PI_SUCCESS;
}

static pi_result append_first_row(sink *sink, const fill *fill) {
  if (is_direct(fill, limit_of(sink->device, sink->command.engine))) {
    ZE_TRY(CommandListAppendMemoryFill, sink->command.list, (void *)fill->rows.pointer,
           fill->pattern, fill->period, fill->rows.width, NULL, 0, NULL);
    return PI_SUCCESS;
  }
  TRY(append_pattern(sink, fill));
  return double_width(sink, (char *)fill->rows.pointer, fill->period, fill->rows.width);
}

static pi_result append_rows(sink *sink, const fill *fill) {
  const fill_area *rows = &fill->rows;
  for (size_t filled = 1; filled < rows->height;) {
    const size_t left = rows->height - filled;
    const size_t count = left < filled ? left : filled;
    const uintptr_t from = rows->pointer;
    const transfer_side source = {from, rows->pitch, rows->pitch * count};
    const transfer_side target = {from + filled * rows->pitch, rows->pitch, rows->pitch * count};
    const transfer copy = {source, target, rows->width, count, 1};
    TRY(command_order_steps(sink));
    TRY(transfer_append_step(sink, &copy));
    filled += count;
  }
  return PI_SUCCESS;
}

static pi_result append_fill(sink *sink, const fill *fill) {
  if (fill->rows.height == 0 || fill->rows.width == 0)
    return driver_marker(sink, false);
  if (fill->rows.height == 1 && is_direct(fill, limit_of(sink->device, sink->command.engine))) {
    ZE_TRY(CommandListAppendMemoryFill, sink->command.list, (void *)fill->rows.pointer,
           fill->pattern, fill->period, fill->rows.width, sink->command.signal,
           sink->command.wait_count, sink->command.waits);
    return PI_SUCCESS;
  }
  TRY(command_first_step(sink));
  TRY(append_first_row(sink, fill));
  TRY(append_rows(sink, fill));
  return command_last_step(sink);
}

/* The stage of a recorded command lives as long as the command buffer; that of an enqueued command
 * is freed when the command has ended. */
pi_result driver_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size) {
  fill fill;
  bool is_held = false;
  TRY(begin_fill(sink, rows, pattern, pattern_size, &fill));
  pi_result result = sink_begin(sink, engine_for(sink->device, &fill));
  if (result == PI_SUCCESS) {
    if (fill.stage && sink->buffer) {
      result = sink_hold(sink, fill.stage, release_stage);
      is_held = result == PI_SUCCESS;
    }
    if (result == PI_SUCCESS)
      result = append_fill(sink, &fill);
    result = sink_end(sink, result);
  }
  if (fill.stage && !is_held)
    deferred_free(fill.stage->context, &fill.stage->deferred, free_stage);
  return result;
}
