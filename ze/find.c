/*
 * Lets programs find the entries. Programs open libze_loader.so.1, and the dynamic linker returns a
 * library that is already open under this name. So the adapter opens a library of its own that has
 * this name and depends only on the adapter. It does not if there is another Level Zero, because
 * programs would lose the devices of that one.
 */
#include "../plugins/base/level_zero_served.h"
#include "../plugins/base/own_directory.h"
#include "../plugins/code/codegen_place.h"
#include "../plugins/objects/native.h"
#include "ze.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char loader_name[] = "libze_loader.so.1";

/* Returns whether a library provides the entries of this directory, and closes the library. */
static bool is_ours(void *library) {
  void *found = dlsym(library, "zeInit");
  const bool is = found == (void *)(uintptr_t)&zeInit;
  dlclose(library);
  return is;
}

/* Finds the adapter's own libze_loader.so.1, which is in a directory next to the code generator. */
static bool find_loader(char *ret, size_t size) {
  char *directory = own_directory();
  codegen_place *place = malloc(sizeof *place);
  const bool is_found = directory && place && codegen_place_find(directory, place);
  if (is_found)
    snprintf(ret, size, "%.*s/ze/%s", (int)(strrchr(place->path, '/') - place->path), place->path,
             loader_name);
  free(place);
  free(directory);
  return is_found;
}

bool native_find_entries(void) {
  void *open = dlopen(loader_name, RTLD_LAZY | RTLD_NOLOAD);
  if (open)
    return is_ours(open);
  char path[CODEGEN_PLACE_SIZE + sizeof loader_name + 3];
  /* If there is another Level Zero driver, opens whichever library the dynamic linker finds first:
   * the user may have put the adapter's there. */
  const char *name = level_zero_is_served()           ? loader_name
                     : find_loader(path, sizeof path) ? path
                                                      : NULL;
  /* The library stays open, so that the name refers to it until the process ends. */
  void *library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
  return library && is_ours(library);
}
