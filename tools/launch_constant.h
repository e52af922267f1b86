/* Constants of specpi launch: parses --set options, and sets constants by the image's types. */
#ifndef SPECPI_TOOLS_LAUNCH_CONSTANT_H
#define SPECPI_TOOLS_LAUNCH_CONSTANT_H

#include "number.h"

#include <specpi/specpi.h>
#include <stdbool.h>

/* A constant's value, or a part of it. */
typedef struct launch_constant {
  char *name;
  bool is_part;            /* sets only the bytes at offset */
  size_t offset;           /* bytes */
  const number_type *type; /* the type in the option; NULL if it is hex or missing */
  const char *number;      /* text of a value without a type, parsed once the type is known */
  size_t size;
  unsigned char *bytes;
} launch_constant;

/*
 * Parses NAME=TYPE:VALUE, where TYPE may be hex, or NAME=VALUE. NAME may be followed by @OFFSET.
 * Returns NULL on success, else the reason, a message without a full stop that the caller frees.
 * The caller clears *ret in both cases. text must stay valid.
 */
char *launch_constant_parse(const char *text, launch_constant *ret);

/*
 * Sets a constant of an input bundle. The constant's type comes from an image of the bundle, or
 * else from another registered image. If the option names a type, it must match a type known from
 * there. Returns as launch_constant_parse.
 */
char *launch_constant_set(specpi_bundle bundle, launch_constant *constant);

void launch_constant_clear(launch_constant *constant);

#endif
