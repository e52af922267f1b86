/* Names that all compilers write in the same way: ASCII letters, digits and underscores. */
#ifndef COMPILER_IDENTIFIER_H
#define COMPILER_IDENTIFIER_H

#include <stdbool.h>
#include <string.h>

#define IDENTIFIER_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Returns whether a name is not empty, and has only such characters. */
static inline bool identifier_is_plain(const char *name) {
  return name[0] != '\0' && name[strspn(name, IDENTIFIER_LETTERS)] == '\0';
}

#endif
