#define _GNU_SOURCE /* memmem */
#include "runtime.h"

#include "../plugins/base/digits.h"
#include "resolve.h"
#include "tool.h"

#include <dirent.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of a search for a runtime. */
typedef struct search {
  char *wanted; /* name of the libsycl that the command is linked to; NULL if unknown */
  char *report; /* what was searched, for the error if nothing is found */
  /* Called for each runtime, and the search goes on; if NULL, the first runtime ends the search. */
  void (*visit)(void *context, const runtime *runtime);
  void *context;
  char *visited; /* directories, each preceded and followed by a newline */
} search;

static void report_finding(search *search, const char *place, const char *finding) {
  char *longer = tool_format("%s  %s: %s\n", search->report ? search->report : "", place, finding);
  free(search->report);
  search->report = longer;
}

/* ---- Checking whether specpi supports a libsycl ---- */

/* A function whose name every libsycl that uses Unified Runtime contains, also without symbols. */
static const char ur_mark[] = "urLoaderTearDown";

/* Returns why specpi does not support a file as a runtime; NULL with *kind if it does. */
static const char *unsuitable(const char *path, runtime_kind *kind) {
  static const char version[] = "\0" PI_VERSION_STRING;
  size_t size;
  const char *bytes = tool_map_file(path, &size);
  if (!bytes)
    return "cannot be read";
  const char *reason = NULL;
  *kind = RUNTIME_PI;
  if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    reason = "is not a library";
  else if (memmem(bytes, size, ur_mark, sizeof ur_mark - 1))
    *kind = RUNTIME_UR;
  else if (!memmem(bytes, size, "piPluginInit", sizeof "piPluginInit"))
    reason = "has neither piPluginInit nor urLoaderTearDown in it: it uses neither PI plugins nor "
             "adapters of Unified Runtime";
  else if (!memmem(bytes, size, version, sizeof version))
    reason = "speaks another version of PI than " PI_VERSION_STRING
             ", which DPC++ 2024.2 speaks; specpi serves that one";
  tool_unmap_file(bytes, size);
  return reason;
}

/* Returns N for libsycl.so.N and libsycl-preview.so.N, -1 for other names. */
static int name_version(const char *name, bool *preview) {
  static const char plain[] = "libsycl.so.";
  static const char with_preview[] = "libsycl-preview.so.";
  *preview = strncmp(name, with_preview, sizeof with_preview - 1) == 0;
  if (!*preview && strncmp(name, plain, sizeof plain - 1) != 0)
    return -1;
  const char *digits = name + (*preview ? sizeof with_preview : sizeof plain) - 1;
  uint64_t number;
  return digits_are(digits, 99999, &number) ? (int)number : -1;
}

static bool is_wanted(const search *search, const char *name) {
  bool preview;
  if (name_version(name, &preview) < 0)
    return false;
  return search->wanted ? strcmp(search->wanted, name) == 0 : true;
}

/*
 * Returns whether to prefer a name to another: names without "preview" first, then the higher
 * version.
 */
static bool is_better(const char *name, const char *than) {
  bool name_preview;
  bool than_preview;
  const int name_number = name_version(name, &name_preview);
  const int than_number = name_version(than, &than_preview);
  return name_preview != than_preview ? than_preview : name_number > than_number;
}

/* Visits a runtime, unless one in the same directory was visited before. */
static void visit_found(search *search, const runtime *found) {
  char *line = tool_format("\n%s\n", found->directory);
  if (!search->visited || !strstr(search->visited, line)) {
    char *longer = tool_format("%s%s", search->visited ? search->visited : "", line);
    free(search->visited);
    search->visited = longer;
    search->visit(search->context, found);
  }
  free(line);
}

/*
 * Searches a directory and takes its best suitable libsycl. Returns true if the search is over;
 * with search->visit it is never over.
 */
static bool try_directory(search *search, const char *directory, runtime *ret) {
  char *absolute = realpath(directory, NULL);
  DIR *entries = absolute ? opendir(absolute) : NULL;
  if (!entries) {
    report_finding(search, directory, "no such directory");
    free(absolute);
    return false;
  }
  char *best = NULL;
  runtime_kind best_kind = RUNTIME_PI;
  bool any = false;
  for (const struct dirent *entry; (entry = readdir(entries));) {
    if (!is_wanted(search, entry->d_name))
      continue;
    any = true;
    char *path = tool_format("%s/%s", absolute, entry->d_name);
    runtime_kind kind;
    const char *reason = unsuitable(path, &kind);
    if (reason) {
      report_finding(search, path, reason);
    } else if (!best || is_better(entry->d_name, best)) {
      free(best);
      best = tool_format("%s", entry->d_name);
      best_kind = kind;
    }
    free(path);
  }
  closedir(entries);
  if (!any) {
    char *finding = tool_format("there is no %s", search->wanted ? search->wanted : "libsycl.so.*");
    report_finding(search, absolute, finding);
    free(finding);
  }
  if (best && !search->visit) {
    *ret = (runtime){absolute, best, best_kind};
    return true;
  }
  if (best)
    visit_found(search, &(runtime){absolute, best, best_kind});
  free(best);
  free(absolute);
  return false;
}

