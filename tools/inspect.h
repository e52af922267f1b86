/* The parts of specpi inspect. */
#ifndef SPECPI_TOOLS_INSPECT_H
#define SPECPI_TOOLS_INSPECT_H

#include "../runtime/scalar_types.h"
#include "../runtime/signature.h"

#include <jansson.h>
#include <specpi/specpi.h>
#include <stdbool.h>
#include <stdio.h>

/* The image's list of a kernel's removed arguments. */
typedef struct inspect_arguments {
  const specpi_property *property;
  bool is_shown;
} inspect_arguments;

/* The lists of an image, in memory that inspect_lists_free frees. */
typedef struct inspect_lists {
  const char **kernels;
  size_t kernel_count;
  specpi_constant *constants;
  size_t constant_count;
  specpi_property *properties;
  size_t property_count;
  inspect_arguments *arguments; /* by the kernel's name, of which each is there once */
  size_t argument_count;
  signatures *signatures; /* NULL where the code does not tell */
  scalar_types *types;    /* of the constants; NULL when the image has none, or is not SPIR-V */
} inspect_lists;

inspect_lists inspect_lists_of(specpi_image image);
void inspect_lists_free(inspect_lists *lists);

/*
 * Returns the image's property about a kernel's arguments; NULL when there is none, or when it was
 * returned before: several kernels of one name, which no compiler makes, do not multiply it.
 */
const specpi_property *inspect_arguments_of(const inspect_lists *lists, const char *kernel);

/* Returns whether the compiler removed an argument, which is less than removed->bits. */
bool inspect_is_removed(const specpi_property *removed, uint64_t argument);

/*
 * The arguments of a kernel that its code tells, each once, as signatures_take; number is by what
 * the source has, where removed tells which ones the compiler removed. removed may be NULL.
 */
void inspect_signature(
    const inspect_lists *lists, const char *kernel, const specpi_property *removed,
    void (*visit)(void *context, uint64_t number, const specpi_parameter *argument), void *context);

/* Returns whether a property belongs to the constants, which are shown in another way. */
bool inspect_is_of_constants(const specpi_property *property);

/*
 * The type of a constant: that of its scalar or, in braces and separated by commas, of each
 * of them; "?" for a scalar whose type is not known. NULL when none is. The caller frees it.
 */
char *inspect_type(const specpi_constant *constant, const scalar_types *types);

/*
 * Finds out what the bytes are where the format does not say it: "PTX 7.0 for sm_80" or "a cubin
 * for sm_90", and ending, which a file of them has; false for others.
 */
bool inspect_code(specpi_image image, char *text, size_t size, const char **ending);

/* A text of the file, which may hold anything: bytes that a terminal could act on become "?". */
void inspect_put_text(FILE *out, const char *text, size_t size);

/*
 * Calls visit with each libsycl, and libspecpi, that takes images in structures of these versions,
 * as inspect_item has them; with each backend that runs code for a target. What is not known is not
 * named: versions before 2, targets that nobody here runs.
 */
void inspect_runtimes(unsigned versions, void (*visit)(void *context, const char *name),
                      void *context);
void inspect_backends(specpi_image image, void (*visit)(void *context, const char *name),
                      void *context);

/* One image as text, several lines. */
void inspect_print(FILE *out, size_t index, specpi_image image, unsigned versions);

/* One image as a JSON object. */
json_t *inspect_json(specpi_image image, unsigned versions);

/*
 * Writes the bytes of an image into a new file of a directory: image-0012.spv is number 12. An
 * existing file is an error. false after a message. directory is a descriptor, name its name.
 */
bool inspect_extract(int directory, const char *name, size_t index, specpi_image image);

#endif
