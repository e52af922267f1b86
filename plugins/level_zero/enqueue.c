/* Markers, barriers, and commands on buffers; rectangles and maps are in files of their own. */
#include "checks.h"
#include "fill.h"
#include "memory.h"
#include "queue.h"
#include "transfer.h"

/*
 * Level Zero has no command that waits and lets those that follow go before it; a marker out of
 * order therefore holds up what comes after it in the same list.
 */
pi_result piEnqueueEventsWait(pi_queue queue, pi_uint32 num_events_in_wait_list,
                              const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MARKER, QUEUE_COMPUTE, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const pi_result result = queue_marker(&command, num_events_in_wait_list == 0);
  return queue_conclude_started(&command, result, false, event);
}

pi_result piEnqueueEventsWaitWithBarrier(pi_queue queue, pi_uint32 num_events_in_wait_list,
                                         const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_BARRIER, QUEUE_COMPUTE, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const pi_result result = queue_barrier(&command, num_events_in_wait_list == 0);
  return queue_conclude_started(&command, result, false, event);
}

pi_result piEnqueueMemBufferRead(pi_queue queue, pi_mem buffer, pi_bool blocking_read,
                                 size_t offset, size_t size, void *ptr,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  PI_TRY(memory_check_queue(buffer, queue));
  PI_TRY(memory_check_range(buffer, offset, size));
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_READ, QUEUE_COPY, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const transfer read =
      transfer_plain(transfer_address(ptr), transfer_address(buffer->pointer) + offset, size);
  return queue_conclude_started(&command, transfer_append(&command, &read),
                                blocking_read != PI_FALSE, event);
}

pi_result piEnqueueMemBufferWrite(pi_queue queue, pi_mem buffer, pi_bool blocking_write,
                                  size_t offset, size_t size, const void *ptr,
                                  pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  PI_TRY(memory_check_queue(buffer, queue));
  PI_TRY(memory_check_range(buffer, offset, size));
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_WRITE, QUEUE_COPY, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const transfer write =
      transfer_plain(transfer_address(buffer->pointer) + offset, transfer_address(ptr), size);
  return queue_conclude_started(&command, transfer_append(&command, &write),
                                blocking_write != PI_FALSE, event);
}

/* Parts of one buffer are told by their addresses. */
pi_result piEnqueueMemBufferCopy(pi_queue queue, pi_mem src_buffer, pi_mem dst_buffer,
                                 size_t src_offset, size_t dst_offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(src_buffer);
  REQUIRE_MEM(dst_buffer);
  REQUIRE_WAIT_LIST();
  PI_TRY(memory_check_queue(src_buffer, queue));
  PI_TRY(memory_check_queue(dst_buffer, queue));
  PI_TRY(memory_check_range(src_buffer, src_offset, size));
  PI_TRY(memory_check_range(dst_buffer, dst_offset, size));
  const uintptr_t from = transfer_address(src_buffer->pointer) + src_offset;
  const uintptr_t to = transfer_address(dst_buffer->pointer) + dst_offset;
  PI_REQUIRE(size == 0 || !transfer_ranges_meet(from, to, size), PI_ERROR_MEM_COPY_OVERLAP,
             "%zu bytes from offset %zu on and from offset %zu on overlap", size, src_offset,
             dst_offset);
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_COPY, QUEUE_COPY, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const transfer copy = transfer_plain(to, from, size);
  return queue_conclude_started(&command, transfer_append(&command, &copy), false, event);
}

pi_result piEnqueueMemBufferFill(pi_queue queue, pi_mem buffer, const void *pattern,
                                 size_t pattern_size, size_t offset, size_t size,
                                 pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                 pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(pattern);
  REQUIRE_WAIT_LIST();
  PI_REQUIRE(pattern_size != 0, PI_ERROR_INVALID_VALUE, "pattern_size is 0");
  PI_REQUIRE(offset % pattern_size == 0 && size % pattern_size == 0, PI_ERROR_INVALID_VALUE,
             "%s is %zu, not a multiple of pattern_size %zu",
             offset % pattern_size ? "offset" : "size", offset % pattern_size ? offset : size,
             pattern_size);
  PI_TRY(memory_check_queue(buffer, queue));
  PI_TRY(memory_check_range(buffer, offset, size));
  const fill_rows rows = {(char *)buffer->pointer + offset, size, size, 1};
  return fill_enqueue(queue, PI_COMMAND_TYPE_MEM_BUFFER_FILL, &rows, pattern, pattern_size,
                      num_events_in_wait_list, event_wait_list, event);
}
