/*
 * Names in PTX, which allows fewer names than SPIR-V and LLVM. The code generator renames what PTX
 * does not allow; a search for a variable must use the new name.
 */
#ifndef CODE_PTX_NAME_H
#define CODE_PTX_NAME_H

#include <stdbool.h>
#include <string.h>

#define PTX_NAME_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define PTX_NAME_CHARACTERS PTX_NAME_LETTERS "0123456789_$"

/* Returns whether a name is an identifier of PTX (PTX ISA, "Identifiers"). */
static inline bool ptx_name_is_identifier(const char *name) {
  const bool letter = name[0] != '\0' && strchr(PTX_NAME_LETTERS, name[0]) != NULL;
  const bool other = (name[0] == '_' || name[0] == '$') && name[1] != '\0';
  return (letter || other) && name[1 + strspn(name + 1, PTX_NAME_CHARACTERS)] == '\0';
}

/* Makes a valid name from any name. ret has space for strlen(name) + 2 bytes. */
static inline void ptx_name_make(const char *name, char *ret) {
  const size_t length = strlen(name);
  ret[0] = '_';
  memcpy(ret + 1, name, length + 1);
  for (size_t at = strspn(ret, PTX_NAME_CHARACTERS); at <= length;
       at += strspn(ret + at, PTX_NAME_CHARACTERS))
    ret[at] = '_';
}

#endif
