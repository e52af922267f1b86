#include "buffer.h"

#include "command.h"

#include <stdlib.h>

/* Does not write to host_data, because HOST_PTR_COPY makes the plugin copy it. */
static pi_result create_memory(specpi_buffer buffer, const void *host_data) {
  union {
    const void *read;
    void *pointer;
  } data = {host_data};
  const pi_mem_flags copy = host_data ? PI_MEM_FLAGS_HOST_PTR_COPY : 0;
  return buffer->pi->piMemBufferCreate(buffer->context, PI_MEM_FLAGS_ACCESS_RW | copy, buffer->size,
                                       data.pointer, &buffer->handle, NULL);
}

specpi_result specpiBufferCreate(specpi_device device, size_t size, const void *host_data,
                                 specpi_buffer *buffer) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(size != 0, "size is 0");
  ERROR_REQUIRE(buffer, "buffer is NULL");
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  specpi_buffer made = malloc(sizeof *made);
  if (!made)
    return error_memory();
  references_init(&made->references);
  made->device = device;
  made->pi = specpiDeviceGetFunctions(device);
  made->context = context;
  made->size = size;
  const pi_result code = create_memory(made, host_data);
  if (code != PI_SUCCESS) {
    const specpi_result result =
        driver_error(made->pi, code, "piMemBufferCreate of %zu bytes on %s", size,
                     specpiDeviceGetSelector(device));
    free(made);
    return result;
  }
  *buffer = made;
  return SPECPI_SUCCESS;
}

void specpiBufferRetain(specpi_buffer buffer) {
  if (buffer)
    references_add(&buffer->references);
}

void specpiBufferRelease(specpi_buffer buffer) {
  if (!buffer || !references_drop(&buffer->references))
    return;
  buffer->pi->piMemRelease(buffer->handle);
  free(buffer);
}

size_t specpiBufferGetSize(specpi_buffer buffer) {
  return buffer ? buffer->size : 0;
}

specpi_device specpiBufferGetDevice(specpi_buffer buffer) {
  return buffer ? buffer->device : NULL;
}

pi_mem specpiBufferGetHandle(specpi_buffer buffer) {
  return buffer ? buffer->handle : NULL;
}

/* The common part of the commands below; name is the buffer's parameter. */
static specpi_result check_part(specpi_queue queue, specpi_buffer buffer, const char *name,
                                size_t offset, size_t size) {
  ERROR_REQUIRE(queue, "queue is NULL");
  ERROR_REQUIRE(buffer, "%s is NULL", name);
  ERROR_REQUIRE(buffer->context == queue->context,
                "%s is of %s, the queue of %s, and they have no context in common", name,
                specpiDeviceGetSelector(buffer->device), specpiDeviceGetSelector(queue->device));
  ERROR_REQUIRE(size != 0, "size is 0");
  ERROR_REQUIRE(offset <= buffer->size && size <= buffer->size - offset,
                "%zu bytes from offset %zu on are not all inside of %s, which has %zu", size,
                offset, name, buffer->size);
  return SPECPI_SUCCESS;
}

specpi_result specpiBufferRead(specpi_queue queue, specpi_buffer buffer, size_t offset, size_t size,
                               void *data, size_t wait_count, const specpi_event *waits,
                               specpi_event *event) {
  ERROR_TRY(check_part(queue, buffer, "buffer", offset, size));
  ERROR_REQUIRE(data, "data is NULL");
  command command;
  ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
  const pi_bool blocking = event ? PI_FALSE : PI_TRUE;
  const pi_result code = queue->pi->piEnqueueMemBufferRead(
      queue->handle, buffer->handle, blocking, offset, size, data, COMMAND_EVENTS(&command));
  return command_end(&command, code, event, "piEnqueueMemBufferRead of %zu bytes", size);
}

specpi_result specpiBufferWrite(specpi_queue queue, specpi_buffer buffer, size_t offset,
                                size_t size, const void *data, size_t wait_count,
                                const specpi_event *waits, specpi_event *event) {
  ERROR_TRY(check_part(queue, buffer, "buffer", offset, size));
  ERROR_REQUIRE(data, "data is NULL");
  command command;
  ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
  const pi_bool blocking = event ? PI_FALSE : PI_TRUE;
  const pi_result code = queue->pi->piEnqueueMemBufferWrite(
      queue->handle, buffer->handle, blocking, offset, size, data, COMMAND_EVENTS(&command));
  return command_end(&command, code, event, "piEnqueueMemBufferWrite of %zu bytes", size);
}

specpi_result specpiBufferFill(specpi_queue queue, specpi_buffer buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t size, size_t wait_count,
                               const specpi_event *waits, specpi_event *event) {
  ERROR_TRY(check_part(queue, buffer, "buffer", offset, size));
  ERROR_REQUIRE(pattern, "pattern is NULL");
  ERROR_REQUIRE(pattern_size != 0, "pattern_size is 0");
  ERROR_REQUIRE(offset % pattern_size == 0,
                "offset is %zu, not a multiple of the %zu bytes of the "
                "pattern",
                offset, pattern_size);
  ERROR_REQUIRE(size % pattern_size == 0,
                "size is %zu, not a multiple of the %zu bytes of the "
                "pattern",
                size, pattern_size);
  command command;
  ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
  const pi_result code = queue->pi->piEnqueueMemBufferFill(
      queue->handle, buffer->handle, pattern, pattern_size, offset, size, COMMAND_EVENTS(&command));
  return command_end(&command, code, event, "piEnqueueMemBufferFill of %zu bytes", size);
}

specpi_result specpiBufferCopy(specpi_queue queue, specpi_buffer source, size_t source_offset,
                               specpi_buffer destination, size_t destination_offset, size_t size,
                               size_t wait_count, const specpi_event *waits, specpi_event *event) {
  ERROR_TRY(check_part(queue, source, "source", source_offset, size));
  ERROR_TRY(check_part(queue, destination, "destination", destination_offset, size));
  ERROR_REQUIRE(source != destination || source_offset + size <= destination_offset ||
                    destination_offset + size <= source_offset,
                "%zu bytes from offset %zu on and from offset %zu on of one buffer overlap", size,
                source_offset, destination_offset);
  command command;
  ERROR_TRY(command_begin(&command, queue, wait_count, waits, event));
  const pi_result code = queue->pi->piEnqueueMemBufferCopy(
      queue->handle, source->handle, destination->handle, source_offset, destination_offset, size,
      COMMAND_EVENTS(&command));
  return command_end(&command, code, event, "piEnqueueMemBufferCopy of %zu bytes", size);
}
