#define _GNU_SOURCE /* futimens */
#include "precompiled.h"

#include "../../plugins/base/digest.h"
#include "../../plugins/base/directory.h"
#include "child.h"
#include "file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static const char inclusion[] = "#include <sycl/sycl.hpp>\n";

/* ---- Which sources ---- */

/* C's headers, which C++ has, too. */
static const char *const c_headers[] = {
    "assert.h", "ctype.h",  "errno.h",  "float.h",   "inttypes.h", "limits.h", "locale.h",
    "math.h",   "setjmp.h", "signal.h", "stdarg.h",  "stdbool.h",  "stddef.h", "stdint.h",
    "stdio.h",  "stdlib.h", "string.h", "strings.h", "time.h",     "unistd.h", "wchar.h"};

/* Names of the standard library's headers are those of C, and have neither dot nor slash else. */
static bool is_standard(const char *name, size_t size) {
  for (size_t i = 0; i < sizeof c_headers / sizeof *c_headers; i++)
    if (strlen(c_headers[i]) == size && memcmp(c_headers[i], name, size) == 0)
      return true;
  for (size_t i = 0; i < size; i++)
    if (!islower((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) && name[i] != '_')
      return false;
  return size > 0;
}

/* Passes over blanks and comments; NULL: a comment has no end. */
static const char *skip_blanks(const char *at) {
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
      return at;
    const bool is_line = at[1] == '/';
    const char *end = strstr(at + 2, is_line ? "\n" : "*/");
    if (!end)
      return NULL;
    /* A line that goes on after a backslash is a comment, too. */
    while (is_line && end[-1] == '\\' && (end = strchr(end + 1, '\n')) != NULL)
      ;
    if (!end)
      return NULL;
    at = end + (is_line ? 1 : 2);
  }
}

/* The name in "#include <NAME>" at the start of a text; NULL: it is something else. */
static const char *included_name(const char *at, size_t *size) {
  if (*at++ != '#')
    return NULL;
  at += strspn(at, " \t");
  if (strncmp(at, "include", 7) != 0)
    return NULL;
  at += 7 + strspn(at + 7, " \t");
  if (*at++ != '<')
    return NULL;
  *size = strcspn(at, ">\n");
  return at[*size] == '>' ? at : NULL;
}

bool cc_precompiled_fits(const char *file) {
  static const char name[] = "sycl/sycl.hpp";
  file_bytes text;
  bool fits = false;
  if (!file_read(file, &text))
    return false;
  size_t size = 0;
  const char *at = skip_blanks(text.data);
  for (; at && !fits && (at = included_name(at, &size)); at = skip_blanks(at + size + 1)) {
    fits = size == sizeof name - 1 && memcmp(at, name, size) == 0;
    if (!fits && !is_standard(at, size))
      break;
  }
  file_free(&text);
  return fits;
}

/* ---- Which compiler and options ---- */

/*
 * Sorts the words that users give the compiler: directories of headers, which count where they come
 * before the system's and so could hide one, and the rest. false: something stands before a source.
 */
static bool sort_words(const cc_texts *all, cc_precompiled *ret) {
  static const char *const hiding[] = {"-I", "-isystem"};
  static const char *const later[] = {"-iquote", "-idirafter"};
  static const char *const in_the_way[] = {"-include", "-imacros", "-Xpreprocessor", "-Wp,",
                                           "-fmodule"};
  for (size_t i = 0; i < all->count; i++) {
    const char *word = all->items[i];
    const char *value = cc_words_value(word);
    const char *next = value && *value == '\0' && i + 1 < all->count ? all->items[++i] : NULL;
    if (CC_BEGINS_WITH(word, in_the_way))
      return false;
    if (CC_BEGINS_WITH(word, hiding)) {
      /*
       * Compilers pass over the runtime's own directory, which follows ours on their command line.
       */
      if (!file_is_same(next ? next : value, ret->compiler->sycl.include))
        cc_texts_add(&ret->directories, next ? next : value);
    } else if (!CC_BEGINS_WITH(word, later)) {
      cc_texts_add(&ret->words, word);
      if (next)
        cc_texts_add(&ret->words, next);
    }
  }
  return true;
}

static bool list_words(const cc_work *work, cc_precompiled *ret) {
  cc_texts all = {0};
  ret->level = cc_host_compiler_level(work->options);
  cc_host_compiler_add_words(work, ret->compiler, ret->level, &all);
  const bool done = sort_words(&all, ret);
  cc_host_compiler_add_runtime(ret->compiler, &ret->words);
  cc_texts_free(&all);
  return done;
}

static void add_text(digest_state *to, const char *text) {
  digest_add(to, text, text ? strlen(text) : 0);
  digest_add(to, "", 1);
}

