/* Signatures of an image's kernels, as its SPIR-V or PTX declares them. */
#ifndef SPECPI_SIGNATURE_H
#define SPECPI_SIGNATURE_H

#include <specpi/specpi.h>

typedef struct signatures signatures;

/*
 * Reads an image's code, which must stay valid. *ret is NULL if the code is damaged or of another
 * format. False if memory is exhausted.
 */
bool signatures_read(specpi_image image, signatures **ret);

/* NULL is allowed. */
void signatures_free(signatures *signatures);

/* Counts the parameters of a kernel in the code; false if their number is unknown. */
bool signatures_count(const signatures *signatures, const char *kernel, size_t *count);

/* Describes one of these parameters. */
void signatures_describe(const signatures *signatures, const char *kernel, size_t index,
                         specpi_parameter *ret);

/*
 * Returns the same count the first time, and 0 later. So several entries of a function, or several
 * kernels of the same name, do not multiply the output for a file.
 */
size_t signatures_take(signatures *signatures, const char *kernel);

#endif
