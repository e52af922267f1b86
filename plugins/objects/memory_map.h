/* Maps of buffers into the memory of the host. */
#ifndef OBJECTS_MEMORY_MAP_H
#define OBJECTS_MEMORY_MAP_H

#include <pi/pi.h>

#include <stddef.h>

typedef struct sink sink;

/*
 * Maps size bytes from offset on, as a whole command; *ret is their address on the host until
 * memory_unmap. PI_ERROR_INVALID_VALUE: wrong flags or range; PI_ERROR_INVALID_CONTEXT: the buffer
 * is of another context; PI_ERROR_MAP_FAILURE: no host memory is left; also the errors of
 * sink_begin and the driver.
 */
pi_result memory_map_buffer(sink *sink, pi_mem buffer, pi_map_flags flags, size_t offset,
                            size_t size, void **ret);

/* Ends one map with that pointer, as a whole command. PI_ERROR_INVALID_VALUE: there is none. */
pi_result memory_unmap(sink *sink, pi_mem mem, const void *pointer);

#endif
