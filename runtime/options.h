/* Builds one text of the build options of images and of the caller. */
#ifndef SPECPI_OPTIONS_H
#define SPECPI_OPTIONS_H

#include "image.h"

/* The options added so far; {0} at first. */
typedef struct options {
  char *text; /* NULL until something was added */
  size_t size;
} options;

/* The options added so far, "" if none. */
const char *options_text(const options *options);

/* Adds options, after a blank; NULL and "" add nothing. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result options_add(options *options, const char *more);

/* The step that options of an image are for. */
typedef enum options_step { OPTIONS_COMPILE, OPTIONS_LINK, OPTIONS_BUILD } options_step;

/*
 * Adds the options of an image: to compile and to build, its compile options and its level of
 * optimisation as an option of the device's backend; to link and to build, its link options. Hints
 * for one kind of GPU (-ftarget-register-alloc-mode) are left out, because drivers do not accept
 * them. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result options_add_image(options *options, specpi_device device, specpi_image image,
                                options_step step);

void options_clear(options *options);

#endif
