#include "usm_command.h"

#include "../checks/arguments.h"
#include "../checks/rect.h"
#include "../checks/usm_arguments.h"
#include "sink.h"
#include "usm.h"

/* Checks both sides of a copy, and finds the one that is the application's own memory. */
static pi_result check_sides(const sink *sink, const void *to, size_t to_size, const void *from,
                             size_t from_size, copy_host *ret) {
  usm_range target, source;
  TRY(usm_check(sink->context, "dst_ptr", to, to_size, &target));
  TRY(usm_check(sink->context, "src_ptr", from, from_size, &source));
  TRY(usm_check_written("dst_ptr", &target, to_size));
  *ret = target.type == PI_MEM_TYPE_UNKNOWN   ? COPY_TO_HOST
         : source.type == PI_MEM_TYPE_UNKNOWN ? COPY_FROM_HOST
                                              : COPY_NO_HOST;
  return PI_SUCCESS;
}

pi_result usm_copy(sink *sink, void *to, const void *from, size_t size) {
  copy_host host;
  TRY(check_sides(sink, to, size, from, size, &host));
  REQUIRE(!transfer_ranges_meet((uintptr_t)to, (uintptr_t)from, size), PI_ERROR_MEM_COPY_OVERLAP,
          "the %zu bytes at dst_ptr and at src_ptr overlap", size);
  const transfer plain = transfer_plain((uintptr_t)to, (uintptr_t)from, size);
  return driver_copy(sink, &plain, host);
}

pi_result usm_copy_rows(sink *sink, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height) {
  size_t to_size, from_size;
  TRY(rows_size("dst_pitch", to, to_pitch, width, height, &to_size));
  TRY(rows_size("src_pitch", from, from_pitch, width, height, &from_size));
  copy_host host;
  TRY(check_sides(sink, to, to_size, from, from_size, &host));
  /* A width of 0 makes a command without work, whose event ends with the wait list. */
  const transfer rows = {.from = {(uintptr_t)from, from_pitch, from_size},
                         .to = {(uintptr_t)to, to_pitch, to_size},
                         .width = height ? width : 0,
                         .height = height,
                         .depth = 1};
  return driver_copy(sink, &rows, host);
}

/* Returns the number of bytes from the first to the last one of a side. */
static size_t span_box(const transfer *box, const transfer_side *side) {
  return (box->depth - 1) * side->slice + (box->height - 1) * side->row + box->width;
}

pi_result usm_copy_box(sink *sink, const transfer *box) {
  const transfer_side *to = &box->to, *from = &box->from;
  copy_host host;
  TRY(check_sides(sink, (void *)to->start, span_box(box, to), (void *)from->start,
                  span_box(box, from), &host));
  REQUIRE(to->row != from->row || to->slice != from->slice || !transfer_overlaps(box),
          PI_ERROR_MEM_COPY_OVERLAP, "the boxes at dst_ptr and at src_ptr overlap");
  return driver_copy(sink, box, host);
}

/* Fills rows that span size bytes. With 0 bytes the pointer may be the end of an allocation. */
static pi_result fill_reached(sink *sink, const fill_area *rows, size_t size, const void *pattern,
                              size_t pattern_size) {
  usm_range range;
  if (size != 0) {
    TRY(usm_check_reached(sink->context, sink->device, "ptr", (void *)rows->pointer, size, &range));
    TRY(usm_check_written("ptr", &range, size));
  }
  return driver_fill(sink, rows, pattern, pattern_size);
}

pi_result usm_fill(sink *sink, void *pointer, const void *pattern, size_t pattern_size,
                   size_t size) {
  TRY(fill_check(pattern_size, "size", size));
  const fill_area rows = {(uintptr_t)pointer, size, size, 1};
  return fill_reached(sink, &rows, size, pattern, pattern_size);
}

pi_result usm_fill_rows(sink *sink, void *pointer, size_t pitch, const void *pattern,
                        size_t pattern_size, size_t width, size_t height) {
  size_t size;
  TRY(fill_check(pattern_size, "width", width));
  TRY(rows_size("pitch", pointer, pitch, width, height, &size));
  const fill_area rows = {(uintptr_t)pointer, pitch, width, height};
  return fill_reached(sink, &rows, size, pattern, pattern_size);
}

/* Checks a range; sets *size to 0 if it is not shared memory, because only that can move. */
static pi_result check_hint(const sink *sink, const void *pointer, size_t *size) {
  usm_range range;
  TRY(usm_check(sink->context, "ptr", pointer, *size, &range));
  if (range.type != PI_MEM_TYPE_SHARED)
    *size = 0;
  return PI_SUCCESS;
}

pi_result usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host) {
  TRY(check_hint(sink, pointer, &size));
  return driver_usm_prefetch(sink, pointer, size, to_host);
}

pi_result usm_advise(sink *sink, const void *pointer, size_t size, pi_mem_advice advice) {
  unsigned bits;
  TRY(read_usm_advice(advice, &bits));
  TRY(check_hint(sink, pointer, &size));
  return driver_usm_advise(sink, pointer, size, bits);
}

/* ---- Without a queue ---- */

pi_result usm_copy_now(pi_context context, void *to, const void *from, size_t size) {
  pi_queue queue;
  TRY(queue_create(context, context->devices[0], 0, QUEUE_ANY_INDEX, &queue));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_SVM_MEMCPY, 0, NULL, true, NULL);
  const pi_result result = usm_copy(&sink, to, from, size);
  queue_release(queue);
  return result;
}

pi_result usm_zero_now(pi_context context, pi_device device, void *pointer, size_t size) {
  const unsigned char zero = 0;
  pi_queue queue;
  TRY(queue_create(context, device ? device : context->devices[0], 0, QUEUE_ANY_INDEX, &queue));
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_SVM_MEMFILL, 0, NULL, true, NULL);
  const pi_result result = usm_fill(&sink, pointer, &zero, 1, size);
  queue_release(queue);
  return result;
}
