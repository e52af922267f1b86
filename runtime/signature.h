/* Signatures of an image's kernels, as its code declares them: SPIR-V's types, PTX's words. */
#ifndef SPECPI_SIGNATURE_H
#define SPECPI_SIGNATURE_H

#include <specpi/specpi.h>

typedef struct signatures signatures;

/*
 * Reads an image's code, which must stay. *ret is NULL when it tells nothing: of another form,
 * damaged. False without memory.
 */
bool signatures_read(specpi_image image, signatures **ret);

/* NULL is allowed. */
void signatures_free(signatures *signatures);

/* Returns how many parameters a kernel has in the code; false when that is not known. */
bool signatures_count(const signatures *signatures, const char *kernel, size_t *count);

/* Describes one of them. */
void signatures_describe(const signatures *signatures, const char *kernel, size_t index,
                         specpi_parameter *ret);

/*
 * The same count, and 0 when it was taken before: several entries of one function, and several
 * kernels of one name, do not multiply what is shown of a file.
 */
size_t signatures_take(signatures *signatures, const char *kernel);

#endif
