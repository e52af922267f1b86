/* Memory objects: buffers, parts of them, and images. */
#ifndef PI_CUDA_MEMORY_H
#define PI_CUDA_MEMORY_H

#include "context.h"

typedef enum memory_kind { MEMORY_BUFFER, MEMORY_SUB_BUFFER, MEMORY_IMAGE } memory_kind;

struct pi_mem_object {
  pi_handle handle;
  pi_context context;
  memory_kind kind;
  pi_mem_flags flags;
  void *host;  /* of the application, with PI_MEM_FLAGS_HOST_PTR_USE; or of ours, see memory.c */
  size_t size; /* bytes */
  /* A buffer, or a part of one. */
  CUdeviceptr pointer;     /* what kernels get */
  pi_mem parent;           /* of a part; a reference */
  size_t origin;           /* of a part, in the parent */
  bool is_owned;           /* pointer (or array) is freed with the object */
  struct memory_map *maps; /* what is mapped now, see enqueue.c */
  /* An image; see image.h. NULL for buffers. */
  struct cuda_image *image;
};

static inline void memory_retain(pi_mem mem) {
  pi_handle_retain(&mem->handle);
}
void memory_release(pi_mem mem);

/*
 * Whether size bytes from offset on lie in a buffer (or part): PI_ERROR_INVALID_VALUE with a
 * sentence when they do not, PI_ERROR_INVALID_MEM_OBJECT for an image.
 */
pi_result memory_check_range(pi_mem buffer, size_t offset, size_t size);

/* Frees an image's own parts (array, objects); in image.c, called by memory_release. */
void image_destroy(pi_mem mem);

#endif
