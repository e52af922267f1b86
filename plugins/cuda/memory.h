/* CUDA's memory for the objects of ../objects/memory.h. */
#ifndef CUDA_MEMORY_H
#define CUDA_MEMORY_H

#include "../objects/memory.h"
#include "../objects/sink.h"
#include "context.h"

/* The result of a driver's allocation of size bytes; call is the function's name. */
pi_result memory_allocated(CUresult code, const char *call, size_t size);

/* Copies size bytes of the host to a context's only device, and waits until they are there. */
pi_result memory_upload(pi_context member, CUdeviceptr to, const void *from, size_t size);

/* Returns whether all devices of a context have managed memory. */
bool memory_is_managed(pi_context context);

/*
 * In a context of several devices: moves a buffer or image to the device of a command that has
 * begun and will use it, unless it went there last. Left alone, a buffer's pages would move one by
 * one.
 */
pi_result memory_bring(const sink *sink, pi_mem mem);

/* Frees an image's own parts (array, objects), with the context current; in image.c. */
void image_destroy(pi_mem mem);

#endif
