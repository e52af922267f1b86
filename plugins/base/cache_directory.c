#define _GNU_SOURCE /* RTLD_NOLOAD */
#include "cache_directory.h"

#include "directory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copy of a cache_directory's settings, made at the start of a call. */
typedef struct place {
  char path[CACHE_DIRECTORY_PATH];
  cache_disk_limits limits;
  bool is_usual;
} place;

enum { LINE = CACHE_DIRECTORY_PATH + sizeof(os_reason) + 64 };

/*
 * Returns whether this library is the first of the process to report the directory. If libspecpi
 * is loaded, it records the report for all libraries; else the answer is true.
 */
static bool is_first_library(const char *path, const char *line) {
  static const char prefix[] = "cache: ";
  char name[sizeof prefix + CACHE_DIRECTORY_PATH];
  void *library = dlopen(SPECPI_SONAME, RTLD_LAZY | RTLD_NOLOAD);
  const void *(*share)(const char *, const void *) = NULL;
  if (library)
    *(void **)&share = dlsym(library, "specpiObjectShare");
  char *own = share ? strdup(line) : NULL;
  bool ret = true;
  if (own) {
    snprintf(name, sizeof name, "%s%s", prefix, path);
    ret = share(name, own) == own;
    if (!ret)
      free(own);
  }
  if (library)
    dlclose(library);
  return ret;
}

/* Counts a failure, and reports it once for each directory: to the user if is_said, else traced. */
static void complain(cache_directory *directory, const char *path, const os_reason *reason,
                     bool is_said) {
  pthread_mutex_lock(&directory->lock);
  const bool is_first = !directory->complained || strcmp(path, directory->path) != 0;
  const bool is_usual = directory->is_usual;
  directory->complained = true;
  directory->counts.disk_failures++;
  pthread_mutex_unlock(&directory->lock);
  if (!is_first)
    return;
  char line[LINE];
  snprintf(line, sizeof line, "cache: the directory %s cannot be used (reported once): %s%s", path,
           reason->text,
           is_usual
               ? " (SPECPI_CACHE_DIR names another directory; set and empty, it turns the cache "
                 "off)"
               : "");
  if (!is_said)
    directory->trace(line);
  else if (is_first_library(path, line))
    directory->say(line);
}

/*
 * On first use takes the directory from the environment. The caller holds the lock. Returns false
 * with a reason if the directory is unusable; *is_said receives whether to report that to the user.
 */
static bool begin_directory(cache_directory *directory, os_reason *reason, bool *is_said) {
  if (directory->begun)
    return true;
  directory->begun = true;
  if (!directory_find_kept(directory->path, sizeof directory->path, &directory->is_usual))
    return true;
  /* If the path was truncated, this fails, because the path is too long for the system, too. */
  directory->named = cache_disk_check(directory->path, reason);
  *is_said = !directory->is_usual || errno == EPERM;
  if (!directory->named)
    directory->reason = *reason;
  return directory->named;
}

/* Copies the directory's settings; returns false if there is no directory. */
static bool get_place(cache_directory *directory, place *ret) {
  os_reason reason = {""};
  bool is_said = false;
  pthread_mutex_lock(&directory->lock);
  const bool is_good = begin_directory(directory, &reason, &is_said);
  const bool is_named = directory->named;
  if (is_named || !is_good)
    memcpy(ret->path, directory->path, sizeof ret->path);
  ret->limits = directory->limits;
  ret->is_usual = directory->is_usual;
  pthread_mutex_unlock(&directory->lock);
  if (!is_good)
    complain(directory, ret->path, &reason, is_said);
  return is_named;
}

bool cache_directory_is_named(cache_directory *directory) {
  place at;
  return get_place(directory, &at);
}

bool cache_directory_is_given(cache_directory *directory) {
  pthread_mutex_lock(&directory->lock);
  const bool is_given = directory->is_given;
  pthread_mutex_unlock(&directory->lock);
  return is_given;
}

/* Adds a number to the count with this name. */
#define COUNT(directory, name, number)                                                             \
  do {                                                                                             \
    pthread_mutex_lock(&(directory)->lock);                                                        \
    (directory)->counts.name += (number);                                                          \
    pthread_mutex_unlock(&(directory)->lock);                                                      \
  } while (0)

static void reject_file(cache_directory *directory, const char *why) {
  char line[LINE];
  COUNT(directory, disk_rejected, 1);
  snprintf(line, sizeof line, "cache: a program in the directory is not used: %s", why);
  directory->trace(line);
}

/*
 * Reads the payload of a key, which the caller frees; NULL if there is no valid one. is_again: this
 * is not the first attempt, so failures are not counted again.
 */
static void *read_payload(cache_directory *directory, const place *at, const cache_key *key,
                          bool is_again, size_t *size) {
  os_reason reason;
  void *payload = NULL;
  const cache_disk_found found =
      cache_disk_read(at->path, key, at->limits.file, &payload, size, &reason);
  if (is_again)
    return payload;
  switch (found) {
  case CACHE_DISK_FOUND:
    return payload;
  case CACHE_DISK_ABSENT:
    COUNT(directory, disk_misses, 1);
    break;
  case CACHE_DISK_REJECTED:
    reject_file(directory, reason.text);
    break;
  case CACHE_DISK_FAILED:
    complain(directory, at->path, &reason, !at->is_usual);
    break;
  }
  return NULL;
}

