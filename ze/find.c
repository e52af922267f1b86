/*
 * Lets programs find the entries. Programs open libze_loader.so.1, and the dynamic linker returns
 * an already open library of this name. So the adapter opens a library of its own by this name,
 * which only depends on the adapter; unless there is another Level Zero, whose devices would be
 * lost.
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

/* Tells whether a library has these entries, and closes it. */
static bool is_ours(void *library) {
  void *found = dlsym(library, "zeInit");
  const bool is = found == (void *)(uintptr_t)&zeInit;
  dlclose(library);
  return is;
}

/* The library of ours has a directory of its own, in that of the code generator. */
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
  /* With another driver it is the one that the user has put first, if there is such. */
  const char *name = level_zero_is_served()           ? loader_name
                     : find_loader(path, sizeof path) ? path
                                                      : NULL;
  /* It stays open: the name has to mean it as long as the process runs. */
  void *library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) : NULL;
  return library && is_ours(library);
}
