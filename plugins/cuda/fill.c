/*
 * Fills with a pattern that the driver has no memset for take three kinds of commands. First,
 * memsets write the pattern a number of times at the start of the first row: each memset writes one
 * element of the pattern in all these repetitions. Then copies double the filled part until the
 * first row is full. Then copies of rows double the number of filled rows. A copy of the pattern
 * from the host's stack would be simpler, but could make the driver wait for the stream.
 */
#include "fill.h"

#include "../checks/arguments.h"
#include "command_buffer.h"

/* Memsets with a pitch are slow, so they fill only so many bytes, but at least one pattern. */
enum { FIRST_BYTES = 4096 };

/* Returns the largest element size of CUDA's memsets that divides all numbers ORed in bits. */
static unsigned element_of(size_t bits) {
  return bits % 4 == 0 ? 4 : bits % 2 == 0 ? 2 : 1;
}

void fill_begin(fill *fill, const fill_area *rows, const void *pattern, size_t pattern_size) {
  *fill = (struct fill){.rows = *rows, .pattern = pattern};
  if (rows->height == 1 || rows->pitch == rows->width) {
    fill->rows.width *= rows->height;
    fill->rows.pitch = fill->rows.width;
    fill->rows.height = 1;
  }
  fill->period = fill_period(pattern, pattern_size);
  const size_t pitch = fill->rows.height == 1 ? 0 : fill->rows.pitch;
  const unsigned simple = element_of(fill->rows.pointer | fill->period | pitch);
  if (simple == fill->period) {
    fill->element = simple;
    return;
  }
  /* The row pitch does not limit the element size, as the memsets write the first row only. */
  fill->element = element_of(fill->rows.pointer | fill->period);
  const size_t most = fill->period < FIRST_BYTES ? FIRST_BYTES / fill->period : 1;
  const size_t repeats = fill->rows.width / fill->period;
  fill->started = fill->period * (repeats < most ? repeats : most);
}

static unsigned int value_at(const fill *fill, size_t offset) {
  unsigned int value = 0;
  for (unsigned i = fill->element; i-- > 0;)
    value = value << 8 | fill->pattern[offset + i];
  return value;
}

/* Returns a memset of the whole area. */
static fill_step set_all(fill *fill) {
  const fill_step step = {.rows = fill->rows, .element = fill->element, .value = value_at(fill, 0)};
  fill->width = fill->rows.width;
  fill->height = fill->rows.height;
  return step;
}

/* Returns a memset of the pattern's next element in each of the first repetitions. */
static fill_step set_element(fill *fill) {
  const fill_step step = {.rows = {.pointer = fill->rows.pointer + fill->set,
                                   .pitch = fill->period,
                                   .width = fill->element,
                                   .height = fill->started / fill->period},
                          .element = fill->element,
                          .value = value_at(fill, fill->set)};
  fill->set += fill->element;
  if (fill->set == fill->period) {
    fill->width = fill->started;
    fill->height = 1;
  }
  return step;
}

/* Returns a copy that doubles the filled part of the first row, or fills the rest of the row. */
static fill_step double_width(fill *fill) {
  const size_t left = fill->rows.width - fill->width;
  const size_t size = left < fill->width ? left : fill->width;
  const fill_step step = {
      .is_copy = true,
      .rows = {fill->rows.pointer + fill->width, size, size, 1},
      .from = fill->rows.pointer,
  };
  fill->width += size;
  return step;
}

/* Returns a copy that doubles the number of filled rows, or fills the remaining rows. */
static fill_step double_height(fill *fill) {
  const size_t left = fill->rows.height - fill->height;
  const size_t count = left < fill->height ? left : fill->height;
  const fill_step step = {
      .is_copy = true,
      .rows = {fill->rows.pointer + fill->height * fill->rows.pitch, fill->rows.pitch,
               fill->rows.width, count},
      .from = fill->rows.pointer,
  };
  fill->height += count;
  return step;
}

bool fill_next(fill *fill, fill_step *ret) {
  if (fill->started == 0 && fill->height == 0)
    *ret = set_all(fill);
  else if (fill->height == 0)
    *ret = set_element(fill);
  else if (fill->width < fill->rows.width)
    *ret = double_width(fill);
  else if (fill->height < fill->rows.height)
    *ret = double_height(fill);
  else
    return false;
  return true;
}

static pi_result enqueue_copy(CUstream stream, const fill_step *step) {
  const fill_area *rows = &step->rows;
  if (rows->height == 1) {
    CU_TRY(MemcpyAsync, rows->pointer, step->from, rows->width, stream);
    return PI_SUCCESS;
  }
  const CUDA_MEMCPY2D copy = {
      .srcMemoryType = CU_MEMORYTYPE_UNIFIED,
      .srcDevice = step->from,
      .srcPitch = rows->pitch,
      .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
      .dstDevice = rows->pointer,
      .dstPitch = rows->pitch,
      .WidthInBytes = rows->width,
      .Height = rows->height,
  };
  CU_TRY(Memcpy2DAsync, &copy, stream);
  return PI_SUCCESS;
}

pi_result fill_enqueue_step(CUstream stream, const fill_step *step) {
  if (step->is_copy)
    return enqueue_copy(stream, step);
  const fill_area *rows = &step->rows;
  const size_t count = rows->width / step->element;
  if (rows->height == 1) {
    if (step->element == 1)
      CU_TRY(MemsetD8Async, rows->pointer, (unsigned char)step->value, count, stream);
    else if (step->element == 2)
      CU_TRY(MemsetD16Async, rows->pointer, (unsigned short)step->value, count, stream);
    else
      CU_TRY(MemsetD32Async, rows->pointer, step->value, count, stream);
    return PI_SUCCESS;
  }
  if (step->element == 1)
    CU_TRY(MemsetD2D8Async, rows->pointer, rows->pitch, (unsigned char)step->value, count,
           rows->height, stream);
  else if (step->element == 2)
    CU_TRY(MemsetD2D16Async, rows->pointer, rows->pitch, (unsigned short)step->value, count,
           rows->height, stream);
  else
    CU_TRY(MemsetD2D32Async, rows->pointer, rows->pitch, step->value, count, rows->height, stream);
  return PI_SUCCESS;
}

pi_result fill_enqueue(CUstream stream, const fill_area *rows, const void *pattern,
                       size_t pattern_size) {
  if (rows->width == 0 || rows->height == 0)
    return PI_SUCCESS;
  fill steps;
  fill_step step;
  fill_begin(&steps, rows, pattern, pattern_size);
  while (fill_next(&steps, &step))
    TRY(fill_enqueue_step(stream, &step));
  return PI_SUCCESS;
}

pi_result driver_fill(sink *sink, const fill_area *rows, const void *pattern, size_t pattern_size) {
  TRY(sink_begin(sink, SINK_COPY));
  return sink_end(sink, sink->buffer
                            ? record_fill(sink, rows, pattern, pattern_size)
                            : fill_enqueue(sink->command.stream, rows, pattern, pattern_size));
}
