/* PI's entries for commands on unified shared memory. */
#include "../plugins/checks/usm_arguments.h"
#include "../plugins/objects/usm_command.h"
#include "sinks.h"

pi_result piextUSMEnqueueMemset(pi_queue queue, void *ptr, pi_int32 value, size_t count,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  const unsigned char byte = (unsigned char)value;
  sink sink = SINK_OF_QUEUE(SVM_MEMFILL, false);
  return usm_fill(&sink, ptr, &byte, 1, count);
}

pi_result piextUSMEnqueueFill2D(pi_queue queue, void *ptr, size_t pitch, size_t pattern_size,
                                const void *pattern, size_t width, size_t height,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  REQUIRE_POINTER(pattern);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(SVM_MEMFILL, false);
  return usm_fill_rows(&sink, ptr, pitch, pattern, pattern_size, width, height);
}

pi_result piextUSMEnqueueMemset2D(pi_queue queue, void *ptr, size_t pitch, int value, size_t width,
                                  size_t height, pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  const unsigned char byte = (unsigned char)value;
  return piextUSMEnqueueFill2D(queue, ptr, pitch, 1, &byte, width, height, num_events_in_wait_list,
                               event_wait_list, event);
}

pi_result piextUSMEnqueueMemcpy(pi_queue queue, pi_bool blocking, void *dst_ptr,
                                const void *src_ptr, size_t size, pi_uint32 num_events_in_wait_list,
                                const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(SVM_MEMCPY, blocking != PI_FALSE);
  return usm_copy(&sink, dst_ptr, src_ptr, size);
}

pi_result piextUSMEnqueueMemcpy2D(pi_queue queue, pi_bool blocking, void *dst_ptr, size_t dst_pitch,
                                  const void *src_ptr, size_t src_pitch, size_t width,
                                  size_t height, pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(dst_ptr);
  REQUIRE_POINTER(src_ptr);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(SVM_MEMCPY, blocking != PI_FALSE);
  return usm_copy_rows(&sink, dst_ptr, dst_pitch, src_ptr, src_pitch, width, height);
}

pi_result piextUSMEnqueuePrefetch(pi_queue queue, const void *ptr, size_t size,
                                  pi_usm_migration_flags flags, pi_uint32 num_events_in_wait_list,
                                  const pi_event *event_wait_list, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  REQUIRE_WAIT_LIST();
  sink sink = SINK_OF_QUEUE(MIGRATE_MEM_OBJECTS, false);
  TRY(check_usm_migration(flags));
  return usm_prefetch(&sink, ptr, size, false);
}

pi_result piextUSMEnqueueMemAdvise(pi_queue queue, const void *ptr, size_t length,
                                   pi_mem_advice advice, pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_POINTER(ptr);
  sink sink = sink_of_queue(queue, PI_COMMAND_TYPE_MARKER, 0, NULL, false, event);
  return usm_advise(&sink, ptr, length, advice);
}
