/*
 * Commands on buffers, and parts of them. Each function is the whole command: it checks, begins the
 * sink and ends it. PI_ERROR_INVALID_CONTEXT: a buffer is of another context than the sink;
 * PI_ERROR_INVALID_MEM_OBJECT: it is an image; PI_ERROR_INVALID_VALUE: a range or a rectangle
 * leaves its memory. Otherwise the errors of sink_begin and of the driver.
 */
#ifndef OBJECTS_BUFFER_COMMAND_H
#define OBJECTS_BUFFER_COMMAND_H

#include "../checks/rect.h"
#include "sink.h"

/* Copy size bytes to and from memory of the application at pointer. */
pi_result buffer_read(sink *sink, pi_mem buffer, size_t offset, size_t size, void *pointer);
pi_result buffer_write(sink *sink, pi_mem buffer, size_t offset, size_t size, const void *pointer);

/* PI_ERROR_MEM_COPY_OVERLAP: parts of one buffer that overlap. */
pi_result buffer_copy(sink *sink, pi_mem from, pi_mem to, size_t from_offset, size_t to_offset,
                      size_t size);

/* PI_ERROR_INVALID_VALUE: offset or size is no multiple of pattern_size, or that is 0. */
pi_result buffer_fill(sink *sink, pi_mem buffer, const void *pattern, size_t pattern_size,
                      size_t offset, size_t size);

/* The same for rectangles, whose errors are those of rect_read. */
pi_result buffer_read_rect(sink *sink, const rect_side *device, pi_mem buffer,
                           const rect_side *host, void *pointer, pi_buff_rect_region region);
pi_result buffer_write_rect(sink *sink, const rect_side *host, const void *pointer,
                            const rect_side *device, pi_mem buffer, pi_buff_rect_region region);
pi_result buffer_copy_rect(sink *sink, const rect_side *from, pi_mem source, const rect_side *to,
                           pi_mem target, pi_buff_rect_region region);

/* Checks that a sink's command may use a memory object. PI_ERROR_INVALID_CONTEXT. */
pi_result sink_check_memory(const sink *sink, pi_mem mem);

#endif
