#include "generator.h"

#include "../base/own_directory.h"
#include "codegen_place.h"
#include "libdevice_place.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Time limit of a build. Modules with hundreds of kernels take a minute. */
enum { BUILD_LIMIT_MS = 600000 };

/* Size limit of a file whose digest is part of the version. */
enum { FILE_MAX = 64 << 20 };

static codegen processes;
static generator found; /* processes is NULL if there is no code generator */
static char obstacle[1024];

/* ---- Its version ---- */

/* Adds a file's bytes to a digest. Returns false if the file is empty or cannot be read. */
static bool add_file(digest_state *to, const char *path) {
  unsigned char bytes[4096];
  size_t all = 0;
  FILE *file = fopen(path, "rbe");
  for (size_t size; file && all < FILE_MAX && (size = fread(bytes, 1, sizeof bytes, file)) > 0;) {
    digest_add(to, bytes, size);
    all += size;
  }
  const bool is_whole = file && feof(file) && !ferror(file) && all != 0;
  digest_add(to, &all, sizeof all);
  if (file)
    fclose(file);
  return is_whole;
}

static bool read_version(const char *program, const char *libdevice, digest *ret) {
  char path[4200];
  digest_state state;
  digest_begin(&state);
  snprintf(path, sizeof path, "%s.id", program);
  if (!add_file(&state, path) || (*libdevice && !add_file(&state, libdevice)))
    return false;
  *ret = digest_end(&state);
  return true;
}

/* ---- Both ---- */

static void open_generator(void) {
  static codegen_place place;
  char *directory = own_directory();
  const bool is_found = codegen_place_find(directory ? directory : "/", &place);
  free(directory);
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

/* codegen_close allows for other threads that are building, or begin to, during exit. */
__attribute__((destructor)) static void close_generator(void) {
  if (found.processes)
    codegen_close(found.processes);
}