/* Arguments of load_payload. */
typedef struct loading {
  cache_directory *directory;
  const place *at;
  const cache_key *key;
  cache_directory_load load;
  void *data;
} loading;

static bool load_payload(const loading *loading, bool is_again) {
  size_t size = 0;
  void *payload = read_payload(loading->directory, loading->at, loading->key, is_again, &size);
  if (!payload)
    return false;
  const char *why = loading->load(loading->data, payload, size);
  free(payload);
  if (!why) {
    COUNT(loading->directory, disk_hits, 1);
    return true;
  }
  reject_file(loading->directory, why);
  cache_disk_remove(loading->at->path, loading->key);
  return false;
}

/*
 * Takes or waits for one of a key's locks, and then tries to load the payload again. Returns
 * whether that succeeded; if not, *state is the state of the lock.
 */
static bool load_under_lock(const loading *loading, unsigned number, cache_lock_state *state,
                            cache_lock *lock) {
  const uint64_t deadline = os_time_ns() + loading->directory->wait_ns;
  do {
    *state = cache_lock_take(loading->at->path, loading->key, number, deadline, lock);
    if (*state == CACHE_LOCK_NONE)
      return false;
    if (load_payload(loading, true)) {
      cache_lock_release(lock);
      return true;
    }
  } while (*state == CACHE_LOCK_PASSED);
  return false;
}

bool cache_directory_find(cache_directory *directory, const cache_key *key,
                          cache_directory_load load, void *data, cache_lock *lock) {
  place at;
  if (!get_place(directory, &at))
    return false;
  const loading loading = {directory, &at, key, load, data};
  if (load_payload(&loading, false))
    return true;
  cache_lock_state state = CACHE_LOCK_LATE;
  for (unsigned number = 0; number < CACHE_LOCKS && state == CACHE_LOCK_LATE; number++)
    if (load_under_lock(&loading, number, &state, lock))
      return true;
  return false;
}

void cache_directory_write(cache_directory *directory, const cache_key *key, const void *payload,
                           size_t size) {
  place at;
  if (!get_place(directory, &at))
    return;
  if (!cache_disk_fits(key->size, size, &at.limits)) {
    COUNT(directory, disk_failures, 1);
    return;
  }
  os_reason reason;
  size_t removed = 0;
  const bool is_written =
      cache_disk_write(at.path, key, payload, size, &at.limits, &removed, &reason);
  COUNT(directory, disk_evictions, removed);
  if (is_written)
    COUNT(directory, disk_writes, 1);
  else
    complain(directory, at.path, &reason, !at.is_usual);
}

bool cache_directory_name(cache_directory *directory, const char *path, os_reason *reason) {
  const size_t length = path ? strlen(path) : 0;
  if (length >= sizeof directory->path) {
    snprintf(reason->text, sizeof reason->text, "its path has %zu bytes", length);
    return false;
  }
  if (path && !cache_disk_check(path, reason))
    return false;
  pthread_mutex_lock(&directory->lock);
  directory->begun = true;
  directory->named = path != NULL;
  directory->is_usual = false;
  directory->is_given = path != NULL;
  directory->complained = false;
  directory->reason.text[0] = '\0';
  if (path)
    memcpy(directory->path, path, length + 1);
  pthread_mutex_unlock(&directory->lock);
  return true;
}

bool cache_directory_measure(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                             cache_disk_usage *usage, os_reason *reason) {
  place at;
  if (get_place(directory, &at)) {
    memcpy(path, at.path, sizeof at.path);
    return cache_disk_measure(at.path, usage, reason);
  }
  *usage = (cache_disk_usage){0};
  path[0] = '\0';
  pthread_mutex_lock(&directory->lock);
  *reason = directory->reason;
  if (*reason->text)
    memcpy(path, directory->path, sizeof directory->path);
  pthread_mutex_unlock(&directory->lock);
  return !*reason->text;
}

bool cache_directory_clear(cache_directory *directory, char path[CACHE_DIRECTORY_PATH],
                           os_reason *reason) {
  place at;
  if (!get_place(directory, &at))
    return true;
  memcpy(path, at.path, sizeof at.path);
  return cache_disk_clear(at.path, reason);
}

void cache_directory_set_limits(cache_directory *directory, const cache_disk_limits *limits) {
  pthread_mutex_lock(&directory->lock);
  directory->limits = *limits;
  pthread_mutex_unlock(&directory->lock);
}

cache_disk_limits cache_directory_get_limits(cache_directory *directory) {
  pthread_mutex_lock(&directory->lock);
  const cache_disk_limits limits = directory->limits;
  pthread_mutex_unlock(&directory->lock);
  return limits;
}

cache_directory_counts cache_directory_get_counts(cache_directory *directory) {
  pthread_mutex_lock(&directory->lock);
  const cache_directory_counts counts = directory->counts;
  pthread_mutex_unlock(&directory->lock);
  return counts;
}
