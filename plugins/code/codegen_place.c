#include "codegen_place.h"

#include "../base/os.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool refuse_place(codegen_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse_place(codegen_place *place, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(place->obstacle, sizeof place->obstacle, format, arguments);
  va_end(arguments);
  place->path[0] = '\0';
  return false;
}

static bool take_chosen(const char *chosen, codegen_place *ret) {
  if (strcmp(chosen, "none") == 0)
    return refuse_place(ret, "SPECPI_CODEGEN is none");
  if (chosen[0] != '/')
    return refuse_place(ret, "SPECPI_CODEGEN is \"%.256s\", neither an absolute path nor none",
                        chosen);
  const size_t size = strlen(chosen);
  if (size >= CODEGEN_PLACE_SIZE)
    return refuse_place(ret, "SPECPI_CODEGEN has %zu bytes, more than %d", size,
                        CODEGEN_PLACE_SIZE - 1);
  memcpy(ret->path, chosen, size + 1);
  return access(chosen, X_OK) == 0 ||
         refuse_place(ret, "SPECPI_CODEGEN is %s: %s", chosen, strerror(errno));
}

/*
 * Joins a relative path to a directory, and resolves each leading "../" as text because the
 * directory has no links. Returns false if the result is too long.
 */
static bool join_place(const char *directory, const char *way, char *ret) {
  size_t length = strlen(directory);
  while (strncmp(way, "../", 3) == 0) {
    way += 3;
    while (length > 0 && directory[length - 1] == '/')
      length--;
    while (length > 0 && directory[length - 1] != '/')
      length--;
  }
  while (length > 0 && directory[length - 1] == '/')
    length--;
  const int size = snprintf(ret, CODEGEN_PLACE_SIZE, "%.*s/%s", (int)length, directory, way);
  return size > 0 && size < CODEGEN_PLACE_SIZE;
}

bool codegen_place_find(const char *directory, codegen_place *ret) {
  /* The second place is for build directories, and for installations with two prefixes. */
  static const char *const ways[] = {SPECPI_CODEGEN_PLACE, SPECPI_CODEGEN_SECOND_PLACE};
  *ret = (codegen_place){.path = ""};
  const char *chosen = os_environment_safe("SPECPI_CODEGEN");
  if (chosen && *chosen)
    return take_chosen(chosen, ret);
  char tried[2][CODEGEN_PLACE_SIZE];
  for (size_t i = 0; i < 2; i++) {
    if (!join_place(directory, ways[i], tried[i]))
      return refuse_place(ret, "the name of its directory is too long");
    memcpy(ret->path, tried[i], sizeof tried[i]);
    if (access(tried[i], X_OK) == 0)
      return true;
  }
  return strcmp(tried[0], tried[1]) == 0
             ? refuse_place(ret, "there is no %s", tried[0])
             : refuse_place(ret, "there is neither %s nor %s", tried[0], tried[1]);
}
