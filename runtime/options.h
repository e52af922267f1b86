/* Build options: those of images and those of the caller in one text. */
#ifndef SPECPI_OPTIONS_H
#define SPECPI_OPTIONS_H

#include "image.h"

/* Options under construction; {0} at first. */
typedef struct options {
  char *text; /* NULL until something was added */
  size_t size;
} options;

/* The options added so far, "" if none. */
const char *options_text(const options *options);

/* Adds options, after a blank; NULL and "" add nothing. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result options_add(options *options, const char *more);

/* Which options of an image count. */
typedef enum options_step { OPTIONS_COMPILE, OPTIONS_LINK, OPTIONS_BUILD } options_step;

/*
 * Adds those of an image: for a compile and a build its compile options, and its level of
 * optimisation in the words of the device's backend; for a link and a build its link options.
 * Hints for one kind of GPU (-ftarget-register-alloc-mode) are left out, as the drivers do not
 * take them. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result options_add_image(options *options, specpi_device device, specpi_image image,
                                options_step step);

void options_clear(options *options);

#endif
