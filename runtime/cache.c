#define _GNU_SOURCE /* strdup */
#include "cache.h"

#include "build_log.h"
#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A build under way, as long as its builder or anybody who waits for it is there. */
typedef struct flight {
  pthread_cond_t landed;
  size_t aboard; /* the builder and those who wait */
  bool done;
  bool dropped; /* the cache was cleared meanwhile: the entry is not in the table */
  specpi_result result;
  void *object; /* with a reference of its own */
  char sentence[1024];
  char *log; /* of a build that failed, or NULL */
} flight;

typedef struct cache_entry entry;

struct cache_entry {
  entry *next;          /* in its list of the table */
  entry *newer, *older; /* by last use; older also links what is given up */
  flight *flight;       /* while it is being built; such an entry is neither newer nor older */
  void *object;
  size_t bytes; /* with the key's */
  cache_key key;
  unsigned char key_bytes[];
};

static entry **places_of(cache *cache) {
  return cache->places ? cache->places : cache->first;
}

static entry **place_of(cache *cache, const cache_key *key) {
  /* The scope is an address, whose lowest bits are always 0. */
  const uint64_t hash = key->hash.low ^ ((uintptr_t)key->scope >> 4);
  return &places_of(cache)[hash & (cache->place_count - 1)];
}

static entry *find_entry(cache *cache, const cache_key *key) {
  entry *one = *place_of(cache, key);
  while (one && !cache_key_equal(&one->key, key))
    one = one->next;
  return one;
}

/* Doubles the table when it is full. Without memory it stays, and its lists get longer. */
static void grow(cache *cache) {
  if (cache->entry_count < cache->place_count)
    return;
  entry **old = places_of(cache);
  const size_t old_count = cache->place_count;
  entry **places = calloc(2 * old_count, sizeof(entry *));
  if (!places)
    return;
  cache->places = places;
  cache->place_count = 2 * old_count;
  for (size_t i = 0; i < old_count; i++)
    for (entry *one = old[i], *next; one; one = next) {
      next = one->next;
      entry **place = place_of(cache, &one->key);
      one->next = *place;
      *place = one;
    }
  if (old == cache->first)
    memset(cache->first, 0, sizeof cache->first);
  else
    free(old);
}

static void table_add(cache *cache, entry *one) {
  grow(cache);
  entry **place = place_of(cache, &one->key);
  one->next = *place;
  *place = one;
  cache->entry_count++;
}

static void table_remove(cache *cache, entry *one) {
  entry **place = place_of(cache, &one->key);
  while (*place != one)
    place = &(*place)->next;
  *place = one->next;
  cache->entry_count--;
}

static void order_add(cache *cache, entry *one) {
  one->newer = NULL;
  one->older = cache->newest;
  *(cache->newest ? &cache->newest->newer : &cache->oldest) = one;
  cache->newest = one;
}

static void order_remove(cache *cache, entry *one) {
  *(one->newer ? &one->newer->older : &cache->newest) = one->older;
  *(one->older ? &one->older->newer : &cache->oldest) = one->newer;
}

/* Takes an entry with an object out of the cache, and puts it in front of a list. */
static void take_out(cache *cache, entry *one, entry **list) {
  table_remove(cache, one);
  order_remove(cache, one);
  cache->counts.objects--;
  cache->counts.bytes -= one->bytes;
  one->older = *list;
  *list = one;
}

/* Whether so much more than what is there now goes beyond the limits. */
static bool exceeds(const cache *cache, size_t objects, size_t bytes) {
  const cache_limits *limits = &cache->limits;
  const cache_counts *counts = &cache->counts;
  return counts->objects > limits->objects || objects > limits->objects - counts->objects ||
         counts->bytes > limits->bytes || bytes > limits->bytes - counts->bytes;
}

/* Takes out what is too much when so much is to come. */
static void make_room(cache *cache, size_t objects, size_t bytes, entry **list) {
  while (cache->oldest && exceeds(cache, objects, bytes)) {
    take_out(cache, cache->oldest, list);
    cache->counts.evictions++;
  }
}

/* Frees what was taken out. Not under the lock: a release may be a driver's, and slow. */
static void give_up(const cache *cache, entry *list) {
  while (list) {
    entry *next = list->older;
    cache->class->release(list->object);
    free(list);
    list = next;
  }
}

/* One less aboard; the last one frees the flight. Under the lock; returns what to release. */
static void *leave(flight *flight) {
  if (--flight->aboard > 0)
    return NULL;
  void *object = flight->object;
  pthread_cond_destroy(&flight->landed);
  free(flight->log);
  free(flight);
  return object;
}

/* Waits for another thread's build. Comes with the lock and goes without it. */
static specpi_result wait_for(cache *cache, flight *flight, void **object) {
  cache->counts.shared++;
  flight->aboard++;
  while (!flight->done)
    pthread_cond_wait(&flight->landed, &cache->lock);
  const specpi_result result = flight->result;
  char sentence[sizeof flight->sentence] = "";
  char *log = NULL;
  if (result == SPECPI_SUCCESS) {
    *object = flight->object;
    cache->class->retain(flight->object);
  } else {
    memcpy(sentence, flight->sentence, sizeof sentence);
    log = flight->log ? strdup(flight->log) : NULL;
  }
  void *last = leave(flight);
  pthread_mutex_unlock(&cache->lock);
  if (last)
    cache->class->release(last);
  if (result == SPECPI_SUCCESS)
    return SPECPI_SUCCESS;
  if (result == SPECPI_ERROR_BUILD_FAILED)
    build_log_keep(log);
  else
    free(log);
  return error_set(result, "%s", sentence);
}

