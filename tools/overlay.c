#define _GNU_SOURCE /* mkdtemp, nanoseconds of stat */
#include "overlay.h"

#include "../plugins/base/directory.h"
#include "../plugins/base/vector.h"
#include "../plugins/base/write.h"
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* An overlay that was not used for this time is removed when another one is built. */
enum { KEEP_SECONDS = 30 * 24 * 3600 };

static const char list_name[] = "contents";

/* A link in the overlay. */
typedef struct overlay_link {
  char *target;
  const char *name; /* of the link; may differ from the target's */
} overlay_link;

/* Description of an overlay that may not exist yet. */
typedef struct plan {
  const runtime *runtime;
  char *library; /* the original libsycl, links resolved */
  off_t size;    /* of library, in bytes */
  overlay_link *links;
  size_t count;
  char *contents; /* one line per file of the overlay */
} plan;

/* ---- Planning an overlay ---- */

static bool ends_with(const char *text, const char *end) {
  const size_t size = strlen(text);
  const size_t end_size = strlen(end);
  return size >= end_size && strcmp(text + size - end_size, end) == 0;
}

/*
 * Returns whether libsycl opens a file of this name in its own directory: the SPIR-V of a device
 * library, or its configuration.
 */
static bool is_companion(const char *name) {
  return (strncmp(name, "libsycl-", sizeof "libsycl-" - 1) == 0 && ends_with(name, ".spv")) ||
         strcmp(name, "sycl.conf") == 0;
}

/* Adds a line to the plan's contents, and frees it. */
static void describe_plan(plan *plan, char *line) {
  char *longer = tool_format("%s%s\n", plan->contents ? plan->contents : "", line);
  free(plan->contents);
  free(line);
  plan->contents = longer;
}

/*
 * Adds a link to the plan, which then owns target. The plan's contents have the target's path but
 * not its state, because a link stays right when its target is replaced. If name is NULL, the link
 * has the target's name.
 */
static void add_link(plan *plan, char *target, const char *name) {
  if (!vector_resize(&plan->links, plan->count + 1, sizeof *plan->links))
    tool_no_memory();
  const char *own = strrchr(target, '/') + 1;
  plan->links[plan->count++] = (overlay_link){target, name ? name : own};
  if (name && strcmp(name, own) != 0)
    describe_plan(plan, tool_format("link %s as %s", target, name));
  else
    describe_plan(plan, tool_format("link %s", target));
}

/* Adds the copy of libsycl. The contents have libsycl's size and time, because a copy can get old.
 */
