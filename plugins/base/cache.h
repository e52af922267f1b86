/*
 * A bounded cache of objects by key, in memory. The object used longest ago goes first. One thread
 * builds an object while others that ask for it wait. Every function may be called from any thread
 * at any time.
 */
#ifndef BASE_CACHE_H
#define BASE_CACHE_H

#include "cache_key.h"

#include <pthread.h>

/*
 * Functions that count the references of cached objects, and turn a failure of the thread that
 * builds into one of those that wait. None of these may call the cache; retain is called with it
 * locked, the others are not. data is what the thread has given to cache_get.
 */
typedef struct cache_class {
  void (*retain)(void *object);
  void (*release)(void *object);
  /* A record of this thread's failure, which free frees; NULL without memory. */
  void *(*keep_failure)(void *data, int result);
  /* Makes it this thread's failure, too; kept is NULL where keep_failure had no memory. */
  int (*tell_failure)(void *data, int result, const void *kept);
  /* Returns this thread's failure for want of memory. */
  int (*lack_memory)(void);
} cache_class;

/*
 * X(name, text): a count of the cache. misses are builds begun; shared are those who waited for the
 * build of another thread and got its object, or its error.
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
  size_t objects; /* held now */
  size_t bytes;   /* of the objects, with their keys */
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
  struct cache_entry **places; /* hash table of lists; NULL stands for first */
  size_t place_count;          /* a power of two */
  size_t entry_count;          /* entries in the table, those being built included */
  struct cache_entry *newest, *oldest;
  struct cache_entry *first[CACHE_FIRST_PLACES];
} cache;

/* The value of a static cache. */
#define CACHE_INITIALIZER(class, objects, bytes)                                                   \
  {                                                                                                \
    PTHREAD_MUTEX_INITIALIZER, (class), {(objects), (bytes)}, {0}, NULL, CACHE_FIRST_PLACES, 0,    \
        NULL, NULL, {                                                                              \
      NULL                                                                                         \
    }                                                                                              \
  }

/* Makes a cache that is not static, before it is shared, and ends it, after all other calls. */
void cache_init(cache *cache, const cache_class *class, cache_limits limits);
void cache_end(cache *cache);

/*
 * Makes the object of a key: *object with a reference that is the caller's, and the bytes that it
 * counts for. It may ask the cache for other keys, not for its own. Returns 0, or its own number of
 * a failure.
 */
typedef int (*cache_build)(void *data, void **object, size_t *bytes);

/*
 * The object of a key, with a reference for the caller. If it is missing, build makes it, or this
 * waits for another thread that is making it. The new object is kept, as far as the limits allow; a
 * failure is not. Allocates nothing when the object is there.
 *
 * Returns 0, or a failure: of build, also for those who waited, or of lack_memory.
 */
int cache_get(cache *cache, const cache_key *key, cache_build build, void *data, void **object);

/* Sets limits, and gives up objects that exceed them. */
void cache_set_limits(cache *cache, cache_limits limits);
cache_limits cache_get_limits(cache *cache);

/* Gives up all objects. Builds under way are not kept. */
void cache_clear(cache *cache);

cache_counts cache_get_counts(cache *cache);

#endif
