#define _GNU_SOURCE /* PATH_MAX */
#include "cache_folder.h"

#include "error.h"
#include "trace.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  pthread_mutex_t lock;
  bool begun; /* SPECPI_CACHE_DIR was looked at, or does not count any more */
  bool named;
  bool complained; /* about this folder */
  cache_disk_limits limits;
  specpi_cache_statistics counts; /* disk_ alone */
  char path[PATH_MAX];
} state = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .limits = {SPECPI_CACHE_FOLDER_BYTES, SPECPI_CACHE_FILE_BYTES}};

/* What a call needs of the state, as it was at its begin. */
typedef struct place {
  char path[PATH_MAX];
  cache_disk_limits limits;
} place;

/* Says what is wrong with a folder, once. */
static void complain(const char *path, const os_reason *reason) {
  pthread_mutex_lock(&state.lock);
  const bool first = !state.complained || strcmp(path, state.path) != 0;
  state.complained = true;
  state.counts.disk_failures++;
  pthread_mutex_unlock(&state.lock);
  if (first)
    trace_line("cache: the folder %s fails, which is said once: %s", path, reason->text);
}

/* Takes up SPECPI_CACHE_DIR on first use. Under the lock; false with a reason if it is no good. */
static bool open_folder(os_reason *reason) {
  if (state.begun)
    return true;
  state.begun = true;
  const char *path = os_environment_safe("SPECPI_CACHE_DIR");
  if (!path || !*path)
    return true;
  const int length = snprintf(state.path, sizeof state.path, "%s", path);
  state.named = (size_t)length < sizeof state.path && cache_disk_check(state.path, reason);
  return state.named;
}

/* The folder; false when there is none. */
static bool get_place(place *ret) {
  os_reason reason = {"the path is too long"};
  pthread_mutex_lock(&state.lock);
  const bool good = open_folder(&reason);
  const bool named = state.named;
  if (named || !good)
    memcpy(ret->path, state.path, sizeof ret->path);
  ret->limits = state.limits;
  pthread_mutex_unlock(&state.lock);
  if (!good)
    complain(ret->path, &reason);
  return named;
}

bool cache_folder_named(void) {
  place at;
  return get_place(&at);
}

/* Adds to a count, by its name. */
#define COUNT(name, number)                                                                        \
  do {                                                                                             \
    pthread_mutex_lock(&state.lock);                                                               \
    state.counts.name += (number);                                                                 \
    pthread_mutex_unlock(&state.lock);                                                             \
  } while (0)

static void rejected(const char *why) {
  COUNT(disk_rejected, 1);
  if (trace_enabled(TRACE_CACHE))
    trace_line("cache: a program in the folder is not used: %s", why);
}

void *cache_folder_read(const cache_key *key, bool again, size_t *size) {
  place at;
  if (!get_place(&at))
    return NULL;
  os_reason reason;
  void *payload = NULL;
  const cache_disk_found found =
      cache_disk_read(at.path, key, at.limits.file, &payload, size, &reason);
  if (again)
    return payload;
  switch (found) {
  case CACHE_DISK_FOUND:
    return payload;
  case CACHE_DISK_ABSENT:
    COUNT(disk_misses, 1);
    break;
  case CACHE_DISK_REJECTED:
    rejected(reason.text);
    break;
  case CACHE_DISK_FAILED:
    complain(at.path, &reason);
    break;
  }
  return NULL;
}

cache_lock_state cache_folder_lock(const cache_key *key, uint64_t deadline, cache_lock *ret) {
  place at;
  return get_place(&at) ? cache_lock_take(at.path, key, deadline, ret) : CACHE_LOCK_NONE;
}

void cache_folder_accept(void) {
  COUNT(disk_hits, 1);
}

void cache_folder_refuse(const cache_key *key, const char *why) {
  place at;
  rejected(why);
  if (get_place(&at))
    cache_disk_remove(at.path, key);
}

void cache_folder_write(const cache_key *key, const void *payload, size_t size) {
  place at;
  if (!get_place(&at))
    return;
  if (!cache_disk_fits(key->size, size, &at.limits)) {
    COUNT(disk_failures, 1);
    return;
  }
  os_reason reason;
  size_t removed = 0;
  const bool written = cache_disk_write(at.path, key, payload, size, &at.limits, &removed, &reason);
  COUNT(disk_evictions, removed);
  if (written)
    COUNT(disk_writes, 1);
  else
    complain(at.path, &reason);
}

void cache_folder_set_limits(const cache_disk_limits *limits) {
  pthread_mutex_lock(&state.lock);
  state.limits = *limits;
  pthread_mutex_unlock(&state.lock);
}

cache_disk_limits cache_folder_get_limits(void) {
  pthread_mutex_lock(&state.lock);
  const cache_disk_limits limits = state.limits;
  pthread_mutex_unlock(&state.lock);
  return limits;
}

void cache_folder_count(specpi_cache_statistics *statistics) {
  pthread_mutex_lock(&state.lock);
  const specpi_cache_statistics *counts = &state.counts;
  statistics->disk_hits = counts->disk_hits;
  statistics->disk_misses = counts->disk_misses;
  statistics->disk_rejected = counts->disk_rejected;
  statistics->disk_writes = counts->disk_writes;
  statistics->disk_failures = counts->disk_failures;
  statistics->disk_evictions = counts->disk_evictions;
  pthread_mutex_unlock(&state.lock);
}

specpi_result specpiCacheSetFolder(const char *folder) {
  os_reason reason;
  const size_t length = folder ? strlen(folder) : 0;
  if (length >= sizeof state.path)
    return error_set(SPECPI_ERROR_FOLDER, "the cache's folder has a path of %zu bytes", length);
  if (folder && !cache_disk_check(folder, &reason))
    return error_set(SPECPI_ERROR_FOLDER, "the cache's folder \"%s\" cannot be used: %s", folder,
                     reason.text);
  pthread_mutex_lock(&state.lock);
  state.begun = true;
  state.named = folder != NULL;
  state.complained = false;
  if (folder)
    memcpy(state.path, folder, length + 1);
  pthread_mutex_unlock(&state.lock);
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheClearFolder(void) {
  place at;
  os_reason reason;
  if (get_place(&at) && !cache_disk_clear(at.path, &reason))
    return error_set(SPECPI_ERROR_FOLDER, "the cache's folder \"%s\" cannot be cleared: %s",
                     at.path, reason.text);
  return SPECPI_SUCCESS;
}
