/*
 * Commands on unified shared memory. Each function is the whole command: it checks, begins the sink
 * and ends it. PI_ERROR_INVALID_VALUE: a range leaves its allocation or the address space.
 * Otherwise the errors of sink_begin and of the driver.
 */
#ifndef OBJECTS_USM_COMMAND_H
#define OBJECTS_USM_COMMAND_H

#include "sink.h"

/*
 * Copies size bytes, or rows. Memory that the driver does not know is the application's own.
 * PI_ERROR_MEM_COPY_OVERLAP: the bytes overlap. PI_ERROR_INVALID_VALUE: a pitch is less than width.
 */
pi_result usm_copy(sink *sink, void *to, const void *from, size_t size);
pi_result usm_copy_rows(sink *sink, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height);

/*
 * Fills size bytes, or rows, with a pattern. PI_ERROR_INVALID_VALUE: size or width is no multiple
 * of pattern_size, or that is 0; the device does not reach the memory; the pitch is less than
 * width.
 */
pi_result usm_fill(sink *sink, void *pointer, const void *pattern, size_t pattern_size,
                   size_t size);
pi_result usm_fill_rows(sink *sink, void *pointer, size_t pitch, const void *pattern,
                        size_t pattern_size, size_t width, size_t height);

/*
 * Hints. The command is right whatever they are about: if there is nothing to move or to advise it
 * only keeps its place. PI_ERROR_INVALID_VALUE: the flags are not 0; the advice contradicts itself.
 */
pi_result usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host);
pi_result usm_advise(sink *sink, const void *pointer, size_t size, pi_mem_advice advice);

/*
 * Commands without a queue, which have ended when these return: each makes its own queue. device
 * may be NULL for any of the context; for zeros it must reach the memory.
 */
pi_result usm_copy_now(pi_context context, void *to, const void *from, size_t size);
pi_result usm_zero_now(pi_context context, pi_device device, void *pointer, size_t size);

#endif
