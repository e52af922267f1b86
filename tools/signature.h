/* What the kernels of an image take, as its code tells: SPIR-V's types, PTX's declarations. */
#ifndef SPECPI_TOOLS_SIGNATURE_H
#define SPECPI_TOOLS_SIGNATURE_H

#include <specpi/specpi.h>
#include <stdbool.h>
#include <stdint.h>

enum { SIGNATURE_TYPE_MAX = 160 };

/* An argument of a kernel. */
typedef struct signature_argument {
  const char *kind;              /* "value", "pointer", "local", "image", "sampler", "unknown" */
  char type[SIGNATURE_TYPE_MAX]; /* as words: "global f32*", "u64" */
  const char *element;           /* of a pointer: "f32", when it is to scalars alone; or NULL */
  uint32_t size;                 /* 0: not known, or the host's to say */
} signature_argument;

typedef struct signatures signatures;

/* Reads an image's code, which must stay. NULL when it tells nothing: of another form, damaged. */
signatures *signatures_read(specpi_image image);

/* NULL is allowed. */
void signatures_free(signatures *it);

/* How many arguments a kernel has; false when that is not known. */
bool signatures_count(const signatures *it, const char *kernel, size_t *count);

/* One of them. */
void signatures_argument(const signatures *it, const char *kernel, size_t index,
                         signature_argument *ret);

/*
 * The same count, and 0 when it was taken before: several entries of one function, and several
 * kernels of one name, do not multiply what is shown of a file.
 */
size_t signatures_take(signatures *it, const char *kernel);

#endif
