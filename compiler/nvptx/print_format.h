/* The conversions in a format of OpenCL's printf. */
#ifndef COMPILER_PRINT_FORMAT_H
#define COMPILER_PRINT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

/* One conversion: "%-5.2v4hlf" is the text "%-5.2", of 4 elements of 32 bits each, of kind 'f'. */
typedef struct print_conversion {
  const char *text; /* the percent sign, flags, width and precision */
  size_t length;
  unsigned stars;    /* arguments that are the width or the precision */
  unsigned elements; /* of a vector, or 1 */
  unsigned bits;     /* that the length says the argument has, 0: nothing */
  char kind;         /* '%' takes no argument */
} print_conversion;

/*
 * Reads from *at to after the next conversion. *plain is how many bytes stand before it. False:
 * there is none any more, all that is left is plain; or it is none that printf has, and kind is 0.
 */
bool print_format_next(const char **at, const char *end, size_t *plain, print_conversion *ret);

#endif
