/* A growing array, for the parts of a command buffer. */
#ifndef OBJECTS_COMMAND_LIST_H
#define OBJECTS_COMMAND_LIST_H

#include <pi/pi.h>

#include <stddef.h>

typedef struct command_list {
  void *items;
  size_t count;
  size_t capacity;
} command_list;

/* Adds one item of size bytes. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result command_list_add(command_list *list, const void *item, size_t size);

#endif
