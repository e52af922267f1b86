/* Memory objects: buffers, parts of them, and images. */
#ifndef PI_LEVEL_ZERO_MEMORY_H
#define PI_LEVEL_ZERO_MEMORY_H

#include "context.h"
#include "../objects/deferred_free.h"

#include <pthread.h>

typedef enum memory_kind { MEMORY_BUFFER, MEMORY_SUB_BUFFER, MEMORY_IMAGE } memory_kind;

/*
 * A buffer is one allocation that all devices of its context reach: memory of the host on
 * integrated devices and in a context whose root devices cannot reach each other's memory, else
 * memory of the (first) device.
 */
struct pi_mem_object {
  pi_handle handle;
  pi_context context; /* a reference */
  memory_kind kind;
  pi_mem_flags flags;
  size_t size; /* bytes */
  /* A buffer, or a part of one. */
  void *pointer;       /* what kernels get */
  bool is_host_memory; /* the host can read and write there, when no command does */
  bool is_owned;       /* pointer is freed with the object; of an image: the image */
  pi_mem parent;       /* of a part; a reference */
  size_t origin;       /* of a part, in the parent */
  void *host;          /* the application's memory (PI_MEM_FLAGS_HOST_PTR_USE), or that of maps */
  bool host_is_owned;
  pthread_mutex_t lock;    /* of host and maps */
  struct memory_map *maps; /* what is mapped now, see enqueue_map.c */
  deferred deferred;         /* see memory_release */
  pi_mem origin_of_native; /* of a native pointer that is one of ours: that one, a reference */
  bool is_given;           /* its pointer was given away: it is in the context's list */
  pi_mem next_given;
  /* An image; see image.h. NULL for buffers. */
  struct level_zero_image *image;
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
 * Gives up a reference. With the last one what it owns is freed (deferred_free.h)
 * when no command that could use it is pending any more. Never waits.
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

/*
 * Copies size bytes between memory of the context and of the host, in either direction, and waits
 * until they are there. It is in no queue, so it waits for no command.
 */
pi_result memory_upload(pi_context context, void *to, const void *from, size_t size);

/* Gives a buffer memory of the host for its maps. Its lock is held, or nobody else has it yet. */
pi_result memory_allocate_host(pi_mem mem);

/* Forgets what is mapped, of an object that ends; in enqueue_map.c. */
void memory_forget_maps(pi_mem mem);

/* Notes that an object's pointer was given away; of an image, which has none, it is the handle. */
void memory_note_given(pi_mem mem);

/*
 * The object whose pointer that is, of several the latest, with a reference: the one that comes
 * with the handle if is_owned, a new one otherwise. NULL when there is none.
 */
pi_mem memory_find_given(pi_context context, const void *pointer, bool is_owned);

/* Takes an object that ends out of the list of those whose pointer was given away. */
void memory_forget_native(pi_mem mem);

/* Frees an image's own parts; in image.c, called by memory_release. */
void image_destroy(pi_mem mem);

/* The native handle of an image for piextMemGetNativeHandle; in image.c. */
pi_result image_native_handle(pi_mem mem, pi_native_handle *native_handle);

#endif