/* ---- The places ---- */

bool runtime_is_libsycl(const char *name) {
  bool preview;
  return name_version(name, &preview) >= 0;
}

/* Searches the directory of a file, and ../lib from there. */
static bool try_beside(search *search, const char *file, runtime *ret) {
  const char *slash = strrchr(file, '/');
  if (!slash)
    return false;
  char *beside = tool_format("%.*s", slash == file ? 1 : (int)(slash - file), file);
  char *lib = tool_format("%s/../lib", beside);
  const bool found = try_directory(search, beside, ret) || try_directory(search, lib, ret);
  free(beside);
  free(lib);
  return found;
}

/* Searches beside a program's path, and, if that is a link, beside its target. */
static bool try_neighbourhood(search *search, const char *file, runtime *ret) {
  if (try_beside(search, file, ret))
    return true;
  char *target = realpath(file, NULL);
  const bool found = target && strcmp(target, file) != 0 && try_beside(search, target, ret);
  free(target);
  return found;
}

static bool try_path_list(search *search, const char *list, runtime *ret) {
  bool found = false;
  while (list && *list && !found) {
    const size_t size = strcspn(list, ":");
    if (size) {
      char *directory = tool_format("%.*s", (int)size, list);
      found = try_directory(search, directory, ret);
      free(directory);
    }
    list += size + (list[size] == ':');
  }
  return found;
}

static bool try_environments(search *search, runtime *ret) {
  static const char *const names[] = {"VIRTUAL_ENV", "CONDA_PREFIX", "CMPLR_ROOT"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *value = getenv(names[i]);
    if (!value || !*value)
      continue;
    char *directory = tool_format("%s/lib", value);
    const bool found = try_directory(search, directory, ret);
    free(directory);
    if (found)
      return true;
  }
  return false;
}

/* Searches the directory of a library that the linker or its cache names. */
static bool try_directory_of(search *search, const char *path, runtime *ret) {
  char *directory = tool_format("%.*s", (int)(strrchr(path, '/') - path), path);
  const bool found = try_directory(search, directory, ret);
  free(directory);
  return found;
}

static bool try_cache(search *search, runtime *ret) {
  char *name;
  char *path;
  bool found = false;
  if (resolve_cached_library(runtime_is_libsycl, &name, &path)) {
    found = path && try_directory_of(search, path, ret);
    free(name);
    free(path);
  } else {
    report_finding(search, "ldconfig's cache", "there is no libsycl.so.*");
  }
  return found;
}

/* Asks the linker for a program's libsycl. Sets search->wanted if the program is linked to one. */
static bool try_linked(search *search, const char *program, runtime *ret) {
  char *path;
  if (!resolve_library(program, runtime_is_libsycl, &search->wanted, &path)) {
    report_finding(search, program, "is not linked to a libsycl");
    return false;
  }
  bool found = false;
  if (path)
    found = try_directory_of(search, path, ret);
  else
    report_finding(search, program,
                   "the dynamic linker does not find the libsycl that it is linked to");
  free(path);
  return found;
}

static bool try_everything(search *search, const char *command, runtime *ret) {
  char *interpreter = resolve_interpreter(command);
  const char *program = interpreter ? interpreter : command;
  const bool found = try_linked(search, program, ret) ||
                     try_path_list(search, getenv("LD_LIBRARY_PATH"), ret) ||
                     try_neighbourhood(search, command, ret) ||
                     (interpreter && try_neighbourhood(search, interpreter, ret)) ||
                     try_environments(search, ret) || try_cache(search, ret);
  free(interpreter);
  return found;
}

/* Searches a named directory, for the libsycl that the command is linked to, or for any. */
static bool try_named(search *search, const char *directory, const char *command, runtime *ret) {
  char *interpreter = resolve_interpreter(command);
  char *path = NULL;
  resolve_library(interpreter ? interpreter : command, runtime_is_libsycl, &search->wanted, &path);
  free(path);
  free(interpreter);
  return try_directory(search, directory, ret);
}

bool runtime_find(const char *directory, const char *command, runtime *ret) {
  search search = {0};
  const bool found = directory ? try_named(&search, directory, command, ret)
                               : try_everything(&search, command, ret);
  if (!found)
    tool_error("no SYCL runtime that specpi can serve was found:\n%s"
               "Name the directory of one with --sycl-rt.",
               search.report ? search.report : "");
  free(search.wanted);
  free(search.report);
  return found;
}

void runtime_list(void (*visit)(void *context, const runtime *runtime), void *context) {
  search search = {.visit = visit, .context = context};
  runtime none;
  try_path_list(&search, getenv("LD_LIBRARY_PATH"), &none);
  try_environments(&search, &none);
  char *own = realpath("/proc/self/exe", NULL);
  if (own)
    try_beside(&search, own, &none);
  free(own);
  try_cache(&search, &none);
  free(search.report);
  free(search.visited);
}
