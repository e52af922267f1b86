/* Rectangles of buffers as PI describes them, checked and made into copies (transfer.h). */
#ifndef PI_LEVEL_ZERO_RECT_H
#define PI_LEVEL_ZERO_RECT_H

#include "memory.h"
#include "transfer.h"

/*
 * A copy between a buffer and the host, in either direction. PI_ERROR_INVALID_VALUE with a
 * sentence: the region is empty, leaves the buffer or the address space, or a pitch is too small.
 * PI_ERROR_INVALID_MEM_OBJECT: the buffer is an image. *ret is untouched then.
 */
pi_result rect_to_host(const rect_side *device, pi_mem buffer, const rect_side *host,
                       const void *pointer, pi_buff_rect_region region, transfer *ret);
pi_result rect_from_host(const rect_side *host, const void *pointer, const rect_side *device,
                         pi_mem buffer, pi_buff_rect_region region, transfer *ret);

/*
 * A copy between two buffers, or parts of one. Errors as above, and PI_ERROR_MEM_COPY_OVERLAP;
 * PI_ERROR_INVALID_VALUE: in one buffer the two sides have different pitches.
 */
pi_result rect_between(const rect_side *from, pi_mem source, const rect_side *to, pi_mem target,
                       pi_buff_rect_region region, transfer *ret);

#endif
