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

/*
 * Returns whether the name that a variable has in object files can be an id: ids end in texts,
 * which have no quotes and line breaks, and in property sets, which have no '=' in names.
 */
static inline bool identifier_can_be_id(const char *name) {
  for (const char *at = name; *at != '\0'; at++)
    if ((unsigned char)*at < 0x80 && strchr(IDENTIFIER_LETTERS ".$", *at) == NULL)
      return false;
  return name[0] != '\0';
}

#endif
