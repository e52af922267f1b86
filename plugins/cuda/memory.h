/* Memory of buffers and images (../objects/memory.h) in CUDA. */
#ifndef CUDA_MEMORY_H
#define CUDA_MEMORY_H

#include "../objects/memory.h"
#include "../objects/sink.h"
#include "context.h"

/* Returns the PI result of a driver call that allocates size bytes; call is its name. */
pi_result memory_allocated(CUresult code, const char *call, size_t size);

/* Copies size bytes from the host to the device of a member, and waits for the end of the copy. */
pi_result memory_upload(pi_context member, CUdeviceptr to, const void *from, size_t size);

/* Returns whether all devices of a context have managed memory. */
bool memory_is_managed(pi_context context);

/*
 * In a context of several devices, moves a buffer or image to the device of a command that has
 * begun, unless that device used it last. Otherwise a buffer's pages would move one by one, as the
 * device touches them.
 */
pi_result memory_bring(const sink *sink, pi_mem mem);

/* Frees an image's arrays and surfaces; the context is current. In image.c. */
void image_destroy(pi_mem mem);

#endif
