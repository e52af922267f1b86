/* Text in which something else takes the place of some parts. */
#ifndef COMPILER_SPLICE_H
#define COMPILER_SPLICE_H

#include <stddef.h>

/*
 * Writes what takes the place of a part, which starts at a mark, into capacity bytes, and sets
 * *length. Returns the part's end; NULL leaves the text as it is.
 */
typedef const char *splice_part(const char *at, char *to, size_t capacity, size_t *length);

/*
 * Copies text, with a 0 after its size, with other parts in place of those that start
 * at a mark. A part gets longer by growth bytes at most. The caller frees the copy. NULL: memory.
 */
char *splice_text(const char *text, size_t size, const char *mark, size_t growth, splice_part *part,
                  size_t *ret_size);

#endif
