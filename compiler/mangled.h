/* Names of functions, as the C++ ABI mangles them. */
#ifndef COMPILER_MANGLED_H
#define COMPILER_MANGLED_H

#include "../plugins/base/digits.h"

/*
 * Returns the name within a mangled one without a namespace, _Z<length><name>..., and its length.
 * Returns NULL for other names.
 */
static inline const char *mangled_name(const char *mangled, size_t *length) {
  uint64_t number;
  const char *at = mangled + 2;
  if (strncmp(mangled, "_Z", 2) != 0 || !digits_read(&at, NULL, SIZE_MAX, &number) || number == 0 ||
      number > strlen(at))
    return NULL;
  *length = (size_t)number;
  return at;
}

#endif
