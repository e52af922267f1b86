#include "command_buffer.h"

#include "../base/error.h"

pi_result command_buffer_check_whole(pi_ext_command_buffer buffer) {
  PI_REQUIRE(!buffer->is_broken, PI_ERROR_INVALID_OPERATION,
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
