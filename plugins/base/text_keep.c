#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "text_keep.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { BUCKETS = 256, PIECE = 1 << 16 };

typedef struct kept_text {
  struct kept_text *next;
  char text[];
} kept_text;

/*
 * The memory comes from mmap and is never freed, because a thread may use a text during exit, or
 * after this library was unloaded.
 */
static struct {
  pthread_mutex_t lock;
  kept_text *buckets[BUCKETS];
  char *room;
  size_t left;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static kept_text **find_bucket(const char *text) {
  unsigned hash = 5381;
  for (; *text; text++)
    hash = hash * 33 + (unsigned char)*text;
  return &all.buckets[hash % BUCKETS];
}

/* Allocates size bytes from the current piece, or from a new piece if too little is left. */
static void *take_room(size_t size) {
  size = (size + _Alignof(kept_text) - 1) / _Alignof(kept_text) * _Alignof(kept_text);
  if (size > all.left) {
    const size_t more = size > PIECE ? size : PIECE;
    void *made = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
      return NULL;
    all.room = made;
    all.left = more;
  }
  void *ret = all.room;
  all.room += size;
  all.left -= size;
  return ret;
}

static const char *find_or_add(const char *text) {
  kept_text **bucket = find_bucket(text);
  for (const kept_text *kept_text = *bucket; kept_text; kept_text = kept_text->next)
    if (strcmp(kept_text->text, text) == 0)
      return kept_text->text;
  const size_t size = strlen(text) + 1;
  kept_text *made = take_room(offsetof(kept_text, text) + size);
  if (!made)
    return NULL;
  memcpy(made->text, text, size);
  made->next = *bucket;
  *bucket = made;
  return made->text;
}

const char *text_keep(const char *text) {
  pthread_mutex_lock(&all.lock);
  const char *ret = find_or_add(text);
  pthread_mutex_unlock(&all.lock);
  return ret;
}