/* An entry for a key, with a flight of its own; NULL without memory. */
static entry *new_entry(const cache_key *key) {
  flight *flight = calloc(1, sizeof *flight);
  entry *one = flight ? calloc(1, sizeof *one + key->size) : NULL;
  if (!one || pthread_cond_init(&flight->landed, NULL) != 0) {
    free(one);
    free(flight);
    return NULL;
  }
  flight->aboard = 1;
  one->flight = flight;
  one->key = *key;
  one->key.bytes = one->key_bytes;
  if (key->size > 0)
    memcpy(one->key_bytes, key->bytes, key->size);
  return one;
}

/* Puts what became of a build into the table. Under the lock. */
static void land(cache *cache, entry *one, size_t bytes, entry **list) {
  flight *flight = one->flight;
  flight->done = true;
  one->flight = NULL;
  if (flight->result == SPECPI_SUCCESS && !flight->dropped) {
    one->object = flight->object;
    cache->class->retain(one->object);
    one->bytes = bytes <= SIZE_MAX - one->key.size ? bytes + one->key.size : SIZE_MAX;
    if (one->bytes > cache->limits.bytes || cache->limits.objects == 0) {
      /* There is no room to be made for it. */
      table_remove(cache, one);
      one->older = *list;
      *list = one;
      cache->counts.evictions++;
      return;
    }
    make_room(cache, 1, one->bytes, list);
    order_add(cache, one);
    cache->counts.objects++;
    cache->counts.bytes += one->bytes;
    return;
  }
  if (!flight->dropped)
    table_remove(cache, one);
  free(one);
}

/* Builds the object of a key that is not there. Comes with the lock and goes without it. */
static specpi_result build_new(cache *cache, const cache_key *key, cache_build build, void *data,
                               void **object) {
  entry *one = new_entry(key);
  if (!one) {
    pthread_mutex_unlock(&cache->lock);
    return error_memory();
  }
  flight *flight = one->flight;
  table_add(cache, one);
  cache->counts.misses++;
  pthread_mutex_unlock(&cache->lock);

  void *built = NULL;
  size_t bytes = 0;
  const specpi_result result = build(data, &built, &bytes);

  entry *list = NULL;
  pthread_mutex_lock(&cache->lock);
  flight->result = result;
  if (result == SPECPI_SUCCESS) {
    flight->object = built;
    cache->class->retain(built); /* the flight's; the first one is the caller's */
  } else {
    cache->counts.failures++;
    snprintf(flight->sentence, sizeof flight->sentence, "%s", specpiGetLastError());
    if (result == SPECPI_ERROR_BUILD_FAILED)
      flight->log = strdup(specpiGetBuildLog());
  }
  land(cache, one, bytes, &list);
  pthread_cond_broadcast(&flight->landed);
  void *last = leave(flight);
  pthread_mutex_unlock(&cache->lock);
  if (last)
    cache->class->release(last);
  give_up(cache, list);
  if (result == SPECPI_SUCCESS)
    *object = built;
  return result;
}

specpi_result cache_get(cache *cache, const cache_key *key, cache_build build, void *data,
                        void **object) {
  pthread_mutex_lock(&cache->lock);
  entry *one = find_entry(cache, key);
  if (!one)
    return build_new(cache, key, build, data, object);
  if (one->flight)
    return wait_for(cache, one->flight, object);
  cache->counts.hits++;
  if (cache->newest != one) {
    order_remove(cache, one);
    order_add(cache, one);
  }
  cache->class->retain(one->object);
  *object = one->object;
  pthread_mutex_unlock(&cache->lock);
  return SPECPI_SUCCESS;
}

void cache_set_limits(cache *cache, cache_limits limits) {
  entry *list = NULL;
  pthread_mutex_lock(&cache->lock);
  cache->limits = limits;
  make_room(cache, 0, 0, &list);
  pthread_mutex_unlock(&cache->lock);
  give_up(cache, list);
}

cache_limits cache_get_limits(cache *cache) {
  pthread_mutex_lock(&cache->lock);
  const cache_limits limits = cache->limits;
  pthread_mutex_unlock(&cache->lock);
  return limits;
}

void cache_clear(cache *cache) {
  pthread_mutex_lock(&cache->lock);
  entry *list = cache->newest;
  for (entry *one = list; one; one = one->older)
    table_remove(cache, one);
  cache->newest = NULL;
  cache->oldest = NULL;
  cache->counts.objects = 0;
  cache->counts.bytes = 0;
  /* What is left is being built. */
  entry **places = places_of(cache);
  for (size_t i = 0; i < cache->place_count && cache->entry_count > 0; i++)
    while (places[i]) {
      entry *one = places[i];
      one->flight->dropped = true;
      table_remove(cache, one);
    }
  if (cache->places) {
    free(cache->places);
    cache->places = NULL;
    cache->place_count = CACHE_FIRST_PLACES;
  }
  pthread_mutex_unlock(&cache->lock);
  give_up(cache, list);
}

cache_counts cache_get_counts(cache *cache) {
  pthread_mutex_lock(&cache->lock);
  const cache_counts counts = cache->counts;
  pthread_mutex_unlock(&cache->lock);
  return counts;
}
