/*
 * Maps of buffers. A buffer has one copy in host memory. A map copies a range from the device to
 * its place in that copy, and an unmap copies the range back. So overlapping maps of a buffer and
 * of its parts show the same bytes.
 */
#include "memory_map.h"

#include "../checks/arguments.h"
#include "buffer_command.h"
#include "memory.h"
#include "sink.h"

#include <stdlib.h>

/* One map, in the list of its memory object. */
typedef struct memory_map {
  char *pointer; /* the address that the application received */
  size_t offset; /* in the memory object, in bytes */
  size_t size;
  bool is_written; /* the unmap copies the bytes back */
  struct memory_map *next;
} memory_map;

static void add_map(pi_mem mem, memory_map *map) {
  pthread_mutex_lock(&mem->lock);
  map->next = mem->maps;
  mem->maps = map;
  pthread_mutex_unlock(&mem->lock);
}

/* Takes out a map with that pointer, preferably one whose bytes have to be copied back. */
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
 * The number of bytes to copy: 0 if the map shows the buffer itself, or if is_needed is false.
 */
static size_t bytes_of(pi_mem buffer, const memory_map *map, bool is_needed) {
  const bool shows_itself = (uintptr_t)map->pointer == (uintptr_t)buffer->pointer + map->offset;
  return is_needed && !shows_itself ? map->size : 0;
}

/* Copies the range even for a map for writing, because the application may write only parts. */
static pi_result map_buffer(sink *sink, pi_mem buffer, pi_map_flags flags, memory_map *map) {
  char *host;
  TRY(memory_show(buffer->parent ? buffer->parent : buffer, &host));
  map->pointer = host + buffer->origin + map->offset;
  const transfer read =
      transfer_plain((uintptr_t)map->pointer, (uintptr_t)buffer->pointer + map->offset,
                     bytes_of(buffer, map, !(flags & PI_MAP_WRITE_INVALIDATE_REGION)));
  return driver_copy(sink, &read, COPY_TO_HOST);
}

pi_result memory_map_buffer(sink *sink, pi_mem buffer, pi_map_flags flags, size_t offset,
                            size_t size, void **ret) {
  TRY(check_map(flags, size));
  TRY(sink_check_memory(sink, buffer));
  TRY(memory_check_range(buffer, offset, size));
  memory_map *map = malloc(sizeof *map);
  REQUIRE_MEMORY(map, "a map of %zu bytes", sizeof *map);
  *map = (memory_map){NULL, offset, size, flags != PI_MAP_READ, NULL};
  const pi_result result = map_buffer(sink, buffer, flags, map);
  if (result != PI_SUCCESS) {
    free(map);
    return result;
  }
  *ret = map->pointer;
  add_map(buffer, map);
  return PI_SUCCESS;
}

/* After a failure the buffer has the same maps as before. */
pi_result memory_unmap(sink *sink, pi_mem mem, const void *pointer) {
  TRY(sink_check_memory(sink, mem));
  memory_map *map = take_map(mem, pointer);
  REQUIRE(map, PI_ERROR_INVALID_VALUE, "mapped_ptr %p is not mapped from memobj", pointer);
  const transfer write =
      transfer_plain((uintptr_t)mem->pointer + map->offset, (uintptr_t)map->pointer,
                     bytes_of(mem, map, map->is_written));
  const pi_result result = driver_copy(sink, &write, COPY_FROM_HOST);
  if (result == PI_SUCCESS)
    free(map);
  else
    add_map(mem, map);
  return result;
}
