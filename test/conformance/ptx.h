/* PTX images of the tests' own making and damaging; docs/internals/ptx.md has their form. */
#ifndef CONFORMANCE_PTX_H
#define CONFORMANCE_PTX_H

#include "modules.h"

/* Text that grows; {0} is empty. The caller frees data. */
typedef struct ptx_text {
  char *data;
  size_t size;
  size_t room;
} ptx_text;

/* Appends; ends the test when there is no memory. */
void ptx_add(ptx_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends the second one, and frees it. */
void ptx_join(ptx_text *text, ptx_text *more);

/*
 * The image of a text and of the lines of its trailer but for the last one, which gets the sizes
 * and the hash that belong to it. The caller frees the image's bytes, and neither of the two.
 */
module ptx_finish(ptx_text *text, ptx_text *trailer);

/* The bytes of an image before its trailer. */
size_t ptx_text_size(module image);

/*
 * The words of the nth line of a kind ("place", or "1" for the head), from 0 on, or ends the test.
 * space has at least 128 bytes.
 */
void ptx_line(module image, const char *kind, unsigned nth, char *room);

/*
 * A copy in which that line has other words, NULL: in which it is missing. Sizes and hash are
 * right. The caller frees the bytes.
 */
module ptx_with_line(module image, const char *kind, unsigned nth, const char *words);

#endif
