/* The parts of specpi inspect. */
#ifndef SPECPI_TOOLS_INSPECT_H
#define SPECPI_TOOLS_INSPECT_H

#include "../runtime/scalar_types.h"
#include "../runtime/signature.h"

#include <jansson.h>
#include <specpi/specpi.h>
#include <stdbool.h>
#include <stdio.h>

/* The property of an image that tells which arguments of a kernel the compiler removed. */
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
  inspect_arguments *arguments; /* sorted by kernel name, one per name */
  size_t argument_count;
  signatures *signatures; /* NULL if the code has no signatures */
  scalar_types *types;    /* of the constants; NULL without constants or if not SPIR-V */
} inspect_lists;

inspect_lists inspect_lists_of(specpi_image image);
void inspect_lists_free(inspect_lists *lists);

/*
 * Returns the property about a kernel's removed arguments, or NULL if there is none. It returns
 * each property once: a damaged file may list a kernel many times, and each time would print it.
 */
const specpi_property *inspect_arguments_of(const inspect_lists *lists, const char *kernel);

/* Returns whether the compiler removed an argument. The index must be below removed->bits. */
bool inspect_is_removed(const specpi_property *removed, uint64_t argument);

/*
 * Visits the arguments that a kernel has in its code. number is the argument's index in the source
 * if removed, which may be NULL, tells which arguments the compiler removed. As with
 * signatures_take, a second call for the same kernel visits nothing.
 */
void inspect_signature(
    const inspect_lists *lists, const char *kernel, const specpi_property *removed,
    void (*visit)(void *context, uint64_t number, const specpi_parameter *argument), void *context);

/* Returns whether a property describes constants, which are shown as constants instead. */
bool inspect_is_of_constants(const specpi_property *property);

/*
 * Returns a constant's type: its scalar's, or a list in braces of its scalars' types, like
 * "{i32, ?}", where "?" is an unknown type. NULL if all are unknown. The caller frees it.
 */
char *inspect_type(const specpi_constant *constant, const scalar_types *types);

/*
 * Recognizes code by its bytes. text receives a description like "PTX 7.0 for sm_80" or "a cubin
 * for sm_90", *ending the usual ending of such a file's name. Returns false for other bytes.
 */
bool inspect_code(specpi_image image, char *text, size_t size, const char **ending);

/* Prints a string of the file. Bytes that a terminal could interpret become "?". */
void inspect_put_text(FILE *out, const char *text, size_t size);

/*
 * inspect_runtimes calls visit for libspecpi and each libsycl that reads image structures of these
 * versions (see inspect_item). inspect_backends calls it for each backend that runs the image's
 * code. Versions before 2 and unknown targets get no call.
 */
void inspect_runtimes(unsigned versions, void (*visit)(void *context, const char *name),
                      void *context);
void inspect_backends(specpi_image image, void (*visit)(void *context, const char *name),
                      void *context);

/* Prints one image as several lines of text. */
void inspect_print(FILE *out, size_t index, specpi_image image, unsigned versions);

/* Returns one image as a JSON object. */
json_t *inspect_json(specpi_image image, unsigned versions);

/*
 * Writes an image's bytes into a new file of a directory, like image-0012.spv for index 12. An
 * existing file is an error. directory is a descriptor, and name is its path, for messages. Returns
 * false after it printed a message.
 */
bool inspect_extract(int directory, const char *name, size_t index, specpi_image image);

#endif
