/* Constants of specpi launch, which are set by the types that the image has for them. */
#ifndef SPECPI_TOOLS_LAUNCH_CONSTANT_H
#define SPECPI_TOOLS_LAUNCH_CONSTANT_H

#include "number.h"

#include <specpi/specpi.h>
#include <stdbool.h>

/* A constant's value, or a part of it. */
typedef struct launch_constant {
  char *name;
  bool is_part;            /* only the bytes at offset are meant */
  size_t offset;           /* bytes */
  const number_type *type; /* as it was given; NULL: hex, or none */
  const char *number;      /* without a type: read when the image's type is known */
  size_t size;
  unsigned char *bytes;
} launch_constant;

/*
 * Reads NAME=TYPE:VALUE, where TYPE may be hex, or NAME=VALUE; NAME may be NAME@OFFSET. NULL on
 * success, else why not, as a message without a full stop that the caller frees. The caller clears
 * *ret either way. text must stay.
 */
char *launch_constant_parse(const char *text, launch_constant *ret);

/*
 * Sets a constant of an input bundle. A type has to be that of the scalar which is meant, where an
 * image of the bundle, or another one that is registered, tells it; without one it is what they
 * tell. Results as above.
 */
char *launch_constant_set(specpi_bundle bundle, launch_constant *constant);

void launch_constant_clear(launch_constant *constant);

#endif