static bool add_library(plan *plan) {
  char *named = tool_format("%s/%s", plan->runtime->directory, plan->runtime->name);
  plan->library = realpath(named, NULL);
  struct stat status;
  const bool found = plan->library && stat(plan->library, &status) == 0;
  if (found) {
    plan->size = status.st_size;
    describe_plan(plan, tool_format("copy %s %s %lld %lld.%09ld", plan->runtime->name,
                                    plan->library, (long long)status.st_size,
                                    (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec));
  } else {
    tool_error("%s: %s", named, strerror(errno));
  }
  free(named);
  return found;
}

static bool add_companions(plan *plan) {
  struct dirent **entries;
  const int found = scandir(plan->runtime->directory, &entries, NULL, alphasort);
  for (int i = 0; i < found; i++) {
    if (is_companion(entries[i]->d_name))
      add_link(plan, tool_format("%s/%s", plan->runtime->directory, entries[i]->d_name), NULL);
    free(entries[i]);
  }
  if (found >= 0)
    free(entries);
  else
    tool_error("%s: %s", plan->runtime->directory, strerror(errno));
  return found >= 0;
}

static bool make_plan(const runtime *runtime, const overlay_plugin *plugins, size_t count,
                      plan *plan) {
  plan->runtime = runtime;
  if (!add_library(plan))
    return false;
  for (size_t i = 0; i < count; i++)
    add_link(plan, tool_format("%s", plugins[i].path), plugins[i].name);
  return add_companions(plan);
}

static void clear_plan(plan *plan) {
  for (size_t i = 0; i < plan->count; i++)
    free(plan->links[i].target);
  free(plan->links);
  free(plan->library);
  free(plan->contents);
}

/* ---- The directory for overlays ---- */

/* Returns why a directory cannot hold overlays, or NULL if it can. Creates it if it is missing. */
static char *unfit(const char *path) {
  /* The dynamic linker replaces words like $LIB. */
  if (strpbrk(path, ": \t$"))
    return tool_format("LD_PRELOAD cannot have a path with a blank, a colon or a dollar sign");
  char reason[512];
  const int directory = directory_open(path, S_IWGRP | S_IWOTH, true, reason, sizeof reason);
  if (directory < 0)
    return tool_format("%s", reason);
  struct statvfs system;
  const bool is_noexec = fstatvfs(directory, &system) == 0 && system.f_flag & ST_NOEXEC;
  close(directory);
  if (is_noexec)
    return tool_format("it is mounted noexec");
  return access(path, W_OK) == 0 ? NULL : tool_format("%s", strerror(errno));
}

/* Returns the directory that holds overlays; NULL after an error. */
static char *find_home(void) {
  const char *cache = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  const char *temporary = getenv("TMPDIR");
  char *candidates[] = {
      cache && *cache ? tool_format("%s/specpi/run", cache) : NULL,
      home && *home ? tool_format("%s/.cache/specpi/run", home) : NULL,
      temporary && *temporary ? tool_format("%s/specpi-%u", temporary, (unsigned)geteuid()) : NULL,
      tool_format("/tmp/specpi-%u", (unsigned)geteuid()),
  };
  enum { COUNT = sizeof candidates / sizeof candidates[0] };
  char *found = NULL;
  char *report = tool_format("%s", "");
  for (size_t i = 0; i < COUNT; i++) {
    if (!candidates[i])
      continue;
    char *reason = found ? NULL : unfit(candidates[i]);
    if (!found && !reason) {
      found = candidates[i];
      continue;
    }
    if (reason) {
      char *longer = tool_format("%s\n  %s: %s", report, candidates[i], reason);
      free(report);
      report = longer;
    }
    free(reason);
    free(candidates[i]);
  }
  if (!found)
    tool_error("there is no directory to keep a copy of libsycl in; set XDG_CACHE_HOME to one:%s",
               report);
  free(report);
  return found;
}

/* FNV-1a. A weak hash suffices for names, because is_good compares the contents. */
static uint64_t hash_text(const char *text) {
  uint64_t value = 0xcbf29ce484222325u;
  for (; *text; text++)
    value = (value ^ (unsigned char)*text) * 0x100000001b3u;
  return value;
}

/* ---- Building an overlay ---- */

static bool copy_bytes(int from, int to) {
  static char buffer[1 << 16];
  for (;;) {
    const ssize_t count = read(from, buffer, sizeof buffer);
    if (count == 0)
      return true;
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 || !write_all(to, buffer, (size_t)count))
      return false;
  }
}

static bool copy_file(const char *source, const char *target) {
  const int from = open(source, O_RDONLY | O_CLOEXEC);
  if (from < 0)
    return false;
  const int to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0500);
  bool copied = to >= 0 && copy_bytes(from, to);
  if (to >= 0)
    copied = close(to) == 0 && copied;
  close(from);
  return copied;
}

static bool write_contents(const plan *plan, const char *target) {
  const int file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool written = file >= 0 && write_all(file, plan->contents, strlen(plan->contents));
  if (file >= 0)
    written = close(file) == 0 && written;
  return written;
}

static bool fill_directory(const plan *plan, const char *directory) {
  char *library = tool_format("%s/%s", directory, plan->runtime->name);
  bool done = copy_file(plan->library, library);
  free(library);
  for (size_t i = 0; done && i < plan->count; i++) {
    char *link = tool_format("%s/%s", directory, plan->links[i].name);
    done = symlink(plan->links[i].target, link) == 0;
    free(link);
  }
  char *list = tool_format("%s/%s", directory, list_name);
  done = done && write_contents(plan, list);
  free(list);
  return done;
}

