/*
 * Bindless images: image memory, and separate handles of it (views), which kernels get as numbers.
 * Image memory is the driver's own handle; all is listed in the registry.
 */
#ifndef OBJECTS_BINDLESS_H
#define OBJECTS_BINDLESS_H

#include "../checks/image_shape.h"
#include "sampler.h"
#include "sink.h"

/* Image memory: an entry of the registry. Its number is image, or mipmap if image is NULL. */
typedef struct image_memory {
  registry_entry entry; /* its owner is the mip-map that this is a level of */
  deferred deferred;
  pi_device device; /* the root device */
  image_form form;
  unsigned levels;
  void *image;      /* the driver's; NULL when there are several levels */
  void *mipmap;     /* the driver's, destroyed instead of image; NULL without */
  bool is_external; /* over imported memory */
} image_memory;

/* Source of a view: image memory, or plain memory of the device. */
typedef struct image_source {
  pi_context context;
  pi_device device;
  image_form form;
  image_memory memory; /* levels is 0 for plain memory */
  void *pointer;       /* of plain memory */
  size_t row_pitch;    /* of that, as the application passed it */
  pi_sampler sampler;  /* NULL: without */
} image_source;

/* A view: an entry of the registry of kind REGISTRY_SAMPLED or REGISTRY_UNSAMPLED. */
typedef struct image_view {
  registry_entry entry;
  deferred deferred;
  pi_device device;
  void *image;            /* the driver's, where a view is more than its handle */
  pi_image_handle handle; /* unique among those of a device */
} image_view;

/*
 * The image memory of a handle of PI; false when it is none, or of another driver context than
 * context. context may be NULL for any.
 */
bool image_memory_find(pi_image_mem_handle handle, pi_context context, image_memory *ret);

/* New image memory, over imported memory unless that is NULL. The errors of PI's entries. */
pi_result image_memory_create(pi_context context, pi_device device, const pi_image_format *format,
                              const pi_image_desc *desc, const pi_interop_mem_handle *import,
                              pi_image_mem_handle *ret);

/* Frees memory of one level, or of several; imported memory may be either. */
pi_result image_memory_free(pi_context context, pi_image_mem_handle handle, bool has_levels);

/* The level of a mip-map, which ends with the mip-map. Asking again returns the same level. */
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

/* A view, and a memory object that describes it. sampler may be NULL. */
pi_result image_view_create(pi_context context, pi_device device, pi_image_mem_handle memory,
                            const pi_image_format *format, const pi_image_desc *desc,
                            pi_sampler sampler, pi_mem *ret_mem, pi_image_handle *ret_handle);
pi_result image_view_destroy(pi_context context, pi_device device, bool is_sampled,
                             pi_image_handle handle);

#endif
