/* Memory objects: buffers, parts of them, and images. */
#ifndef OBJECTS_MEMORY_H
#define OBJECTS_MEMORY_H

#include "../checks/image_shape.h"
#include "context.h"

#include <pthread.h>

typedef enum memory_kind { MEMORY_BUFFER, MEMORY_SUB_BUFFER, MEMORY_IMAGE } memory_kind;

/* A memory object. A buffer is one allocation that all devices of its context reach. */
struct pi_mem_object {
  object_head handle;
  pi_context context; /* a reference */
  memory_kind kind;
  pi_mem_flags flags;
  size_t size; /* bytes */
  /*
   * The address of a buffer or a part, or the driver's object of an image: the native handle. NULL
   * for the description of a bindless image, which has separate memory.
   */
  void *pointer;
  bool is_owned;       /* the object frees pointer */
  bool is_host_memory; /* the host can access the memory at pointer while no command does */
  pi_mem parent;       /* of a part: a reference */
  size_t origin;       /* of a part: its offset in the parent, in bytes */
  image_form form;     /* of an image */
  registry_link noted;
  pi_mem origin_of_native; /* reference to the object whose handle this one stands for; or NULL */
  /*
   * The copy of the buffer that maps show: the application's memory with PI_MEM_FLAGS_HOST_PTR_USE,
   * else memory that the first map allocates. NULL if maps show the buffer itself. A part uses its
   * parent's.
   */
  void *host;
  bool host_is_owned;
  pthread_mutex_t lock;    /* guards host and maps */
  struct memory_map *maps; /* current maps, see memory_map.c */
  deferred deferred;
  struct driver_memory driver;
};

/*
 * A new object with one reference; members for which there is no parameter are 0. It keeps a
 * reference to the context. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result memory_create(pi_context context, memory_kind kind, pi_mem_flags flags, size_t size,
                        pi_mem *ret);

/*
 * A buffer of size bytes, initially a copy of those at host_ptr unless that is NULL. The caller has
 * checked that flags and host_ptr fit together. PI_ERROR_INVALID_BUFFER_SIZE: size is 0, or too
 * large for one buffer of the context's devices. Also the driver's code if it has no memory.
 */
pi_result memory_create_buffer(pi_context context, pi_mem_flags flags, size_t size, void *host_ptr,
                               pi_mem *ret);

/* A part of a buffer. Errors of piMemBufferPartition; flags are checked. */
pi_result memory_create_part(pi_mem buffer, pi_mem_flags flags,
                             const pi_buffer_region_struct *region, pi_mem *ret);

/*
 * A buffer from the pointer native to the end of its allocation. If is_owned the buffer frees the
 * allocation, so native must be its start. PI_ERROR_INVALID_MEM_OBJECT: native is not into memory
 * of the context.
 */
pi_result memory_adopt(pi_context context, pi_native_handle native, bool is_owned, pi_mem *ret);

/*
 * Sets is_owned of a new object for its pointer. If memory_native returned the pointer for another
 * object, the new one holds a reference to that instead: the caller's if is_owned, else a new one.
 */
void memory_adopt_pointer(pi_mem mem, bool is_owned);

/* The native handle, recorded so that memory_adopt finds the object. Errors of PI's entry. */
pi_result memory_native(pi_mem mem, pi_native_handle *ret);

/* The bytes of the largest buffer that all devices of a context can have. */
pi_result memory_limit(pi_context context, size_t *ret);

/* Add or drop a reference; the last one frees the object once no command uses it. */
static inline void memory_retain(pi_mem mem) {
  object_retain(&mem->handle);
}
void memory_release(pi_mem mem);

/*
 * Checks that size bytes from offset on lie in a buffer or part. PI_ERROR_INVALID_VALUE: they leave
 * it; PI_ERROR_INVALID_MEM_OBJECT: it is an image.
 */
pi_result memory_check_range(pi_mem buffer, size_t offset, size_t size);

/*
 * The host's address of a whole buffer for maps; the first call allocates buffer->host if the
 * buffer needs it. PI_ERROR_MAP_FAILURE: the allocation failed.
 */
pi_result memory_show(pi_mem buffer, char **ret);

/* Frees the list of maps of an object at its end; in memory_map.c. */
void memory_forget_maps(pi_mem mem);

/* The answers of piMemGetInfo; answer is checked. */
pi_result memory_answer(pi_mem mem, pi_mem_info query, const info_answer *answer);

#endif