static digest_name make_name(const cc_precompiled *precompiled) {
  static const char *const variables[] = {"CPATH", "CPLUS_INCLUDE_PATH", "COMPILER_PATH",
                                          "GCC_EXEC_PREFIX"};
  digest_state state;
  digest_begin(&state);
  digest_add(&state, precompiled->compiler->macros.bytes,
             sizeof precompiled->compiler->macros.bytes);
  for (size_t i = 0; i < precompiled->words.count; i++)
    add_text(&state, precompiled->words.items[i]);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    add_text(&state, getenv(variables[i]));
  return digest_name_of(digest_end(&state));
}

/* In the directory that the environment names, or in the user's. */
static char *find_directory(void) {
  char cache[PATH_MAX];
  bool is_usual;
  const bool found = directory_find_kept(cache, sizeof cache, &is_usual);
  return found && *cache == '/' ? cc_format("%s/headers", cache) : NULL;
}

void cc_precompiled_open(const cc_work *work, const cc_host_compiler *compiler,
                         cc_precompiled *ret) {
  *ret = (cc_precompiled){.compiler = compiler};
  if (!compiler->sycl.directory || !list_words(work, ret))
    return;
  ret->directory = find_directory();
  if (ret->directory)
    ret->header = cc_format("%s/%s.hpp", ret->directory, make_name(ret).text);
}

void cc_precompiled_close(cc_precompiled *precompiled) {
  free(precompiled->directory);
  free(precompiled->header);
  free(precompiled->level);
  cc_texts_free(&precompiled->words);
  cc_texts_free(&precompiled->directories);
  *precompiled = (cc_precompiled){0};
}

/* ---- Whether they still hold ---- */

