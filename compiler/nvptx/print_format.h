/* The conversions in a format of OpenCL's printf. */
#ifndef COMPILER_PRINT_FORMAT_H
#define COMPILER_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* A conversion: "%-5.2v4hlf" has the text "%-5.2", 4 elements of 32 bits each, and the kind 'f'. */
typedef struct print_conversion {
  const char *text; /* the percent sign, flags, width and precision */
  size_t length;
  unsigned stars;    /* number of arguments for the width and the precision */
  unsigned elements; /* number of elements of a vector, or 1 */
  unsigned bits;     /* the argument's bits by the length modifier; 0 if there is none */
  char kind;         /* '%' takes no argument */
} print_conversion;

/*
 * Reads the next conversion, and moves *at past it. *plain is the number of bytes before it.
 * Returns false if no conversion follows (*plain is then the rest), or if it is invalid (kind is
 * then 0).
 */
bool print_format_next(const char **at, const char *end, size_t *plain, print_conversion *ret);

#endif
