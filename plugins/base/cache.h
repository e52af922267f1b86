/*
 * A bounded LRU cache in memory. While one thread builds an object, other threads that ask for it
 * wait. All functions are thread safe.
 */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include "cache_key.h"

#include <pthread.h>

/*
 * Functions for the objects of a cache. They must not call the cache; only retain is called while
 * the cache is locked. data is the calling thread's argument of cache_get.
 */
typedef struct cache_class {
  void (*retain)(void *object);
  void (*release)(void *object);
  /* Returns a copy of this thread's error message, allocated by malloc; NULL if memory runs out. */
  void *(*keep_failure)(void *data, int result);
  /* Fails with the error of another thread; kept is that thread's result of keep_failure. */
  int (*tell_failure)(void *data, int result, const void *kept);
  /* Fails because memory ran out. */
  int (*lack_memory)(void);
} cache_class;

/*
 * X(name, text): a count of the cache. misses are builds that were begun; shared are calls that
 * waited for another thread's build and got its object or error.
 */
#define CACHE_COUNTS(X)                                                                            \
  X(hits)                                                                                          \
  X(shared)                                                                                        \
  X(misses)                                                                                        \
  X(failures)                                                                                      \
  X(evictions)

typedef struct cache_counts {
#define CACHE_COUNT(name) uint64_t name;
  CACHE_COUNTS(CACHE_COUNT)
#undef CACHE_COUNT
  size_t objects; /* now in the cache */
  size_t bytes;   /* of these objects and their keys */
} cache_counts;

typedef struct cache_limits {
  size_t objects;
  size_t bytes;
} cache_limits;

enum { CACHE_FIRST_PLACES = 64 };

typedef struct cache {
  pthread_mutex_t lock;
  const cache_class *class;
  cache_limits limits;
  cache_counts counts;
  struct cache_entry **places; /* the buckets of the hash table; NULL: `first` has them */
  size_t place_count;          /* number of buckets, a power of two */
  size_t entry_count;          /* entries in the table, including those being built */
  struct cache_entry *newest, *oldest;
  struct cache_entry *first[CACHE_FIRST_PLACES];
} cache;

/* Initialises a static cache. */
#define CACHE_INITIALIZER(class, objects, bytes)                                                   \
  {                                                                                                \
    PTHREAD_MUTEX_INITIALIZER, (class), {(objects), (bytes)}, {0}, NULL, CACHE_FIRST_PLACES, 0,    \
        NULL, NULL, {                                                                              \
      NULL                                                                                         \
    }                                                                                              \
  }

/*
 * Initialises a cache that is not static, before other threads use it. cache_end frees it, after
 * all other calls have returned.
 */
void cache_init(cache *cache, const cache_class *class, cache_limits limits);
void cache_end(cache *cache);

/*
 * Makes an object. *object receives it with a reference for the caller, and *bytes the size to
 * count. The function may ask the cache for other keys, but not for the same one. Returns 0 or any
 * other number for a failure.
 */
typedef int (*cache_build)(void *data, void **object, size_t *bytes);

/*
 * Finds the object of a key, and returns it with a reference for the caller. If the object is
 * missing, calls build, or waits for another thread's build. Keeps a new object if the limits allow
 * it; does not keep a failure. Allocates nothing if the object is in the cache.
 *
 * Returns 0, the failure of build (also to waiting threads), or that of lack_memory.
 */
int cache_get(cache *cache, const cache_key *key, cache_build build, void *data, void **object);

/* Sets limits, and releases objects that exceed them. */
void cache_set_limits(cache *cache, cache_limits limits);
cache_limits cache_get_limits(cache *cache);

/* Releases all objects. The results of builds in progress will not be kept. */
void cache_clear(cache *cache);

cache_counts cache_get_counts(cache *cache);

#endif
