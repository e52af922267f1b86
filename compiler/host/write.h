/* The four texts, written to an open stream. What the stream cannot take is found at its end. */
#ifndef COMPILER_HOST_WRITE_H
#define COMPILER_HOST_WRITE_H

#include "variables.h"

#include <stdio.h>

host_result write_header(unit *unit, const variables *found, FILE *to);
host_result write_footer(unit *unit, const variables *found, FILE *to);
host_result write_file(unit *unit, const variables *found, FILE *to);
host_result write_list(unit *unit, const variables *found, FILE *to);

/* Text for a comment of one line: no control characters, and no backslash, which could end it. */
const char *write_plain(unit *unit, const char *text);

#endif
