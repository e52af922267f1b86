#include "generator.h"

#include "../base/own_folder.h"
#include "codegen_place.h"
#include "libdevice_place.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* How long a build may take. Modules with hundreds of kernels take a minute. */
enum { BUILD_LIMIT_MS = 600000 };

/* Nothing that a version is of is larger. */
enum { FILE_MAX = 64 << 20 };

static codegen processes;
static generator found; /* without processes: there is no code generator */
static char obstacle[1024];

/* ---- Its version ---- */

/* The hash of a file's bytes, of which there are some; false when they cannot be had. */
static bool hash_file(const char *path, cache_hash *ret) {
  FILE *file = fopen(path, "rbe");
  char *bytes = NULL;
  size_t size = 0;
  size_t room = 0;
  while (file && !ferror(file) && !feof(file) && size < FILE_MAX) {
    char *more = realloc(bytes, room = 2 * room + 4096);
    if (!more)
      break;
    bytes = more;
    size += fread(bytes + size, 1, room - size, file);
  }
  const bool is_whole = file && feof(file) && !ferror(file) && size != 0;
  if (file)
    fclose(file);
  if (is_whole)
    *ret = cache_hash_make(bytes, size);
  free(bytes);
  return is_whole;
}

static bool read_version(const char *program, const char *libdevice, cache_hash *ret) {
  cache_hash parts[2] = {{0}};
  char path[4200];
  snprintf(path, sizeof path, "%s.id", program);
  if (!hash_file(path, &parts[0]) || (*libdevice && !hash_file(libdevice, &parts[1])))
    return false;
  *ret = cache_hash_make(parts, sizeof parts);
  return true;
}

/* ---- Both ---- */

static void open_generator(void) {
  static codegen_place place;
  char *folder = own_folder();
  const bool is_found = codegen_place_find(folder ? folder : "/", &place);
  free(folder);
  if (!is_found) {
    snprintf(obstacle, sizeof obstacle,
             "takes a code generator, and %.600s: install specpi-codegen, or compile with "
             "specpi-cc --target=spir64,nvptx64",
             place.obstacle);
    return;
  }
  codegen_open(&processes, place.path, BUILD_LIMIT_MS);
  found.processes = &processes;
  found.libdevice = libdevice_choice(NULL);
  found.has_version = read_version(place.path, found.libdevice, &found.version);
}

const generator *generator_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_generator);
  return found.processes ? &found : NULL;
}

const char *generator_obstacle(void) {
  return generator_get() ? NULL : obstacle;
}

/* At exit other threads may be building, and begin to. */
__attribute__((destructor)) static void close_generator(void) {
  if (found.processes)
    codegen_close(found.processes);
}
