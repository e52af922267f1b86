/* The command line of both programs. */
#ifndef SPECPI_EXAMPLES_OPTIONS_H
#define SPECPI_EXAMPLES_OPTIONS_H

#include "picture.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct options {
  const char *directory; /* --output: the directory for pictures, "." by default */
  const char *times;     /* --times FILE: the chart of times for bench-chart, or NULL */
  unsigned rounds;       /* --rounds N: number of measurements of each kernel */
  const char *picture;   /* the PNG file to filter; NULL: the picture of picture_draw */
} options;

/* Reads argv. Ends the program after --help and after invalid options. */
options options_read(int argc, char **argv, const char *usage);

/* Reads the picture that the options name, or draws one. False with a message on stderr. */
bool options_picture(const options *all, picture *ret);

/*
 * Write DIRECTORY/picture.png, and DIRECTORY/LIBRARY-radius-RADIUS.png. False with a message on
 * stderr.
 */
bool options_write_source(const options *all, const picture *picture);
bool options_write(const options *all, const char *library, int radius, const picture *picture);

#ifdef __cplusplus
}
#endif

#endif
