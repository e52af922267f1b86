/*
 * Bindless images: image memory, and views of it, whose handles kernels receive as numbers. PI's
 * handle of image memory is the driver's own. The registry lists memory and views.
 */
#ifndef OBJECTS_BINDLESS_H
#define OBJECTS_BINDLESS_H

#include "../checks/image_shape.h"
#include "sampler.h"
#include "sink.h"

/*
 * Image memory, an entry of the registry. The entry's number is image, or mipmap if that is NULL.
 */
typedef struct image_memory {
  registry_entry entry; /* entry.owner of a level: its mip-map */
  deferred deferred;
  pi_device device; /* the root device */
  image_form form;
  unsigned levels;
  void *image;      /* the driver's object; NULL if there are several levels */
  void *mipmap;     /* the driver's object, to destroy instead of image; or NULL */
  bool is_external; /* lies in imported memory */
} image_memory;

/* Source of a view: image memory, or plain memory of the device. */
typedef struct image_source {
  pi_context context;
  pi_device device;
  image_form form;
  image_memory memory; /* for plain memory, levels is 0 */
  void *pointer;       /* plain memory */
  size_t row_pitch;    /* of plain memory, in bytes, as the application passed it */
  pi_sampler sampler;  /* of a sampled view, else NULL */
} image_source;

/* A view, an entry of the registry of kind REGISTRY_SAMPLED or REGISTRY_UNSAMPLED. */
typedef struct image_view {
  registry_entry entry;
  deferred deferred;
  pi_device device;
  void *image;            /* the driver's object, for drivers that have one beside the handle */
  pi_image_handle handle; /* unique on the device */
} image_view;

/*
 * Copies the image memory with that handle to *ret. Returns false if there is none, or if it is of
 * another context of the driver; a NULL context allows any.
 */
bool image_memory_find(pi_image_mem_handle handle, pi_context context, image_memory *ret);

/* New image memory, in imported memory unless import is NULL. Errors as PI's entries. */
pi_result image_memory_create(pi_context context, pi_device device, const pi_image_format *format,
                              const pi_image_desc *desc, const pi_interop_mem_handle *import,
                              pi_image_mem_handle *ret);

/*
 * Frees image memory. has_levels: the caller expects several levels, which is checked except for
 * imported memory.
 */
pi_result image_memory_free(pi_context context, pi_image_mem_handle handle, bool has_levels);

/* A level of a mip-map, which is freed with it. The same level has the same handle each time. */
pi_result image_memory_level(pi_context context, pi_image_mem_handle mipmap, unsigned level,
                             pi_image_mem_handle *ret);

/* The answers of piextMemImageGetInfo. */
pi_result image_memory_answer(pi_image_mem_handle handle, pi_image_info query,
                              const info_answer *answer);

/* The whole command of piextMemImageCopy. */
pi_result image_memory_copy(sink *sink, const void *to, const void *from,
                            const pi_image_format *format, const pi_image_desc *desc,
                            pi_image_copy_flags flags, pi_image_offset from_offset,
                            pi_image_offset to_offset, pi_image_region extent,
                            pi_image_region host_extent);

/* Makes a view and a memory object that describes it. sampler is NULL for an unsampled view. */
pi_result image_view_create(pi_context context, pi_device device, pi_image_mem_handle memory,
                            const pi_image_format *format, const pi_image_desc *desc,
                            pi_sampler sampler, pi_mem *ret_mem, pi_image_handle *ret_handle);
pi_result image_view_destroy(pi_context context, pi_device device, bool is_sampled,
                             pi_image_handle handle);

#endif
