#define _GNU_SOURCE /* RTLD_NEXT */
#include "os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

os_file os_file_kind(const char *path, os_reason *reason) {
  struct stat status;
  if (stat(path, &status) != 0) {
    /* ENOTDIR: a part of the path is a file, so there is no file below it. */
    if (errno == ENOENT || errno == ENOTDIR)
      return OS_FILE_ABSENT;
    snprintf(reason->text, sizeof reason->text, "%s", strerror(errno));
    return OS_FILE_UNUSABLE;
  }
  if (S_ISREG(status.st_mode))
    return OS_FILE_REGULAR;
  snprintf(reason->text, sizeof reason->text, "it is %s, not a file",
           S_ISDIR(status.st_mode) ? "a directory" : "a device, pipe or socket");
  return OS_FILE_UNUSABLE;
}

/*
 * Returns whether a library ends before the last byte of its segments, for example because a copy
 * was interrupted. dlopen maps such a file and crashes with SIGBUS; it reports all other faults.
 */
static bool is_cut_short(const char *path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  struct stat status;
  ElfW(Ehdr) header;
  bool cut = false;
  if (fstat(file, &status) == 0 &&
      pread(file, &header, sizeof header, 0) == (ssize_t)sizeof header &&
      memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_phentsize == sizeof(ElfW(Phdr)))
    for (size_t i = 0; i < header.e_phnum && !cut; i++) {
      ElfW(Phdr) segment;
      const off_t place = (off_t)(header.e_phoff + i * sizeof segment);
      cut = pread(file, &segment, sizeof segment, place) != (ssize_t)sizeof segment ||
            (segment.p_type == PT_LOAD &&
             (segment.p_offset > (uint64_t)status.st_size ||
              segment.p_filesz > (uint64_t)status.st_size - segment.p_offset));
    }
  close(file);
  return cut;
}

void *os_library_open(const char *path, os_reason *reason) {
  if (is_cut_short(path)) {
    snprintf(reason->text, sizeof reason->text, "the file is incomplete");
    return NULL;
  }
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *error = dlerror();
    snprintf(reason->text, sizeof reason->text, "%s", error ? error : "it cannot be loaded");
  }
  return library;
}

void *os_library_symbol(void *library, const char *name) {
  return dlsym(library, name);
}

void os_library_close(void *library) {
  dlclose(library);
}

void *os_next_symbol(const char *name) {
  return dlsym(RTLD_NEXT, name);
}
