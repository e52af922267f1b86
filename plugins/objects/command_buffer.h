/* Command buffers: commands that are recorded once and run often. */
#ifndef PI_OBJECTS_COMMAND_BUFFER_H
#define PI_OBJECTS_COMMAND_BUFFER_H

#include "command_list.h"
#include "deferred_free.h"
#include "driver_parts.h"
#include "handle.h"

#include <pthread.h>

/* What a command uses, with the function that gives it up. */
typedef struct command_object {
  void *object;
  void (*release)(void *object);
} command_object;

struct pi_ext_command_buffer_object {
  pi_handle handle;
  pi_context context; /* a reference */
  pi_device device;
  deferred deferred;
  pthread_mutex_t lock; /* of what follows */
  atomic_bool is_finalized;
  command_list objects; /* command_object: what the commands use */
  struct driver_command_buffer driver;
};

#define REQUIRE_COMMAND_BUFFER(command_buffer)                                                     \
  REQUIRE_HANDLE(command_buffer, COMMAND_BUFFER, PI_ERROR_INVALID_COMMAND_BUFFER_KHR)

#endif
