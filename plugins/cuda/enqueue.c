/* Markers, barriers, and commands on buffers; rectangles and maps are in files of their own. */
#include "checks.h"
#include "fill.h"
#include "memory.h"
#include "queue.h"
#include "transfer.h"

/* What follows in an in-order queue waits as it is; nobody needs a command there. */
pi_result piEnqueueEventsWait(pi_queue queue, pi_uint32 num_events_in_wait_list,
                              const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MARKER, num_events_in_wait_list, event_wait_list,
                     event != NULL, &command));
  const pi_result result = num_events_in_wait_list == 0 ? queue_join(&command) : PI_SUCCESS;
  return queue_conclude(&command, result, false, event);
}

pi_result piEnqueueEventsWaitWithBarrier(pi_queue queue, pi_uint32 num_events_in_wait_list,
                                         const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_WAIT_LIST();
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_BARRIER, num_events_in_wait_list, event_wait_list,
                     event != NULL, &command));
  return queue_conclude(&command, queue_barrier(&command, num_events_in_wait_list == 0), false,
                        event);
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
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_READ, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const transfer read = transfer_plain(cu_pointer(ptr), cu_pointer(buffer->pointer) + offset, size);
  const pi_result result =
      transfer_to_host(queue->context, command.stream, &read, blocking_read != PI_FALSE);
  return queue_conclude(&command, result, blocking_read != PI_FALSE, event);
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
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_WRITE, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const transfer write =
      transfer_plain(cu_pointer(buffer->pointer) + offset, cu_pointer(ptr), size);
  const pi_result result =
      transfer_from_host(queue->context, command.stream, &write, blocking_write != PI_FALSE);
  return queue_conclude(&command, result, blocking_write != PI_FALSE, event);
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
  const CUdeviceptr from = cu_pointer(src_buffer->pointer) + src_offset;
  const CUdeviceptr to = cu_pointer(dst_buffer->pointer) + dst_offset;
  PI_REQUIRE(size == 0 || !transfer_ranges_meet(from, to, size), PI_ERROR_MEM_COPY_OVERLAP,
             "%zu bytes from offset %zu on and from offset %zu on overlap", size, src_offset,
             dst_offset);
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_COPY, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const transfer copy = transfer_plain(to, from, size);
  return queue_conclude(&command, transfer_enqueue(queue->context, command.stream, &copy), false,
                        event);
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
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_FILL, num_events_in_wait_list,
                     event_wait_list, event != NULL, &command));
  const fill_rows rows = {cu_pointer(buffer->pointer) + offset, size, size, 1};
  return queue_conclude(&command, fill_enqueue(command.stream, &rows, pattern, pattern_size), false,
                        event);
}
