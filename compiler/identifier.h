/* Names that every compiler writes alike: letters, digits and underscores of ASCII. */
#ifndef COMPILER_IDENTIFIER_H
#define COMPILER_IDENTIFIER_H

#include <stdbool.h>
#include <string.h>

#define IDENTIFIER_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Returns whether a name has such characters alone, and at least one. */
static inline bool identifier_is_plain(const char *name) {
  return name[0] != '\0' && name[strspn(name, IDENTIFIER_LETTERS)] == '\0';
}

#endif
