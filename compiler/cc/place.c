#define _GNU_SOURCE /* readlink */
#include "place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder above this program's: the prefix of an installation. NULL if it cannot be told. */
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

/* The folder of that name in ours, if it has the file; otherwise NULL. The caller frees it. */
static char *find_file(const char *where, const char *name, const char *file) {
  char *folder = cc_format("%s/%s", where, name);
  char *path = cc_format("%s/%s", folder, file);
  const bool there = access(path, R_OK) == 0;
  free(path);
  if (there)
    return folder;
  free(folder);
  return NULL;
}

enum { HEADERS, SYCL_HEADERS, HEADER_FOLDERS };

/* The folders of our headers; the second may be NULL. */
static char *const *header_folders(void) {
  static char *folders[HEADER_FOLDERS];
  if (!folders[HEADERS]) {
    char *where = prefix();
    if (where) {
      folders[HEADERS] = find_file(where, SPECPI_CC_INCLUDE, "specpi/device.h");
      folders[SYCL_HEADERS] = find_file(where, SPECPI_CC_SYCL_INCLUDE, "sycl/sycl.hpp");
    }
    free(where);
    if (!folders[HEADERS])
      folders[HEADERS] = cc_format("%s", SPECPI_CC_SOURCE_INCLUDE);
  }
  return folders;
}

void cc_place_add_headers(cc_texts *command) {
  char *const *folders = header_folders();
  for (size_t i = 0; i < HEADER_FOLDERS && folders[i]; i++) {
    cc_texts_add(command, "-I");
    cc_texts_add(command, folders[i]);
  }
}

void cc_place_add_sycl_rt(cc_texts *command, const char *include, bool is_clang) {
  static char *replaced;
  char *const *folders = header_folders();
  if (!replaced)
    replaced = cc_format("%s/specpi/host/sycl_rt", folders[HEADERS]);
  const char *const words[] = {"-isystem", replaced,     "-isystem",
                               include,    "-idirafter", folders[HEADERS]};
  cc_texts_add_array(command, words + (is_clang ? 2 : 0), is_clang ? 2 : 6);
}

void cc_place_add_kernel_slot(cc_texts *command) {
  static char *path;
  if (!path)
    path = cc_format("%s/specpi/host/kernel_slot.hpp", header_folders()[HEADERS]);
  const char *const words[] = {"-include", path};
  CC_TEXTS_ADD_ARRAY(command, words);
}

const char *cc_place_libclc(void) {
  static char found[PATH_MAX];
  char *where = prefix();
  char *folder = where ? find_file(where, SPECPI_CC_LIBEXEC, "libclc.bc") : NULL;
  const bool fits =
      folder && (size_t)snprintf(found, sizeof found, "%s/libclc.bc", folder) < sizeof found;
  free(where);
  free(folder);
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
  char *folder = where ? find_file(where, SPECPI_CC_LIBEXEC, program) : NULL;
  char *path = folder ? cc_format("%s/%s", folder, program) : NULL;
  free(where);
  free(folder);
  return path;
}

char *cc_place_library(void) {
  /* An installation's, and a build's. */
  static const char *const names[] = {SPECPI_CC_LIBRARIES, "lib"};
  static const char file[] = "libspecpi.so";
  char *where = prefix();
  char *folder = NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && where && !folder; i++)
    folder = find_file(where, names[i], file);
  if (folder && strchr(folder, ':')) {
    cc_error(
        "%s/%s: programs cannot say where it is, because the loader takes the colon in the name "
        "of a folder for the end of it",
        folder, file);
    free(folder);
    folder = NULL;
  } else if (!folder)
    cc_error("there is no %s in %s/%s, which programs are linked with; it belongs to the "
             "installation of specpi-cc",
             file, where ? where : "..", names[0]);
  free(where);
  return folder;
}