/* Removes a directory of files. Processes that have them open or mapped can go on using them. */
static void remove_directory(const char *directory) {
  DIR *entries = opendir(directory);
  if (!entries)
    return;
  for (const struct dirent *entry; (entry = readdir(entries));)
    unlinkat(dirfd(entries), entry->d_name, 0);
  closedir(entries);
  rmdir(directory);
}

/* Returns whether a directory is a complete overlay of this plan. If so, marks it as used. */
static bool is_good(const plan *plan, const char *directory) {
  char *list = tool_format("%s/%s", directory, list_name);
  char *library = tool_format("%s/%s", directory, plan->runtime->name);
  const size_t size = strlen(plan->contents);
  char *text = calloc(1, size + 2);
  if (!text)
    tool_no_memory();
  const int file = open(list, O_RDONLY | O_CLOEXEC);
  struct stat status;
  const bool good = file >= 0 && read(file, text, size + 1) == (ssize_t)size &&
                    memcmp(text, plan->contents, size) == 0 && stat(library, &status) == 0 &&
                    S_ISREG(status.st_mode) && status.st_size == plan->size;
  if (good)
    utimensat(AT_FDCWD, list, NULL, 0);
  if (file >= 0)
    close(file);
  free(text);
  free(library);
  free(list);
  return good;
}

/* Removes overlays, and remains of interrupted runs, that were not used for KEEP_SECONDS. */
static void prune(const char *home) {
  DIR *entries = opendir(home);
  if (!entries)
    return;
  for (const struct dirent *entry; (entry = readdir(entries));) {
    if (entry->d_name[0] == '.')
      continue;
    char *directory = tool_format("%s/%s", home, entry->d_name);
    char *list = tool_format("%s/%s", directory, list_name);
    struct stat status;
    if ((stat(list, &status) == 0 || lstat(directory, &status) == 0) &&
        time(NULL) - status.st_mtim.tv_sec > KEEP_SECONDS)
      remove_directory(directory);
    free(list);
    free(directory);
  }
  closedir(entries);
}

/*
 * Renames a finished directory. If the new name exists, that directory is kept if it is good, and
 * otherwise removed.
 */
static bool give_name(const plan *plan, const char *directory, const char *name) {
  enum { ATTEMPTS = 8 };
  for (int i = 0; i < ATTEMPTS; i++) {
    if (rename(directory, name) == 0)
      return true;
    if (errno != EEXIST && errno != ENOTEMPTY)
      return false;
    if (is_good(plan, name)) {
      remove_directory(directory);
      return true;
    }
    char *aside = tool_format("%s.old.%d.%d", name, (int)getpid(), i);
    if (rename(name, aside) == 0)
      remove_directory(aside);
    free(aside);
  }
  return false;
}

static bool build_directory(const plan *plan, const char *home, const char *name) {
  prune(home);
  char *directory = tool_format("%s/new.XXXXXX", home);
  const bool made = mkdtemp(directory) != NULL;
  const bool done = made && fill_directory(plan, directory) && give_name(plan, directory, name);
  if (!done) {
    tool_error("%s could not be made: %s", name, strerror(errno));
    if (made)
      remove_directory(directory);
  }
  free(directory);
  return done;
}

char *overlay_make(const runtime *runtime, const overlay_plugin *plugins, size_t count) {
  plan plan = {0};
  char *home = make_plan(runtime, plugins, count, &plan) ? find_home() : NULL;
  char *library = NULL;
  if (home) {
    char *name = tool_format("%s/%016llx", home, (unsigned long long)hash_text(plan.contents));
    if (is_good(&plan, name) || build_directory(&plan, home, name))
      library = tool_format("%s/%s", name, runtime->name);
    free(name);
  }
  free(home);
  clear_plan(&plan);
  return library;
}
