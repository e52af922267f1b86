#include "cache.h"

#include "cancellation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A build in progress. The last of the threads that build or wait for it frees it. */
typedef struct flight {
  pthread_cond_t landed;
  size_t aboard; /* number of these threads */
  bool done;
  bool dropped; /* the cache was cleared during the build: the entry is not in the table */
  int result;
  void *object; /* the flight has a reference of its own */
  void *kept;   /* result of keep_failure, if the build failed */
} flight;

typedef struct cache_entry entry;

struct cache_entry {
  entry *next;          /* in its bucket of the hash table */
  entry *newer, *older; /* in the order of last use; older also links entries to be freed */
  flight *flight;       /* while the object is being built; such entries are not in that order */
  void *object;
  size_t bytes; /* of object and key */
  cache_key key;
  unsigned char key_bytes[];
};

static entry **places_of(cache *cache) {
  return cache->places ? cache->places : cache->first;
}

static entry **place_of(cache *cache, const cache_key *key) {
  /* The scope is an address. Its low bits are shifted out because they are always 0. */
  const uint64_t hash = key->hash.low ^ ((uintptr_t)key->scope >> 4);
  return &places_of(cache)[hash & (cache->place_count - 1)];
}

static entry *find_entry(cache *cache, const cache_key *key) {
  entry *one = *place_of(cache, key);
  while (one && !cache_key_equal(&one->key, key))
    one = one->next;
  return one;
}

/* Doubles the hash table when it is full. If memory runs out, the buckets get longer instead. */
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
  *(one == cache->newest ? &cache->newest : &one->newer->older) = one->older;
  *(one == cache->oldest ? &cache->oldest : &one->older->newer) = one->newer;
}

/* Moves an entry with an object from the cache to the front of a list. */
static void take_out(cache *cache, entry *one, entry **list) {
  table_remove(cache, one);
  order_remove(cache, one);
  cache->counts.objects--;
  cache->counts.bytes -= one->bytes;
  one->older = *list;
  *list = one;
}

/* Returns whether this number of additional objects and bytes would exceed the limits. */
static bool exceeds(const cache *cache, size_t objects, size_t bytes) {
  const cache_limits *limits = &cache->limits;
  const cache_counts *counts = &cache->counts;
  return counts->objects > limits->objects || objects > limits->objects - counts->objects ||
         counts->bytes > limits->bytes || bytes > limits->bytes - counts->bytes;
}

/* Moves the oldest entries to a list until the additional objects and bytes fit. */
static void make_room(cache *cache, size_t objects, size_t bytes, entry **list) {
  while (cache->oldest && exceeds(cache, objects, bytes)) {
    take_out(cache, cache->oldest, list);
    cache->counts.evictions++;
  }
}

/*
 * Frees a list of entries. The caller does not hold the lock, because a driver's release may be
 * slow.
 */
static void give_up(const cache *cache, entry *list) {
  while (list) {
    entry *next = list->older;
    cache->class->release(list->object);
    free(list);
    list = next;
  }
}

/* Leaves a flight. The caller holds the lock, and calls free_flight if this returns true. */
static bool leave(flight *flight) {
  return --flight->aboard == 0;
}

/* Frees a flight. The caller does not hold the lock. */
static void free_flight(const cache *cache, flight *flight) {
  if (flight->object)
    cache->class->release(flight->object);
  pthread_cond_destroy(&flight->landed);
  free(flight->kept);
  free(flight);
}

/* Waits for another thread's build. The caller holds the lock, and this function releases it. */
static int wait_for(cache *cache, flight *flight, void *data, void **object) {
  cache->counts.shared++;
  flight->aboard++;
  while (!flight->done)
    pthread_cond_wait(&flight->landed, &cache->lock);
  pthread_mutex_unlock(&cache->lock);
  /* The flight may be read without the lock: it is finished, and this thread has not left it. */
  int result = flight->result;
  if (result == 0) {
    *object = flight->object;
    cache->class->retain(flight->object);
  } else {
    result = cache->class->tell_failure(data, result, flight->kept);
  }
  pthread_mutex_lock(&cache->lock);
  const bool is_last = leave(flight);
  pthread_mutex_unlock(&cache->lock);
  if (is_last)
    free_flight(cache, flight);
  return result;
}

/* Makes an entry for a key, with a new flight; NULL if memory runs out. */
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

/*
 * Records the result of a build in the cache. Moves entries that exceed the limits to the list. The
 * caller holds the lock.
 */
static void land(cache *cache, entry *one, size_t bytes, entry **list) {
  flight *flight = one->flight;
  flight->done = true;
  one->flight = NULL;
  if (flight->result == 0 && !flight->dropped) {
    one->object = flight->object;
    cache->class->retain(one->object);
    one->bytes = bytes <= SIZE_MAX - one->key.size ? bytes + one->key.size : SIZE_MAX;
    if (one->bytes > cache->limits.bytes || cache->limits.objects == 0) {
      /* Removing other entries would not help. */
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

/* Builds the object of a missing key. The caller holds the lock, and this function releases it. */
static int build_new(cache *cache, const cache_key *key, cache_build build, void *data,
                     void **object) {
  entry *one = new_entry(key);
  if (!one) {
    pthread_mutex_unlock(&cache->lock);
    return cache->class->lack_memory();
  }
  flight *flight = one->flight;
  table_add(cache, one);
  cache->counts.misses++;
  pthread_mutex_unlock(&cache->lock);

  void *built = NULL;
  size_t bytes = 0;
  const int result = build(data, &built, &bytes);
  void *kept = result == 0 ? NULL : cache->class->keep_failure(data, result);

  entry *list = NULL;
  pthread_mutex_lock(&cache->lock);
  flight->result = result;
  flight->kept = kept;
  if (result == 0) {
    flight->object = built;
    cache->class->retain(built); /* for the flight; the caller gets build's reference */
  } else {
    cache->counts.failures++;
  }
  land(cache, one, bytes, &list);
  pthread_cond_broadcast(&flight->landed);
  const bool is_last = leave(flight);
  pthread_mutex_unlock(&cache->lock);
  if (is_last)
    free_flight(cache, flight);
  give_up(cache, list);
  if (result == 0)
    *object = built;
  return result;
}

int cache_get(cache *cache, const cache_key *key, cache_build build, void *data, void **object) {
  WITHOUT_CANCELLATION;
  pthread_mutex_lock(&cache->lock);
  entry *one = find_entry(cache, key);
  if (!one)
    return build_new(cache, key, build, data, object);
  if (one->flight)
    return wait_for(cache, one->flight, data, object);
  cache->counts.hits++;
  if (cache->newest != one) {
    order_remove(cache, one);
    order_add(cache, one);
  }
  cache->class->retain(one->object);
  *object = one->object;
  pthread_mutex_unlock(&cache->lock);
  return 0;
}

void cache_init(cache *ret, const cache_class *class, cache_limits limits) {
  *ret = (cache){.class = class, .limits = limits, .place_count = CACHE_FIRST_PLACES};
  pthread_mutex_init(&ret->lock, NULL);
}

void cache_end(cache *cache) {
  cache_clear(cache);
  pthread_mutex_destroy(&cache->lock);
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
  /* The remaining entries are being built. */
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
