#include "command_buffer.h"

#include "../base/error.h"
#include "../checks/arguments.h"
#include "context.h"
#include "driver.h"
#include "sink.h"

#include <stdlib.h>

pi_result command_buffer_check_whole(pi_ext_command_buffer buffer) {
  REQUIRE(!buffer->is_broken, PI_ERROR_INVALID_OPERATION,
          "the driver has taken only a part of an earlier command of the command buffer");
  return PI_SUCCESS;
}

void command_buffer_release_objects(pi_ext_command_buffer buffer, size_t from) {
  const command_object *objects = buffer->objects.items;
  while (buffer->objects.count > from) {
    const command_object *object = &objects[--buffer->objects.count];
    object->release(object->object);
  }
}

/* Called when all commands that were pending at the buffer's release have ended. */
static void destroy_command_buffer(deferred *node) {
  const pi_ext_command_buffer buffer =
      OWNER_OF(node, struct pi_ext_command_buffer_object, deferred);
  driver_command_buffer_close(buffer);
  command_buffer_release_objects(buffer, 0);
  free(buffer->objects.items);
  pthread_mutex_destroy(&buffer->lock);
  free(buffer);
}

pi_result command_buffer_create(pi_context context, pi_device device,
                                const command_buffer_form *form, pi_ext_command_buffer *ret) {
  REQUIRE(!form->is_updatable || DRIVER_UPDATES_LAUNCHES, PI_ERROR_UNSUPPORTED_FEATURE,
          "%s cannot change a launch that is recorded", driver_name);
  pi_ext_command_buffer buffer = calloc(1, sizeof *buffer);
  REQUIRE_MEMORY(buffer, "a command buffer");
  object_init(&buffer->handle, OBJECT_COMMAND_BUFFER);
  pthread_mutex_init(&buffer->lock, NULL);
  buffer->context = context;
  buffer->device = device;
  buffer->is_updatable = form->is_updatable;
  buffer->is_in_order = form->is_in_order;
  buffer->has_profiling = form->has_profiling;
  const pi_result result = driver_command_buffer_open(buffer);
  if (result != PI_SUCCESS) {
    destroy_command_buffer(&buffer->deferred);
    return result;
  }
  context_retain(context);
  *ret = buffer;
  return PI_SUCCESS;
}

void command_buffer_release(pi_ext_command_buffer buffer) {
  const pi_context context = buffer->context;
  if (!object_release(&buffer->handle))
    return;
  driver_command_buffer_leave(buffer);
  deferred_free(context, &buffer->deferred, destroy_command_buffer);
  context_release(context);
}

/* The caller holds the lock. */
static pi_result finalize_command_buffer(pi_ext_command_buffer buffer) {
  TRY(check_finalizing(buffer->is_finalized));
  TRY(command_buffer_check_whole(buffer));
  TRY(driver_command_buffer_finalize(buffer));
  buffer->is_finalized = true;
  return PI_SUCCESS;
}

pi_result command_buffer_finalize(pi_ext_command_buffer buffer) {
  pthread_mutex_lock(&buffer->lock);
  const pi_result result = finalize_command_buffer(buffer);
  pthread_mutex_unlock(&buffer->lock);
  return result;
}

pi_result command_buffer_run(pi_ext_command_buffer buffer, sink *sink) {
  TRY(check_running(buffer->is_finalized, sink->context == buffer->context,
                    sink->device == buffer->device));
  pthread_mutex_lock(&buffer->lock);
  const pi_result result = driver_command_buffer_run(buffer, sink);
  pthread_mutex_unlock(&buffer->lock);
  return result;
}
