/*
 * Commands on unified shared memory. Each function is a whole command: it checks the arguments,
 * begins the sink and ends it. PI_ERROR_INVALID_VALUE: a range leaves its allocation or the address
 * space. Otherwise the errors of sink_begin and of the driver.
 */
#ifndef OBJECTS_USM_COMMAND_H
#define OBJECTS_USM_COMMAND_H

#include "../checks/rect.h"

typedef struct sink sink;

/*
 * Copy size bytes, or rows. Either side may be the application's own memory, unknown to the driver.
 * PI_ERROR_MEM_COPY_OVERLAP: the bytes overlap. PI_ERROR_INVALID_VALUE: a pitch is less than width.
 */
pi_result usm_copy(sink *sink, void *to, const void *from, size_t size);
pi_result usm_copy_rows(sink *sink, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height);

/*
 * Copies a box that rect_read (../checks/rect.h) has read. PI_ERROR_MEM_COPY_OVERLAP: the sides,
 * with the same pitches, overlap.
 */
pi_result usm_copy_box(sink *sink, const transfer *box);

/*
 * Fill size bytes, or rows, with a pattern. PI_ERROR_INVALID_VALUE: pattern_size is 0, or does not
 * divide size or width; the device cannot access the memory; or the pitch is less than width.
 */
pi_result usm_fill(sink *sink, void *pointer, const void *pattern, size_t pattern_size,
                   size_t size);
pi_result usm_fill_rows(sink *sink, void *pointer, size_t pitch, const void *pattern,
                        size_t pattern_size, size_t width, size_t height);

/*
 * Hints. For memory that cannot move, or advice that the driver lacks, the command has no effect
 * but its event. PI_ERROR_INVALID_VALUE: the bits of the advice contradict each other.
 */
pi_result usm_prefetch(sink *sink, const void *pointer, size_t size, bool to_host);
pi_result usm_advise(sink *sink, const void *pointer, size_t size, pi_mem_advice advice);

/*
 * Copy bytes, and fill with zeros, in a queue of their own, and wait until the command has ended.
 * device must be able to access the memory; NULL: the first device of the context.
 */
pi_result usm_copy_now(pi_context context, void *to, const void *from, size_t size);
pi_result usm_zero_now(pi_context context, pi_device device, void *pointer, size_t size);

#endif
