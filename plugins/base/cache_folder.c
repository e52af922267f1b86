#define _GNU_SOURCE /* RTLD_NOLOAD */
#include "cache_folder.h"

#include "folder.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a call needs of a folder, as it was at its begin. */
typedef struct place {
  char path[CACHE_FOLDER_PATH];
  cache_disk_limits limits;
  bool is_usual;
} place;

enum { LINE = CACHE_FOLDER_PATH + sizeof(os_reason) + 64 };

/*
 * Returns whether no other library of this process has said the line. libspecpi, where it is there,
 * keeps the line under the folder's name for all of them.
 */
static bool is_first_library(const char *path, const char *line) {
  static const char prefix[] = "cache: ";
  char name[sizeof prefix + CACHE_FOLDER_PATH];
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

/* Says what is wrong with a folder, once, if the user is to hear of it. */
static void complain(cache_folder *folder, const char *path, const os_reason *reason,
                     bool is_said) {
  pthread_mutex_lock(&folder->lock);
  const bool is_first = !folder->complained || strcmp(path, folder->path) != 0;
  const bool is_usual = folder->is_usual;
  folder->complained = true;
  folder->counts.disk_failures++;
  pthread_mutex_unlock(&folder->lock);
  if (!is_first)
    return;
  char line[LINE];
  snprintf(line, sizeof line, "cache: the folder %s fails, which is said once: %s%s", path,
           reason->text,
           is_usual ? " (SPECPI_CACHE_DIR names another folder; set and empty, it turns the cache "
                      "off)"
                    : "");
  if (!is_said)
    folder->trace(line);
  else if (is_first_library(path, line))
    folder->say(line);
}

/*
 * Takes up the folder of the environment on first use. Under the lock; false with a reason if it is
 * no good, and whether that is to be said.
 */
static bool begin_folder(cache_folder *folder, os_reason *reason, bool *is_said) {
  if (folder->begun)
    return true;
  folder->begun = true;
  if (!folder_find_kept(folder->path, sizeof folder->path, &folder->is_usual))
    return true;
  /* A path that was cut is as long as the system's longest, which is refused. */
  folder->named = cache_disk_check(folder->path, reason);
  *is_said = !folder->is_usual || errno == EPERM;
  if (!folder->named)
    folder->reason = *reason;
  return folder->named;
}

/* Where it is; false when there is none. */
static bool get_place(cache_folder *folder, place *ret) {
  os_reason reason = {""};
  bool is_said = false;
  pthread_mutex_lock(&folder->lock);
  const bool is_good = begin_folder(folder, &reason, &is_said);
  const bool is_named = folder->named;
  if (is_named || !is_good)
    memcpy(ret->path, folder->path, sizeof ret->path);
  ret->limits = folder->limits;
  ret->is_usual = folder->is_usual;
  pthread_mutex_unlock(&folder->lock);
  if (!is_good)
    complain(folder, ret->path, &reason, is_said);
  return is_named;
}

bool cache_folder_is_named(cache_folder *folder) {
  place at;
  return get_place(folder, &at);
}

bool cache_folder_is_given(cache_folder *folder) {
  pthread_mutex_lock(&folder->lock);
  const bool is_given = folder->is_given;
  pthread_mutex_unlock(&folder->lock);
  return is_given;
}

/* Adds to a count, by its name. */
#define COUNT(folder, name, number)                                                                \
  do {                                                                                             \
    pthread_mutex_lock(&(folder)->lock);                                                           \
    (folder)->counts.name += (number);                                                             \
    pthread_mutex_unlock(&(folder)->lock);                                                         \
  } while (0)

static void reject_file(cache_folder *folder, const char *why) {
  char line[LINE];
  COUNT(folder, disk_rejected, 1);
  snprintf(line, sizeof line, "cache: a program in the folder is not used: %s", why);
  folder->trace(line);
}

/*
 * The payload of a key, freed by the caller; NULL when there is none to be trusted. is_again: it
 * was looked for before, which counts only if it is there.
 */
static void *read_payload(cache_folder *folder, const place *at, const cache_key *key,
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
    COUNT(folder, disk_misses, 1);
    break;
  case CACHE_DISK_REJECTED:
    reject_file(folder, reason.text);
    break;
  case CACHE_DISK_FAILED:
    complain(folder, at->path, &reason, !at->is_usual);
    break;
  }
  return NULL;
}

/* What there is to load, and how. */
typedef struct loading {
  cache_folder *folder;
  const place *at;
  const cache_key *key;
  cache_folder_load load;
  void *data;
} loading;

