/*
 * Commands on buffers and parts of buffers. Each function is a whole command: it checks the
 * arguments, begins the sink and ends it. PI_ERROR_INVALID_CONTEXT: a buffer is of another context
 * than the sink; PI_ERROR_INVALID_MEM_OBJECT: the memory object is an image;
 * PI_ERROR_INVALID_VALUE: a range or a rectangle leaves its memory. Otherwise the errors of
 * sink_begin and of the driver.
 */
#ifndef OBJECTS_BUFFER_COMMAND_H
#define OBJECTS_BUFFER_COMMAND_H

#include "../checks/rect.h"

typedef struct sink sink;

/* Copy size bytes of a buffer to the application's memory at pointer, and back. */
pi_result buffer_read(sink *sink, pi_mem buffer, size_t offset, size_t size, void *pointer);
pi_result buffer_write(sink *sink, pi_mem buffer, size_t offset, size_t size, const void *pointer);

/* Copies between buffers. PI_ERROR_MEM_COPY_OVERLAP: the ranges overlap. */
pi_result buffer_copy(sink *sink, pi_mem from, pi_mem to, size_t from_offset, size_t to_offset,
                      size_t size);

/* PI_ERROR_INVALID_VALUE: pattern_size is 0, or does not divide offset and size. */
pi_result buffer_fill(sink *sink, pi_mem buffer, const void *pattern, size_t pattern_size,
                      size_t offset, size_t size);

/* Read, write and copy rectangles. Also the errors of rect_read. */
pi_result buffer_read_rect(sink *sink, const rect_side *device, pi_mem buffer,
                           const rect_side *host, void *pointer, pi_buff_rect_region region);
pi_result buffer_write_rect(sink *sink, const rect_side *host, const void *pointer,
                            const rect_side *device, pi_mem buffer, pi_buff_rect_region region);
pi_result buffer_copy_rect(sink *sink, const rect_side *from, pi_mem source, const rect_side *to,
                           pi_mem target, pi_buff_rect_region region);

/* Returns PI_ERROR_INVALID_CONTEXT if a memory object is of another context than the sink. */
pi_result sink_check_memory(const sink *sink, pi_mem mem);

#endif
