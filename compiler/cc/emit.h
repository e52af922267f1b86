/* The outputs of specpi-cc. */
#ifndef SPECPI_CC_EMIT_H
#define SPECPI_CC_EMIT_H

#include "image.h"

/*
 * Makes all images and the output from them, and writes it, after the file of dependences if one is
 * wanted; temporary and depend_temporary are file_write's. false after an error, and then the
 * output is as it was.
 */
bool cc_emit_write(cc_work *work, const char *temporary, const char *depend_temporary);

/*
 * Makes an object that registers the images, in memory that the caller frees. false after an error.
 */
bool cc_emit_object(cc_work *work, void **ret, size_t *size);

/*
 * Makes the object of images that are described: one that registers them, unless a symbol is wanted
 * alone. The caller frees *ret. false after an error.
 */
bool cc_emit_wrap(const cc_options *options, const specpi_compiler_image *images, size_t count,
                  void **ret, size_t *size);

#endif
