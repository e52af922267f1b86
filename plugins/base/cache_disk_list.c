#define _GNU_SOURCE /* openat, unlinkat, st_mtim */
#include "cache_disk_list.h"

#include "vector.h"
#include "write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*
 * LEFT_BEHIND: age in seconds at which a temporary file is removed. No writer needs that long, and
 * no process waits that long for a claim.
 */
enum { LEFT_BEHIND = 600, BLOCK = 4096 };

typedef struct listed {
  char name[CACHE_DISK_NAME + 1];
  struct timespec used;
  uint64_t cost;
} listed;

typedef struct list {
  listed *files;
  size_t count, capacity;
  uint64_t cost;
  time_t now; /* time of the file system's clock; 0: not known yet */
} list;

uint64_t cache_disk_cost(uint64_t size) {
  return size <= UINT64_MAX - BLOCK ? (size + BLOCK - 1) / BLOCK * BLOCK : UINT64_MAX;
}

static bool is_file_name(const char *name) {
  return strlen(name) == CACHE_DISK_NAME && strspn(name, "0123456789abcdef") == 32 &&
         strcmp(name + 32, CACHE_DISK_SUFFIX) == 0;
}

static bool is_temporary_name(const char *name) {
  return strncmp(name, CACHE_DISK_TEMPORARY, sizeof CACHE_DISK_TEMPORARY - 1) == 0;
}

static bool list_add(list *all, const char *name, const struct stat *status) {
  if (!vector_reserve(&all->files, &all->capacity, all->count, sizeof *all->files))
    return false;
  listed *one = &all->files[all->count++];
  memcpy(one->name, name, sizeof one->name);
  one->used = status->st_mtim;
  one->cost = cache_disk_cost((uint64_t)status->st_size);
  all->cost += one->cost;
  return true;
}

/*
 * Returns the time by the clock that dates the files, which may be a server's. Creates a file to
 * find out. Returns the time 1 if that fails, so that no file seems old.
 */
static time_t ask_file_system(int directory) {
  static const char name[] = CACHE_DISK_TEMPORARY "clock";
  struct stat status = {.st_mtim.tv_sec = 1};
  unlinkat(directory, name, 0);
  const int file =
      openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR);
  if (file < 0)
    return 1;
  if (!write_all(file, "", 1) || fsync(file) != 0 || fstat(file, &status) != 0)
    status.st_mtim.tv_sec = 1;
  close(file);
  unlinkat(directory, name, 0);
  return status.st_mtim.tv_sec;
}

/*
 * Lists one name of the directory if it is a file of the cache, or removes an old temporary file.
 * Returns false if memory runs out.
 */
static bool look_at(int directory, const char *name, const char *except, list *all) {
  struct stat status;
  const bool temporary = is_temporary_name(name);
  if ((!temporary && !is_file_name(name)) || strcmp(name, except) == 0 ||
      fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return true;
  if (!temporary)
    return list_add(all, name, &status);
  /* Temporary files of active writers do not count, because each writer makes space itself. */
  if (all->now == 0)
    all->now = ask_file_system(directory);
  if (all->now - status.st_mtim.tv_sec > LEFT_BEHIND)
    unlinkat(directory, name, 0);
  return true;
}

static bool list_make(int directory, const char *except, list *all, os_reason *reason) {
  /* Opens the directory again, because dup would share the position in it. */
  const int own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = own >= 0 ? fdopendir(own) : NULL;
  if (!stream) {
    snprintf(reason->text, sizeof reason->text, "the directory cannot be read: %s",
             strerror(errno));
    if (own >= 0)
      close(own);
    return false;
  }
  bool good = true;
  for (struct dirent *found; good && (found = readdir(stream));)
    good = look_at(directory, found->d_name, except, all);
  closedir(stream);
  if (!good)
    snprintf(reason->text, sizeof reason->text, "an allocation failed");
  return good;
}

static int compare_use(const void *a, const void *b) {
  const struct timespec x = ((const listed *)a)->used, y = ((const listed *)b)->used;
  if (x.tv_sec != y.tv_sec)
    return x.tv_sec < y.tv_sec ? -1 : 1;
  return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

bool cache_disk_make_room(int directory, const char *except, uint64_t limit, size_t *removed,
                          os_reason *reason) {
  *removed = 0;
  list all = {0};
  bool good = list_make(directory, except, &all, reason);
  if (good && all.cost > limit) {
    qsort(all.files, all.count, sizeof *all.files, compare_use);
    for (size_t i = 0; i < all.count && all.cost > limit; i++) {
      if (unlinkat(directory, all.files[i].name, 0) == 0)
        ++*removed;
      else if (errno != ENOENT) /* ENOENT: another process has removed the file */
        continue;
      all.cost -= all.files[i].cost;
    }
    if (all.cost > limit) {
      snprintf(reason->text, sizeof reason->text, "the files in the directory cannot be removed");
      good = false;
    }
  }
  free(all.files);
  return good;
}

bool cache_disk_count_files(int directory, size_t *files, uint64_t *cost, os_reason *reason) {
  list all = {0};
  const bool good = list_make(directory, "", &all, reason);
  free(all.files);
  if (good) {
    *files = all.count;
    *cost = all.cost;
  }
  return good;
}
