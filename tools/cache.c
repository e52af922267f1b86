/* specpi cache: prints where built programs are kept and how many there are, and removes them. */
#define _POSIX_C_SOURCE 200809L /* openat */
#include "cache.h"

#include "../plugins/base/directory.h"
#include "tool.h"

#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "Usage: specpi cache [clear]\n"
    "Prints the directory in which built programs are kept for later processes, what is in it, "
    "and\n"
    "how often it was of use, and what specpi-cc keeps in it: precompiled headers of SYCL. clear\n"
    "removes these programs and headers, and nothing else from the directory.\n"
    "\n"
    "The directory is specpi in XDG_CACHE_HOME, else ~/.cache/specpi, unless SPECPI_CACHE_DIR "
    "names\n"
    "another. SPECPI_CACHE_DIR= (set and empty) turns the cache off.\n"
    "\n"
    "  -h, --help   print this text\n";

static double mebibytes(uint64_t bytes) {
  return (double)bytes / (1 << 20);
}

/* Prints why the cache is off, when the environment turns it off. */
static void print_none(void) {
  const char *named = getenv("SPECPI_CACHE_DIR");
  printf("Built programs are not kept: %s.\n",
         named && !*named ? "SPECPI_CACHE_DIR is set and empty"
                          : "neither XDG_CACHE_HOME nor HOME has a directory for them");
}

/* Totals over the precompiled headers that specpi-cc keeps in the cache's headers directory. */
typedef struct headers {
  uint64_t files, bytes;
} headers;

static bool is_header(const char *name) {
  const char *ending = strstr(name, ".hpp");
  return ending && (strcmp(ending, ".hpp") == 0 || strcmp(ending, ".hpp.d") == 0 ||
                    strcmp(ending, ".hpp.gch") == 0);
}

/*
 * Counts the headers; with removes, it removes them and counts the removed ones. Returns zeros if
 * other users can access the directory.
 */
static headers visit_headers(const char *cache, bool removes) {
  char path[4096 + sizeof "/headers"];
  char reason[1];
  headers found = {0};
  snprintf(path, sizeof path, "%s/headers", cache);
  const int directory = directory_open(path, S_IRWXG | S_IRWXO, false, reason, sizeof reason);
  DIR *all = directory >= 0 ? fdopendir(directory) : NULL;
  if (!all)
    return found;
  for (const struct dirent *one; (one = readdir(all)) != NULL;) {
    struct stat of;
    if (!is_header(one->d_name) || fstatat(directory, one->d_name, &of, AT_SYMLINK_NOFOLLOW) != 0 ||
        (removes && unlinkat(directory, one->d_name, 0) != 0))
      continue;
    found.files++;
    found.bytes += (uint64_t)of.st_size;
  }
  closedir(all);
  return found;
}

bool cache_print(void) {
  specpi_cache_directory directory;
  specpi_cache_limits limits = {0};
  if (specpiCacheGetDirectory(&directory) != SPECPI_SUCCESS) {
    printf("Built programs are not kept: %s\n", specpiGetLastError());
    return false;
  }
  specpiCacheGetLimits(&limits);
  if (!*directory.path) {
    print_none();
    return true;
  }
  printf("Built programs are kept in %s\n", directory.path);
  printf("  %" PRIu64 " file%s, %.1f MiB of at most %.0f MiB; read %" PRIu64
         " times and written %" PRIu64 " times since it was cleared\n",
         directory.files, directory.files == 1 ? "" : "s", mebibytes(directory.bytes),
         mebibytes(limits.directory_bytes), directory.hits, directory.writes);
  const headers of = visit_headers(directory.path, false);
  if (of.files > 0)
    printf("  %.1f MiB of precompiled headers of SYCL\n", mebibytes(of.bytes));
  return true;
}

static int clear_directory(void) {
  specpi_cache_directory directory;
  if (specpiCacheGetDirectory(&directory) != SPECPI_SUCCESS ||
      specpiCacheClearDirectory() != SPECPI_SUCCESS) {
    tool_error("%s", specpiGetLastError());
    return TOOL_FAILURE;
  }
  if (!*directory.path) {
    print_none();
    return TOOL_SUCCESS;
  }
  const headers of = visit_headers(directory.path, true);
  const uint64_t files = directory.files + of.files;
  printf("Removed %" PRIu64 " file%s, %.1f MiB, from %s\n", files, files == 1 ? "" : "s",
         mebibytes(directory.bytes + of.bytes), directory.path);
  return TOOL_SUCCESS;
}

int tool_cache(int argc, char **argv) {
  int status;
  if (tool_takes_option(argc, argv, usage, &status))
    return status;
  const char *word = optind < argc ? argv[optind] : NULL;
  if (word && strcmp(word, "clear") != 0)
    return tool_refuse_use("cache", "cache takes no argument \"%s\", but clear", word);
  if (optind + 1 < argc)
    return tool_refuse_use("cache", "cache takes no argument \"%s\" after clear", argv[optind + 1]);
  if (word)
    return clear_directory();
  return cache_print() ? TOOL_SUCCESS : TOOL_FAILURE;
}
