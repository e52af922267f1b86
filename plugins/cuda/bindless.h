/*
 * Bindless images: image memory apart from its handles, and handles (surfaces, textures) that
 * kernels get as numbers. All are CUDA's own handles, listed in the registry.
 */
#ifndef PI_CUDA_BINDLESS_H
#define PI_CUDA_BINDLESS_H

#include "../objects/registry.h"
#include "context.h"
#include "image_shape.h"

/* Image memory: an entry of the registry whose number is array or mipmap. */
typedef struct image_memory {
  registry_entry entry; /* its owner is the mip-map that this is a level of */
  pi_image_format format;
  image_pixel pixel;
  image_shape shape;
  unsigned levels;
  CUarray array;           /* NULL when there are several levels */
  CUmipmappedArray mipmap; /* what is destroyed instead of array; NULL without */
  bool is_external;        /* over imported memory */
} image_memory;

/*
 * The image memory behind a handle of PI; false when it is none, or of another CUDA context than
 * the given one's. context may be NULL for any.
 */
bool image_memory_find(pi_image_mem_handle handle, pi_context context, image_memory *ret);

/*
 * Reads what image memory is made of, and leaves array and mipmap NULL. Errors as of
 * image_pixel_read and image_shape_read; PI_ERROR_INVALID_IMAGE_DESCRIPTOR: more levels than the
 * sizes can have.
 */
pi_result image_memory_read(pi_device device, const pi_image_format *format,
                            const pi_image_desc *desc, image_memory *ret);

/*
 * Lists a copy of *memory, which was just made, with a reference to the context; a level that is
 * listed already stays as it is. owner is the mip-map of a level, otherwise 0.
 * PI_ERROR_OUT_OF_HOST_MEMORY; the caller then destroys it.
 */
pi_result image_memory_list(pi_context context, const image_memory *memory, uint64_t owner,
                            pi_image_mem_handle *ret);

#endif
