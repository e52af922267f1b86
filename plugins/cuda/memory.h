/* Memory of CUDA for the objects of ../objects/memory.h. */
#ifndef CUDA_MEMORY_H
#define CUDA_MEMORY_H

#include "../objects/memory.h"
#include "context.h"

/* The result of a driver's allocation of size bytes, by the call's name. */
pi_result memory_allocated(CUresult code, const char *call, size_t size);

/* Copies size bytes of the host to the device, and waits until they are there. */
pi_result memory_upload(pi_context context, CUdeviceptr to, const void *from, size_t size);

/* Frees an image's own parts (array, objects), with the context current; in image.c. */
void image_destroy(pi_mem mem);

#endif
