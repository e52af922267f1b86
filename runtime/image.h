/* The object of a specpi_image. */
#ifndef SPECPI_IMAGE_H
#define SPECPI_IMAGE_H

#include "../plugins/base/digest.h"
#include "references.h"

#include <specpi/specpi.h>

/*
 * The set in which our compiler records the argument of each kernel that is the buffer of
 * constants: <kernel>=1|index. Every image that reads constants from a buffer has it; it may be
 * empty.
 */
#define IMAGE_BUFFER_ARGUMENTS "specpi/buffer arguments"
/* The sets of functions that an image defines for other images, and that it needs from them. */
#define IMAGE_EXPORTED "specpi/exported functions"
#define IMAGE_IMPORTED "specpi/imported functions"
/* The set of constants whose default is in another unit; the bytes in the image have no meaning. */
#define IMAGE_IMPORTED_CONSTANTS "specpi/imported constants"

/*
 * The content of an image. CODE: a compiler's image, IL or a binary. SOURCE: text in OpenCL C.
 * BUILT_IN: names of the driver's own kernels. PROGRAM: nothing, because the program was imported
 * and cannot be made again.
 */
typedef enum image_content {
  IMAGE_CODE,
  IMAGE_SOURCE,
  IMAGE_BUILT_IN,
  IMAGE_PROGRAM
} image_content;

/*
 * The place of constants' values: in the code, as constants of the SPIR-V module or at places of
 * the PTX; or in a buffer that the runtime or the plugin fills. In a buffer a structure or an array
 * is one leaf, and padding lies between constants.
 */
typedef enum image_values {
  IMAGE_VALUES_IN_CODE,
  IMAGE_VALUES_IN_BUFFER,
  IMAGE_VALUES_IN_PLUGIN_BUFFER
} image_values;

struct specpi_image_object {
  const pi_device_binary_struct *binary; /* owned by the creator; in a copy part of memory */
  pi_device_binary_type format;
  specpi_property *properties;
  size_t property_count;
  specpi_constant *constants;
  size_t constant_count;
  image_values values;
  bool has_defaults;   /* of all constants but the imported ones */
  specpi_leaf *leaves; /* the leaves of all constants */
  references references;
  /* A copy that does not depend on the creator's memory, made when it is first needed; or NULL. */
  struct specpi_image_object *copy;
  /* The kernels' signatures, read at the first query of a kernel's parameters; or NULL. */
  struct signatures *signatures;
  /* In a copy: one block with binary and all that it points to, and its digest. */
  void *memory;
  digest digest;
  image_content content;
  /* The kernels' names are known only from a built program, see bundle_learn_kernels. */
  bool learns_kernels;
};

/*
 * Decodes the constants from the image's properties, which must be decoded: fills in values,
 * constants and leaves, in new memory that specpiImageRelease frees. Errors as specpiImageCreate.
 */
specpi_result image_decode_constants(struct specpi_image_object *image);

/*
 * Returns an image with the same content that does not depend on the first one or its memory: a
 * copy, made once for each image, or the image itself if it is such a copy. The caller gets a
 * reference. Any thread may call it while image is valid. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result image_own(specpi_image image, specpi_image *ret);

/* The message of a device's plugin after SPECPI_ERROR_NO_IMAGE. Call it on the same thread. */
const char *image_refusal(specpi_device device);

/* Adds a reference, which specpiImageRelease gives up, and returns image. */
specpi_image image_retain(specpi_image image);

/* Returns whether the image takes a constant's default from another unit's variable. */
bool image_imports(specpi_image image, const specpi_constant *constant);

/* The index of the next property of a set, from index from on; property_count if there is none. */
size_t image_next_property(specpi_image image, const char *set, size_t from);

/*
 * The index of a kernel's argument for the buffer of constants; UINT32_MAX: the image names none.
 */
uint32_t image_buffer_argument(specpi_image image, const char *kernel);

#endif
