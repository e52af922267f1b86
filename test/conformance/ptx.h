/* Makes and damages PTX images, whose format is in docs/internals/ptx.md. */
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

/* Appends `more` to text, and frees `more`. */
void ptx_join(ptx_text *text, ptx_text *more);

/*
 * Makes an image from a text and from its trailer without the last line. Computes the last line,
 * with sizes and hash. Takes over the memory of both; the caller frees the image's bytes.
 */
module ptx_finish(ptx_text *text, ptx_text *trailer);

/* Number of bytes before the image's trailer. */
size_t ptx_text_size(module image);

/*
 * Copies the words of the nth line of a kind ("place", or "1" for the head), counted from 0, to
 * text, which has at least 128 bytes. Ends the test if there is no such line.
 */
void ptx_line(module image, const char *kind, unsigned nth, char *text);

/*
 * Copies the image with other words in that line, or without the line for NULL, and with the right
 * sizes and hash. The caller frees the bytes.
 */
module ptx_with_line(module image, const char *kind, unsigned nth, const char *words);

#endif
