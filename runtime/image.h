/* The object of a specpi_image. */
#ifndef SPECPI_IMAGE_H
#define SPECPI_IMAGE_H

#include "../plugins/base/digest.h"
#include "references.h"

#include <specpi/specpi.h>

/*
 * The set in which our compiler says which argument of a kernel is the buffer of constants:
 * <kernel>=1|index. Every image whose constants are in a buffer has it, be it empty.
 */
#define IMAGE_BUFFER_ARGUMENTS "specpi/buffer arguments"
/* The sets of functions that an image defines for others, and of those that it needs of others. */
#define IMAGE_EXPORTED "specpi/exported functions"
#define IMAGE_IMPORTED "specpi/imported functions"
/* Constants whose default another unit has: what stands for it in the image is no value. */
#define IMAGE_IMPORTED_CONSTANTS "specpi/imported constants"

/*
 * The content of an image. CODE: a compiler's image, IL or a binary. The others were not made by a
 * compiler for SYCL: SOURCE: text in OpenCL C; BUILT_IN: names of the driver's own kernels;
 * PROGRAM: nothing, the program came from outside and cannot be made again.
 */
typedef enum image_content {
  IMAGE_CODE,
  IMAGE_SOURCE,
  IMAGE_BUILT_IN,
  IMAGE_PROGRAM
} image_content;

/*
 * Where the code finds the values of its constants: in itself, as constants of the module or at
 * places of the PTX; or as bytes of a buffer, which the runtime fills, or the plugin. In a buffer a
 * structure or an array is one leaf, and padding stands between constants.
 */
typedef enum image_values {
  IMAGE_VALUES_IN_CODE,
  IMAGE_VALUES_IN_BUFFER,
  IMAGE_VALUES_IN_PLUGIN_BUFFER
} image_values;

struct specpi_image_object {
  const pi_device_binary_struct *binary; /* the creator's, or in memory */
  pi_device_binary_type format;
  specpi_property *properties;
  size_t property_count;
  specpi_constant *constants;
  size_t constant_count;
  image_values values;
  bool has_defaults;   /* of its constants, but for those that it imports */
  specpi_leaf *leaves; /* of all constants */
  references references;
  /* A copy that needs nothing of the creator's, made when somebody first needs it. */
  struct specpi_image_object *copy;
  /* Signatures of its kernels, read when somebody first asks for a kernel's parameters; or NULL. */
  struct signatures *signatures;
  /* In a copy: all that binary leads to, in one block, and its digest. */
  void *memory;
  digest digest;
  image_content content;
  /* The kernels' names are known when there is a program, see bundle_learn_kernels. */
  bool learns_kernels;
};

/*
 * Decodes the constants from the image's properties, which must be decoded: fills in values,
 * constants and leaves, in new memory that specpiImageRelease frees. Errors as specpiImageCreate.
 */
specpi_result image_decode_constants(struct specpi_image_object *image);

/*
 * An image with the same content that stays valid when the first one and its memory are gone: a
 * copy, made once for each image, or the image itself if it is such a copy. *ret has one reference
 * of the caller's. Any thread, while image is valid. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result image_own(specpi_image image, specpi_image *ret);

/* The message of a device's plugin after SPECPI_ERROR_NO_IMAGE, on the same thread. */
const char *image_refusal(specpi_device device);

/* Adds a reference, which specpiImageRelease gives up, and returns image. */
specpi_image image_retain(specpi_image image);

/* Returns whether it leaves the default of a constant of its own to another unit's variable. */
bool image_imports(specpi_image image, const specpi_constant *constant);

/* The place in its properties, from one on, of the next of a set; property_count after the last. */
size_t image_next_property(specpi_image image, const char *set, size_t from);

/* The argument of a kernel that gets this buffer; UINT32_MAX when the image names none. */
uint32_t image_buffer_argument(specpi_image image, const char *kernel);

#endif
