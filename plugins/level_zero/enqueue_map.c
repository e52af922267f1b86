/*
 * Maps of buffers. The whole buffer has one place in the memory of the host (memory.h), which maps
 * copy parts of the device's memory to, and unmaps copy back from. So maps of one buffer that
 * overlap show the same bytes, and a part's map lies in its buffer's.
 */
#include "checks.h"
#include "memory.h"
#include "queue.h"
#include "transfer.h"

#include <stdlib.h>

/* One map, in the list of the object that it was made of. */
typedef struct memory_map {
  char *pointer; /* what the application got */
  size_t offset; /* in the object */
  size_t size;
  bool is_written; /* to be copied back */
  struct memory_map *next;
} memory_map;

/* Whether a map shows the buffer's own bytes, so that there is nothing to copy. */
static bool shows_itself(pi_mem buffer, const memory_map *map) {
  return map->pointer == (char *)buffer->pointer + map->offset;
}

static void add_map(pi_mem mem, memory_map *map) {
  pthread_mutex_lock(&mem->lock);
  map->next = mem->maps;
  mem->maps = map;
  pthread_mutex_unlock(&mem->lock);
}

/* Takes out the map of a pointer; of several at one place one that is to be copied back. */
static memory_map *take_map(pi_mem mem, const void *pointer) {
  memory_map **found = NULL;
  pthread_mutex_lock(&mem->lock);
  for (memory_map **link = &mem->maps; *link; link = &(*link)->next)
    if ((*link)->pointer == pointer && (!found || ((*link)->is_written && !(*found)->is_written)))
      found = link;
  memory_map *map = found ? *found : NULL;
  if (map)
    *found = map->next;
  pthread_mutex_unlock(&mem->lock);
  return map;
}

void memory_forget_maps(pi_mem mem) {
  for (memory_map *map = mem->maps, *next; map; map = next) {
    next = map->next;
    free(map);
  }
}

/*
 * A copy, or nothing but the command's order. Flags of 0 are taken for reading and writing. Bytes
 * that are kept by a write are copied, too.
 */
static pi_result enqueue_map(queue_command *command, pi_mem buffer, const memory_map *map,
                             pi_map_flags flags) {
  const bool copies = !(flags & PI_MAP_WRITE_INVALIDATE_REGION) && !shows_itself(buffer, map);
  const transfer read =
      transfer_plain(transfer_address(map->pointer),
                     transfer_address(buffer->pointer) + map->offset, copies ? map->size : 0);
  return transfer_append(command, &read);
}

static pi_result map_buffer(pi_queue queue, pi_mem buffer, bool blocking, pi_map_flags flags,
                            memory_map *map, pi_uint32 num_events, const pi_event *events,
                            pi_event *event) {
  char *host;
  PI_TRY(memory_show(buffer->parent ? buffer->parent : buffer, &host));
  map->pointer = host + buffer->origin + map->offset;
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_MAP, QUEUE_COPY, num_events, events,
                     event != NULL, &command));
  const pi_result result = enqueue_map(&command, buffer, map, flags);
  return queue_conclude_started(&command, result, blocking, event);
}

pi_result piEnqueueMemBufferMap(pi_queue queue, pi_mem buffer, pi_bool blocking_map,
                                pi_map_flags map_flags, size_t offset, size_t size,
                                pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                                pi_event *event, void **ret_map) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(buffer);
  REQUIRE_POINTER(ret_map);
  REQUIRE_WAIT_LIST();
  PI_TRY(pi_check_map(map_flags, size));
  PI_TRY(memory_check_queue(buffer, queue));
  PI_TRY(memory_check_range(buffer, offset, size));
  memory_map *map = malloc(sizeof *map);
  PI_REQUIRE(map, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a map of %zu bytes", sizeof *map);
  *map = (memory_map){NULL, offset, size, map_flags != PI_MAP_READ, NULL};
  const pi_result result = map_buffer(queue, buffer, blocking_map != PI_FALSE, map_flags, map,
                                      num_events_in_wait_list, event_wait_list, event);
  if (result != PI_SUCCESS) {
    free(map);
    return result;
  }
  *ret_map = map->pointer;
  add_map(buffer, map);
  return PI_SUCCESS;
}

static pi_result unmap(pi_queue queue, pi_mem buffer, const memory_map *map, pi_uint32 num_events,
                       const pi_event *events, pi_event *event) {
  queue_command command;
  PI_TRY(queue_begin(queue, PI_COMMAND_TYPE_MEM_BUFFER_UNMAP, QUEUE_COPY, num_events, events,
                     event != NULL, &command));
  const bool copies = map->is_written && !shows_itself(buffer, map);
  const transfer write = transfer_plain(transfer_address(buffer->pointer) + map->offset,
                                        transfer_address(map->pointer), copies ? map->size : 0);
  return queue_conclude_started(&command, transfer_append(&command, &write), false, event);
}

/* After a failure the buffer is as mapped as it was. */
pi_result piEnqueueMemUnmap(pi_queue queue, pi_mem memobj, void *mapped_ptr,
                            pi_uint32 num_events_in_wait_list, const pi_event *event_wait_list,
                            pi_event *event) {
  REQUIRE_QUEUE(queue);
  REQUIRE_MEM(memobj);
  REQUIRE_POINTER(mapped_ptr);
  REQUIRE_WAIT_LIST();
  PI_TRY(memory_check_queue(memobj, queue));
  memory_map *map = take_map(memobj, mapped_ptr);
  PI_REQUIRE(map, PI_ERROR_INVALID_VALUE, "mapped_ptr %p is not mapped from memobj", mapped_ptr);
  const pi_result result =
      unmap(queue, memobj, map, num_events_in_wait_list, event_wait_list, event);
  if (result == PI_SUCCESS)
    free(map);
  else
    add_map(memobj, map);
  return result;
}
