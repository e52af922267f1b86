/* Memory objects: buffers, parts of them, and images. */
#ifndef OBJECTS_MEMORY_H
#define OBJECTS_MEMORY_H

#include "../checks/image_shape.h"
#include "context.h"

#include <pthread.h>

typedef enum memory_kind { MEMORY_BUFFER, MEMORY_SUB_BUFFER, MEMORY_IMAGE } memory_kind;

/* A buffer is one allocation that all devices of its context reach. */
struct pi_mem_object {
  object_head handle;
  pi_context context; /* a reference */
  memory_kind kind;
  pi_mem_flags flags;
  size_t size; /* bytes */
  /*
   * The address that kernels get for a buffer or a part. For an image the driver's object, which is
   * known by its native handle; NULL for the description of a bindless image, whose memory is
   * separate.
   */
  void *pointer;
  bool is_owned;       /* pointer is freed with the object */
  bool is_host_memory; /* the host can read and write there, when no command does */
  pi_mem parent;       /* of a part; a reference */
  size_t origin;       /* of a part, in the parent */
  image_form form;     /* of an image */
  registry_link noted;
  pi_mem
      origin_of_native; /* the object of ours whose native handle this is made from, a reference */
  /*
   * The buffer's copy that the host sees while it is mapped: the application's memory with
   * PI_MEM_FLAGS_HOST_PTR_USE, else memory that the first map allocates, or NULL where the buffer
   * itself is shown. A part uses its parent's.
   */
  void *host;
  bool host_is_owned;
  pthread_mutex_t lock;    /* guards host and maps */
  struct memory_map *maps; /* current maps, see memory_map.c */
  deferred deferred;
  struct driver_memory driver;
};

/*
 * A new object with one reference, of a size and kind, whose other members are 0; keeps a reference
 * to the context. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result memory_create(pi_context context, memory_kind kind, pi_mem_flags flags, size_t size,
                        pi_mem *ret);

/*
 * A buffer of a size, which begins with a copy of that many bytes from host_ptr unless that is
 * NULL. Flags and host_ptr belong together. PI_ERROR_INVALID_BUFFER_SIZE: 0, or more than the
 * context's devices have in one piece; the driver's code when it has no memory.
 */
pi_result memory_create_buffer(pi_context context, pi_mem_flags flags, size_t size, void *host_ptr,
                               pi_mem *ret);

/* A part of a buffer. Errors as piMemBufferPartition; flags are checked. */
pi_result memory_create_part(pi_mem buffer, pi_mem_flags flags,
                             const pi_buffer_region_struct *region, pi_mem *ret);

/*
 * A buffer from a pointer of the driver's to the end of its allocation. With ownership the
 * allocation is freed with the buffer, so the pointer is its start. PI_ERROR_INVALID_MEM_OBJECT: it
 * is not of the context.
 */
pi_result memory_adopt(pi_context context, pi_native_handle native, bool is_owned, pi_mem *ret);

/*
 * Makes a new object stand for its pointer. If the pointer is that of an object of ours, the new
 * one holds a reference to it: with ownership the caller's, else its own.
 */
void memory_adopt_pointer(pi_mem mem, bool is_owned);

/* The object's native handle, which stands for it when it comes back. Codes as for PI's entry. */
pi_result memory_native(pi_mem mem, pi_native_handle *ret);

/* Add or drop a reference; the last one frees the object when no command uses it. */
static inline void memory_retain(pi_mem mem) {
  object_retain(&mem->handle);
}
void memory_release(pi_mem mem);

/*
 * Checks that size bytes from offset on lie in a buffer (or part): PI_ERROR_INVALID_VALUE with a
 * message when they do not, PI_ERROR_INVALID_MEM_OBJECT for an image.
 */
pi_result memory_check_range(pi_mem buffer, size_t offset, size_t size);

/*
 * The host's address of a whole mapped buffer; the first call makes that memory.
 * PI_ERROR_MAP_FAILURE: there is none.
 */
pi_result memory_show(pi_mem buffer, char **ret);

/* Forgets all maps of an object that ends; in memory_map.c. */
void memory_forget_maps(pi_mem mem);

/* The answers of piMemGetInfo; answer is checked. */
pi_result memory_answer(pi_mem mem, pi_mem_info query, const info_answer *answer);

#endif