static bool load_payload(const loading *it, bool is_again) {
  size_t size = 0;
  void *payload = read_payload(it->folder, it->at, it->key, is_again, &size);
  if (!payload)
    return false;
  const char *why = it->load(it->data, payload, size);
  free(payload);
  if (!why) {
    COUNT(it->folder, disk_hits, 1);
    return true;
  }
  reject_file(it->folder, why);
  cache_disk_remove(it->at->path, it->key);
  return false;
}

/* One of the locks: true when a payload was loaded, else with what became of the lock. */
static bool load_under_lock(const loading *it, unsigned number, cache_lock_state *state,
                            cache_lock *lock) {
  const uint64_t deadline = os_time_ns() + it->folder->wait_ns;
  do {
    *state = cache_lock_take(it->at->path, it->key, number, deadline, lock);
    if (*state == CACHE_LOCK_NONE)
      return false;
    if (load_payload(it, true)) {
      cache_lock_release(lock);
      return true;
    }
  } while (*state == CACHE_LOCK_PASSED);
  return false;
}

bool cache_folder_find(cache_folder *folder, const cache_key *key, cache_folder_load load,
                       void *data, cache_lock *lock) {
  place at;
  if (!get_place(folder, &at))
    return false;
  const loading it = {folder, &at, key, load, data};
  if (load_payload(&it, false))
    return true;
  cache_lock_state state = CACHE_LOCK_LATE;
  for (unsigned number = 0; number < CACHE_LOCKS && state == CACHE_LOCK_LATE; number++)
    if (load_under_lock(&it, number, &state, lock))
      return true;
  return false;
}

void cache_folder_write(cache_folder *folder, const cache_key *key, const void *payload,
                        size_t size) {
  place at;
  if (!get_place(folder, &at))
    return;
  if (!cache_disk_fits(key->size, size, &at.limits)) {
    COUNT(folder, disk_failures, 1);
    return;
  }
  os_reason reason;
  size_t removed = 0;
  const bool is_written =
      cache_disk_write(at.path, key, payload, size, &at.limits, &removed, &reason);
  COUNT(folder, disk_evictions, removed);
  if (is_written)
    COUNT(folder, disk_writes, 1);
  else
    complain(folder, at.path, &reason, !at.is_usual);
}

bool cache_folder_name(cache_folder *folder, const char *path, os_reason *reason) {
  const size_t length = path ? strlen(path) : 0;
  if (length >= sizeof folder->path) {
    snprintf(reason->text, sizeof reason->text, "its path has %zu bytes", length);
    return false;
  }
  if (path && !cache_disk_check(path, reason))
    return false;
  pthread_mutex_lock(&folder->lock);
  folder->begun = true;
  folder->named = path != NULL;
  folder->is_usual = false;
  folder->is_given = path != NULL;
  folder->complained = false;
  folder->reason.text[0] = '\0';
  if (path)
    memcpy(folder->path, path, length + 1);
  pthread_mutex_unlock(&folder->lock);
  return true;
}

bool cache_folder_measure(cache_folder *folder, char path[CACHE_FOLDER_PATH],
                          cache_disk_usage *usage, os_reason *reason) {
  place at;
  if (get_place(folder, &at)) {
    memcpy(path, at.path, sizeof at.path);
    return cache_disk_measure(at.path, usage, reason);
  }
  *usage = (cache_disk_usage){0};
  path[0] = '\0';
  pthread_mutex_lock(&folder->lock);
  *reason = folder->reason;
  if (*reason->text)
    memcpy(path, folder->path, sizeof folder->path);
  pthread_mutex_unlock(&folder->lock);
  return !*reason->text;
}

bool cache_folder_clear(cache_folder *folder, char path[CACHE_FOLDER_PATH], os_reason *reason) {
  place at;
  if (!get_place(folder, &at))
    return true;
  memcpy(path, at.path, sizeof at.path);
  return cache_disk_clear(at.path, reason);
}

void cache_folder_set_limits(cache_folder *folder, const cache_disk_limits *limits) {
  pthread_mutex_lock(&folder->lock);
  folder->limits = *limits;
  pthread_mutex_unlock(&folder->lock);
}

cache_disk_limits cache_folder_get_limits(cache_folder *folder) {
  pthread_mutex_lock(&folder->lock);
  const cache_disk_limits limits = folder->limits;
  pthread_mutex_unlock(&folder->lock);
  return limits;
}

cache_folder_counts cache_folder_get_counts(cache_folder *folder) {
  pthread_mutex_lock(&folder->lock);
  const cache_folder_counts counts = folder->counts;
  pthread_mutex_unlock(&folder->lock);
  return counts;
}
