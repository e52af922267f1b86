/* Replacement of parts of a text. */
#ifndef COMPILER_SPLICE_H
#define COMPILER_SPLICE_H

#include <stddef.h>

/*
 * Writes the replacement of the part that starts at a mark into to, which has capacity bytes, and
 * sets *length. Returns the part's end, or NULL to leave the text as it is.
 */
typedef const char *splice_part(const char *at, char *to, size_t capacity, size_t *length);

/*
 * Copies text, which ends with a NUL after size bytes, and calls part to replace each part that
 * starts with mark. A replacement is at most growth bytes longer than its part. The caller frees
 * the copy. Returns NULL when memory is exhausted.
 */
char *splice_text(const char *text, size_t size, const char *mark, size_t growth, splice_part *part,
                  size_t *ret_size);

#endif
