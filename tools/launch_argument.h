/* Arguments of specpi launch: parses --arg options into bytes. */
#ifndef SPECPI_TOOLS_LAUNCH_ARGUMENT_H
#define SPECPI_TOOLS_LAUNCH_ARGUMENT_H

#include "number.h"

#include <specpi/specpi.h>
#include <stdbool.h>

/* An argument of the kernel. */
typedef struct launch_argument {
  const char *spec; /* the option's text */
  specpi_argument_kind kind;
  const number_type *type; /* of each element; NULL for hex and local memory */
  size_t count;            /* number of elements of a buffer */
  size_t size;             /* bytes in all */
  unsigned char *bytes;    /* the value, or a buffer's content before and after the run */
  const char *file;        /* file with a buffer's content, until it is loaded; or NULL */
  specpi_buffer buffer;
} launch_argument;

/*
 * Reads a SPEC:
 *   TYPE=NUMBER  hex=DIGITS                by value
 *   TYPE[COUNT]=iota | zero | @FILE | NUMBER,NUMBER...    a buffer
 *   local:BYTES                            memory of each work-group
 *
 * Returns NULL on success, else the reason, a message without a full stop that the caller frees.
 * The caller clears *ret in both cases. spec must stay valid.
 */
char *launch_argument_parse(const char *spec, launch_argument *ret);

/* Reads the argument's file, if it has one. Returns as launch_argument_parse. */
char *launch_argument_load(launch_argument *argument);

void launch_argument_clear(launch_argument *argument);

#endif