static bool is_before(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/* A file that a package brings has the time at which somebody made the package: its change counts,
 * too. */
static bool is_older(const char *path, struct timespec than) {
  struct stat found;
  return stat(path, &found) == 0 && is_before(found.st_mtim, than) &&
         is_before(found.st_ctim, than);
}

/* Reads from which files they were made, in words of Make. */
static bool read_parts(const cc_precompiled *precompiled, cc_depend *ret) {
  char *list = cc_format("%s.d", precompiled->header);
  const bool done = access(list, R_OK) == 0 && cc_depend_add(ret, list, precompiled->directory);
  free(list);
  return done;
}

/* True for a directory with a file that compilers would find in the place of a part. */
static bool hides(const char *directory, const char *part) {
  /* The runtime's include each other by more than a file's name. */
  const bool needs_directory = strstr(part, "/sycl/") != NULL;
  for (const char *at = part; (at = strchr(at, '/')) != NULL; at++) {
    char path[PATH_MAX];
    if ((!needs_directory || strchr(at + 1, '/')) &&
        (size_t)snprintf(path, sizeof path, "%s%s", directory, at) < sizeof path &&
        access(path, F_OK) == 0 && !file_is_same(path, part))
      return true;
  }
  return false;
}

/* Opens the directory, if nobody else can change what is in it; -1. */
static int open_directory(const cc_precompiled *precompiled, bool make) {
  char reason[1];
  return directory_open(precompiled->directory, S_IRWXG | S_IRWXO, make, reason, sizeof reason);
}

/* The parts are as they were, and none of these directories hides one. */
static bool do_parts_hold(const cc_precompiled *precompiled, struct timespec when,
                          const cc_texts *directories) {
  cc_depend parts = {0};
  bool holds = read_parts(precompiled, &parts);
  for (size_t i = 0; i < parts.paths.count && holds; i++) {
    char *part = cc_words_unquote(parts.paths.items[i]);
    holds = is_older(part, when);
    for (size_t f = 0; f < directories->count && holds; f++)
      holds = !hides(directories->items[f], part);
    free(part);
  }
  cc_depend_free(&parts);
  return holds;
}

static bool do_they_hold(const cc_precompiled *precompiled, const cc_texts *directories) {
  const int directory = precompiled->header ? open_directory(precompiled, false) : -1;
  if (directory < 0)
    return false;
  close(directory);
  char *path = cc_format("%s.gch", precompiled->header);
  struct stat made;
  const bool holds =
      stat(path, &made) == 0 && do_parts_hold(precompiled, made.st_mtim, directories);
  free(path);
  return holds;
}

bool cc_precompiled_is_there(const cc_precompiled *precompiled) {
  return do_they_hold(precompiled, &(cc_texts){0});
}

/* ---- Making them ---- */

/* Removes the one that was used longest ago; false: there are few enough. */
static bool remove_oldest(const cc_precompiled *precompiled, DIR *all) {
  static const char *const endings[] = {".gch", ".d", ""};
  char oldest[PATH_MAX] = "";
  struct timespec since = {0};
  int count = 0;
  rewinddir(all);
  for (const struct dirent *one; (one = readdir(all)) != NULL;) {
    char path[PATH_MAX];
    struct stat found;
    const size_t size = strlen(one->d_name);
    if (size < 6 || strcmp(one->d_name + size - 6, ".hpp.d") != 0 ||
        (size_t)snprintf(path, sizeof path, "%s/%s", precompiled->directory, one->d_name) >=
            sizeof path ||
        stat(path, &found) != 0)
      continue;
    if (count++ == 0 || is_before(found.st_mtim, since)) {
      since = found.st_mtim;
      snprintf(oldest, sizeof oldest, "%.*s", (int)(strlen(path) - 2), path);
    }
  }
  bool removed = count > CC_PRECOMPILED_KEPT;
  for (size_t i = 0; removed && i < sizeof endings / sizeof *endings; i++) {
    char *path = cc_format("%s%s", oldest, endings[i]);
    removed = unlink(path) == 0 || errno == ENOENT;
    free(path);
  }
  return removed;
}

/*
 * Gives the file the time before which its parts have to be, and puts it in its place: whole, also
 * where the machine then ends, because no compiler looks at more than its start.
 */
static bool place_file(const char *temporary, const char *path, struct timespec when) {
  const struct timespec times[] = {when, when};
  const int file = open(temporary, O_WRONLY | O_CLOEXEC);
  const bool done = file >= 0 && futimens(file, times) == 0 && fsync(file) == 0;
  if (file >= 0)
    close(file);
  return done && rename(temporary, path) == 0;
}

static bool compile_header(cc_work *work, const cc_precompiled *precompiled) {
  char *made = cc_format("%s.gch", precompiled->header);
  char *list = cc_format("%s.d", precompiled->header);
  char *new_made = cc_format("%s.new", made);
  char *new_list = cc_format("%s.new", list);
  char *words = cc_work_file(work, ".txt");
  struct timespec begin;
  clock_gettime(CLOCK_REALTIME, &begin);
  const char *const after[] = {
      "-x",     "c++-header", precompiled->header, "-o", new_made, "-MD", "-MF",
      new_list, "-MT",        CC_DEPEND_TARGET};
  cc_texts command = {0};
  cc_texts_add_all(&command, &precompiled->words);
  CC_TEXTS_ADD_ARRAY(&command, after);
  const bool done = child_try(&command, words) && place_file(new_list, list, begin) &&
                    place_file(new_made, made, begin);
  unlink(new_made);
  unlink(new_list);
  cc_texts_free(&command);
  free(words);
  free(new_list);
  free(new_made);
  free(list);
  free(made);
  return done;
}

/* The directory's file system has to have space for some of them, so that none is made in vain. */
static bool has_room(int directory) {
  struct statvfs found;
  return fstatvfs(directory, &found) == 0 && found.f_bavail > ((uint64_t)1 << 29) / found.f_frsize;
}

bool cc_precompiled_make(cc_work *work, const void *data) {
  const cc_precompiled *precompiled = data;
  const int directory = open_directory(precompiled, true);
  /* One of several processes makes them, and the others do without. */
  if (directory < 0 || !has_room(directory) || flock(directory, LOCK_EX | LOCK_NB) != 0) {
    if (directory >= 0)
      close(directory);
    return true;
  }
  DIR *all = fdopendir(directory);
  if (!all) {
    close(directory);
    return true;
  }
  /* The header stays as it is: clang looks at its time. */
  if ((access(precompiled->header, R_OK) == 0 ||
       file_write(precompiled->header, precompiled->header, inclusion, sizeof inclusion - 1,
                  false)) &&
      compile_header(work, precompiled))
    while (remove_oldest(precompiled, all))
      ;
  closedir(all);
  return true;
}

/* ---- Using them ---- */

static char *header_in(const char *directory) {
  return cc_format("%s/precompiled.hpp", directory);
}

void cc_precompiled_add_depend(const cc_precompiled *precompiled, const char *directory,
                               cc_depend *depend) {
  char *header = header_in(directory);
  if (access(header, F_OK) == 0)
    read_parts(precompiled, depend);
  free(header);
}

char *cc_precompiled_use(const cc_precompiled *precompiled, const char *file,
                         const char *directory) {
  if (!precompiled->header || !cc_precompiled_fits(file) ||
      !do_they_hold(precompiled, &precompiled->directories))
    return NULL;
  char *list = cc_format("%s.d", precompiled->header);
  char *made = cc_format("%s.gch", precompiled->header);
  char *header = header_in(directory);
  char *link = cc_format("%s.gch", header);
  /* A compiler that does not take what is in the cache, or finds it gone, reads the header. */
  const bool done = file_write(header, header, inclusion, sizeof inclusion - 1, false) &&
                    symlink(made, link) == 0;
  utimensat(AT_FDCWD, list, NULL, 0); /* it was used now */
  free(link);
  free(made);
  free(list);
  if (!done) {
    free(header);
    return NULL;
  }
  return header;
}
