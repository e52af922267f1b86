/* Memory objects: buffers, parts of them, and images. */
#ifndef PI_CUDA_MEMORY_H
#define PI_CUDA_MEMORY_H

#include "context.h"

#include <pthread.h>

typedef enum memory_kind { MEMORY_BUFFER, MEMORY_SUB_BUFFER, MEMORY_IMAGE } memory_kind;

struct pi_mem_object {
  pi_handle handle;
  pi_context context; /* a reference */
  memory_kind kind;
  pi_mem_flags flags;
  size_t size; /* bytes */
  /* A buffer, or a part of one. */
  CUdeviceptr pointer;         /* what kernels get */
  pi_mem parent;               /* of a part; a reference */
  size_t origin;               /* of a part, in the parent */
  bool is_owned;               /* pointer is freed with the object; of an image: the array */
  pi_handle *origin_of_native; /* of a native pointer that is one of ours: that one, a reference */
  /*
   * The buffer as the host sees it while it is mapped, of the same size: the application's memory
   * with PI_MEM_FLAGS_HOST_PTR_USE, else pinned memory that the first map allocates. A part uses
   * its parent's.
   */
  void *host;
  bool host_is_owned;      /* allocated by cuMemHostAlloc */
  bool host_is_registered; /* the application's, pinned by cuMemHostRegister */
  pthread_mutex_t lock;    /* of host and maps */
  struct memory_map *maps; /* what is mapped now, see enqueue_map.c */
  deferred deferred;       /* see memory_release */
  /* An image; see image.h. NULL for buffers. */
  struct cuda_image *image;
};

/*
 * A new object with one reference, of a size and kind, whose other members are 0; it keeps a
 * reference to the context. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result memory_create(pi_context context, memory_kind kind, pi_mem_flags flags, size_t size,
                        pi_mem *mem);

static inline void memory_retain(pi_mem mem) {
  pi_handle_retain(&mem->handle);
}

/*
 * Gives up a reference. With the last one what it owns is freed (deferred_free.h), for which CUDA
 * waits for the work of the device.
 */
void memory_release(pi_mem mem);

/*
 * Whether size bytes from offset on lie in a buffer (or part): PI_ERROR_INVALID_VALUE with a
 * sentence when they do not, PI_ERROR_INVALID_MEM_OBJECT for an image.
 */
pi_result memory_check_range(pi_mem buffer, size_t offset, size_t size);

/*
 * Whether a command of a queue may use the object: PI_ERROR_INVALID_CONTEXT with a sentence when it
 * is of another context.
 */
pi_result memory_check_queue(pi_mem mem, pi_queue queue);

/* Copies size bytes of the host to the device, and waits until they are there. */
pi_result memory_upload(pi_context context, CUdeviceptr to, const void *from, size_t size);

/* Forgets what is mapped, of an object that ends; in enqueue_map.c. */
void memory_forget_maps(pi_mem mem);

/* Frees an image's own parts (array, objects); in image.c, called by memory_release. */
void image_destroy(pi_mem mem);

/* The native handle of an image for piextMemGetNativeHandle; in image.c. */
pi_result image_native_handle(pi_mem mem, pi_native_handle *native_handle);

#endif
