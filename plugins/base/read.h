/* Reads whole files. */
#ifndef BASE_READ_H
#define BASE_READ_H

#include "vector.h"

#include <stdio.h>

/*
 * Returns the bytes of a file, which may be a pipe, and a NUL after them. The caller frees them.
 * *size receives their number without the NUL; size may be NULL. Returns NULL with errno on
 * failure.
 */
static inline char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rbe");
  if (file == NULL)
    return NULL;
  VECTOR(char) bytes = {0};
  bool fits;
  while ((fits = VECTOR_EXTEND(&bytes, 65536)) && !feof(file) && !ferror(file))
    bytes.count += fread(bytes.items + bytes.count, 1, bytes.capacity - bytes.count - 1, file);
  if (!fits || ferror(file)) {
    free(bytes.items);
    bytes.items = NULL;
  } else {
    bytes.items[bytes.count] = '\0';
  }
  fclose(file);
  if (size != NULL)
    *size = bytes.count;
  return bytes.items;
}

#endif
