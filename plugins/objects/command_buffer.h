/* Command buffers: commands that are recorded once and run often. */
#ifndef OBJECTS_COMMAND_BUFFER_H
#define OBJECTS_COMMAND_BUFFER_H

#include "../checks/command_list.h"
#include "deferred_free.h"
#include "driver.h"
#include "driver_parts.h"
#include "handle.h"

#include <pthread.h>

/* An object that a recorded command uses, with the function that releases it. */
typedef struct command_object {
  void *object;
  void (*release)(void *object);
} command_object;

struct pi_ext_command_buffer_object {
  object_head handle;
  pi_context context; /* a reference */
  pi_device device;
  deferred deferred;
  bool is_updatable;    /* its launches can be changed later */
  bool is_in_order;     /* each command follows the one before */
  bool has_profiling;   /* as the application asked; has no effect */
  pthread_mutex_t lock; /* guards the rest */
  atomic_bool is_finalized;
  bool is_broken;          /* the driver has only a part of a command, so no run is possible */
  pi_uint32 command_count; /* commands so far; each has a sync point */
  command_list objects;    /* command_object: what the commands use */
  struct driver_command_buffer driver;
};

/* Features that only UR's command buffers can have; all false for PI's. */
typedef struct command_buffer_form {
  bool is_updatable, is_in_order, has_profiling;
} command_buffer_form;

/*
 * A new command buffer with one reference. Errors of driver_command_buffer_open;
 * PI_ERROR_OUT_OF_HOST_MEMORY; PI_ERROR_UNSUPPORTED_FEATURE: form->is_updatable, and the driver
 * cannot change recorded launches.
 */
pi_result command_buffer_create(pi_context context, pi_device device,
                                const command_buffer_form *form, pi_ext_command_buffer *ret);

/* Gives up a reference. The last one frees the buffer once no run is pending. */
void command_buffer_release(pi_ext_command_buffer buffer);

/* Ends recording. PI_ERROR_INVALID_OPERATION: the buffer is finalized already, or broken. */
pi_result command_buffer_finalize(pi_ext_command_buffer buffer);

/* Enqueues all commands as one command of a queue's sink. Errors as piextEnqueueCommandBuffer. */
pi_result command_buffer_run(pi_ext_command_buffer buffer, sink *sink);

/* Returns PI_ERROR_INVALID_OPERATION if the buffer is broken. The caller holds its lock. */
pi_result command_buffer_check_whole(pi_ext_command_buffer buffer);

/* Releases the objects with the index from and all later ones. The caller holds the lock. */
void command_buffer_release_objects(pi_ext_command_buffer buffer, size_t from);

#endif
