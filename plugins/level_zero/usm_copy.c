/* USM commands that write memory: sets, copies and fills, in one and two dimensions. */
#include "checks.h"
#include "fill.h"
#include "queue.h"
#include "transfer.h"
#include "usm.h"

#include "../objects/usm_arguments.h"

/* Checks that a queue's device can write these rows. */
static pi_result check_target(pi_queue queue, const void *pointer, size_t size) {
  usm_range range;
  return usm_check_reached(queue->context, queue->device, "ptr", pointer, size, &range);
}

pi_result piextUSMEnqueueMemset(pi_queue queue, void *ptr, pi_int32 value, size_t count,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  PI_TRY(check_target(queue, ptr, count));
  const unsigned char byte = (unsigned char)value;
  const fill_rows rows = {ptr, count, count, 1};
  return fill_enqueue(queue, PI_COMMAND_TYPE_SVM_MEMFILL, &rows, &byte, 1, num_events_in_wait_list,
                      event_wait_list, event);
}

pi_result piextUSMEnqueueFill2D(pi_queue queue, void *ptr, size_t pitch, size_t pattern_size,
                                const void *pattern, size_t width, size_t height,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  REQUIRE_POINTER(pattern);
  REQUIRE_WAIT_LIST();
  PI_REQUIRE(pattern_size != 0, PI_ERROR_INVALID_VALUE, "pattern_size is 0");
  PI_REQUIRE(width % pattern_size == 0, PI_ERROR_INVALID_VALUE,
             "width is %zu, not a multiple of pattern_size %zu", width, pattern_size);
  size_t size;
  PI_TRY(pi_rows_size("pitch", ptr, pitch, width, height, &size));
  PI_TRY(check_target(queue, ptr, size));
  const fill_rows rows = {ptr, pitch, width, height};
  return fill_enqueue(queue, PI_COMMAND_TYPE_SVM_MEMFILL, &rows, pattern, pattern_size,
                      num_events_in_wait_list, event_wait_list, event);
}

pi_result piextUSMEnqueueMemset2D(pi_queue queue, void *ptr, size_t pitch, int value, size_t width,
                                  size_t height, pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  const unsigned char byte = (unsigned char)value;
  return piextUSMEnqueueFill2D(queue, ptr, pitch, 1, &byte, width, height, num_events_in_wait_list,
                               event_wait_list, event);
}

static pi_result copy(pi_queue queue, const transfer *what, bool blocking,
                      pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                      pi_event *event) {
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_SVM_MEMCPY, what->width ? QUEUE_COPY : QUEUE_COMPUTE,
                     num_events_in_wait_list, event_wait_list, event != NULL, &command));
  return queue_conclude_started(&command, transfer_append(&command, what), blocking, event);
}

/* Checks both sides of a copy; memory that the context does not know is the application's own. */
static pi_result check_sides(pi_queue queue, const void *dst_ptr, size_t dst_size,
                             const void *src_ptr, size_t src_size) {
  usm_range range;
  PI_TRY(usm_check(queue->context, "dst_ptr", dst_ptr, dst_size, &range));
  return usm_check(queue->context, "src_ptr", src_ptr, src_size, &range);
}

pi_result piextUSMEnqueueMemcpy(pi_queue queue, pi_bool blocking, void *dst_ptr,
                                const void *src_ptr, size_t size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  REQUIRE_WAIT_LIST();
  PI_TRY(check_sides(queue, dst_ptr, size, src_ptr, size));
  const uintptr_t dst = (uintptr_t)dst_ptr, src = (uintptr_t)src_ptr;
  PI_REQUIRE(!transfer_ranges_meet(dst, src, size), PI_ERROR_MEM_COPY_OVERLAP,
             "dst_ptr and src_ptr are %zu bytes apart, and %zu are to be copied",
             (size_t)(dst > src ? dst - src : src - dst), size);
  const transfer plain = transfer_plain(dst, src, size);
  return copy(queue, &plain, blocking != PI_FALSE, num_events_in_wait_list, event_wait_list, event);
}

pi_result piextUSMEnqueueMemcpy2D(pi_queue queue, pi_bool blocking, void *dst_ptr, size_t dst_pitch,
                                  const void *src_ptr, size_t src_pitch, size_t width,
                                  size_t height, pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  REQUIRE_WAIT_LIST();
  size_t dst_size, src_size;
  PI_TRY(pi_rows_size("dst_pitch", dst_ptr, dst_pitch, width, height, &dst_size));
  PI_TRY(pi_rows_size("src_pitch", src_ptr, src_pitch, width, height, &src_size));
  PI_TRY(check_sides(queue, dst_ptr, dst_size, src_ptr, src_size));
  /* Without any byte the event stands for the wait list alone. */
  const transfer rows = {.from = {(uintptr_t)src_ptr, src_pitch, src_size},
                         .to = {(uintptr_t)dst_ptr, dst_pitch, dst_size},
                         .width = height ? width : 0,
                         .height = height,
                         .depth = 1};
  return copy(queue, &rows, blocking != PI_FALSE, num_events_in_wait_list, event_wait_list, event);
}
