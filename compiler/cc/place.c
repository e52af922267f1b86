#define _GNU_SOURCE /* readlink */
#include "place.h"

#include "../../plugins/base/program.h"
#include "file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Returns the directory above this program's, the prefix of an installation; NULL if it is not
 * known.
 */
static char *prefix(void) {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (size <= 0)
    return NULL;
  path[size] = '\0';
  for (int i = 0; i < 2 && strrchr(path, '/'); i++)
    *strrchr(path, '/') = '\0';
  return cc_format("%s", path);
}

/* The directory of that name in ours, if it has the file; otherwise NULL. The caller frees it. */
static char *find_file(const char *where, const char *name, const char *file) {
  char *directory = cc_format("%s/%s", where, name);
  char *path = cc_format("%s/%s", directory, file);
  const bool there = access(path, R_OK) == 0;
  free(path);
  if (there)
    return directory;
  free(directory);
  return NULL;
}

enum { HEADERS, SYCL_HEADERS, HEADER_DIRECTORIES };

/* The directories of our headers; the second may be NULL. */
static char *const *header_directories(void) {
  static char *directories[HEADER_DIRECTORIES];
  if (!directories[HEADERS]) {
    char *where = prefix();
    if (where) {
      directories[HEADERS] = find_file(where, SPECPI_CC_INCLUDE, "specpi/device.h");
      directories[SYCL_HEADERS] = find_file(where, SPECPI_CC_SYCL_INCLUDE, "sycl/sycl.hpp");
    }
    free(where);
    if (!directories[HEADERS])
      directories[HEADERS] = cc_format("%s", SPECPI_CC_SOURCE_INCLUDE);
  }
  return directories;
}

void cc_place_add_headers(cc_texts *command) {
  char *const *directories = header_directories();
  for (size_t i = 0; i < HEADER_DIRECTORIES && directories[i]; i++) {
    cc_texts_add(command, "-I");
    cc_texts_add(command, directories[i]);
  }
}

void cc_place_add_sycl_rt(cc_texts *command, const char *include, bool is_clang) {
  static char *replaced;
  char *const *directories = header_directories();
  if (!replaced)
    replaced = cc_format("%s/specpi/host/sycl_rt", directories[HEADERS]);
  const char *const words[] = {"-isystem", replaced,     "-isystem",
                               include,    "-idirafter", directories[HEADERS]};
  cc_texts_add_array(command, words + (is_clang ? 2 : 0), is_clang ? 2 : 6);
}

void cc_place_add_kernel_slot(cc_texts *command) {
  static char *path;
  if (!path)
    path = cc_format("%s/specpi/host/kernel_slot.hpp", header_directories()[HEADERS]);
  const char *const words[] = {"-include", path};
  CC_TEXTS_ADD_ARRAY(command, words);
}

const char *cc_place_libclc(void) {
  static char found[PATH_MAX];
  char *where = prefix();
  char *directory = where ? find_file(where, SPECPI_CC_LIBEXEC, "libclc.bc") : NULL;
  const bool fits =
      directory && (size_t)snprintf(found, sizeof found, "%s/libclc.bc", directory) < sizeof found;
  free(where);
  free(directory);
  return fits ? found : SPECPI_CC_LIBCLC;
}

char *cc_place_numbers(const char *libclc) {
  const char *name = strrchr(libclc, '/');
  if (!name || strcmp(name, "/libclc.bc") != 0)
    return NULL;
  char *path = cc_format("%.*s/numbers.bc", (int)(name - libclc), libclc);
  if (access(path, R_OK) == 0)
    return path;
  free(path);
  return NULL;
}

char *cc_place_sycl_jit(void) {
  static const char program[] = "specpi-sycl-jit";
  char *where = prefix();
  char *directory = where ? find_file(where, SPECPI_CC_LIBEXEC, program) : NULL;
  char *path = directory ? cc_format("%s/%s", directory, program) : NULL;
  free(where);
  free(directory);
  return path;
}

char *cc_place_library(void) {
  /* An installation's, and a build's. */
  static const char *const names[] = {SPECPI_CC_LIBRARIES, "lib"};
  static const char file[] = "libspecpi.so";
  char *where = prefix();
  char *directory = NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && where && !directory; i++)
    directory = find_file(where, names[i], file);
  if (directory && strchr(directory, ':')) {
    cc_error(
        "%s/%s: programs cannot say where it is, because the loader takes the colon in the name "
        "of a directory for the end of it",
        directory, file);
    free(directory);
    directory = NULL;
  } else if (!directory)
    cc_error("there is no %s in %s/%s, which programs are linked with; it belongs to the "
             "installation of specpi-cc",
             file, where ? where : "..", names[0]);
  free(where);
  return directory;
}

bool cc_place_is_this_program(const char *program) {
  char *path = program_find(program);
  const bool is_this = path && file_is_same(path, "/proc/self/exe");
  free(path);
  return is_this;
}
