/* The command line of both programs. */
#ifndef SPECPI_EXAMPLES_OPTIONS_H
#define SPECPI_EXAMPLES_OPTIONS_H

#include "picture.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct options {
  const char *directory; /* --output: where the pictures go, "." by default */
  const char *times;     /* --times FILE: the chart of times for bench-chart, or NULL */
  unsigned rounds;       /* --rounds N: how often each kernel is measured */
  const char *picture;   /* the PNG file, or NULL: the picture that picture_draw makes */
} options;

/* Reads argv. On --help, and on what it cannot read, it prints usage and ends the program. */
options options_read(int argc, char **argv, const char *usage);

/* The picture that the options name, or the drawn one. False with a message on stderr. */
bool options_picture(const options *all, picture *ret);

/*
 * Writes DIRECTORY/picture.png, and DIRECTORY/LIBRARY-radius-RADIUS.png. False with a message on
 * stderr.
 */
bool options_write_source(const options *all, const picture *picture);
bool options_write(const options *all, const char *library, int radius, const picture *picture);

#ifdef __cplusplus
}
#endif

#endif
