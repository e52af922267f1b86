/*
 * Generated code registers variables while libraries are loaded, before main and on several
 * threads, so nothing here is initialised at run time or destroyed at exit.
 *
 * The lock is never held while the list of loaded objects is read, because the loader locks that
 * list, and a thread that holds the loader's lock may call these functions.
 */
#include <specpi/identifiable.h>

#include "../plugins/base/vector.h"
#include "error.h"
#include "loaded.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A registered text, stored once for all equal ones and until the process ends. */
typedef struct text {
  struct text *next;
  char bytes[];
} text;

typedef struct entry {
  void *address;
  const text *id;
  const text *kind;
  size_t times;             /* number of registrations minus that of unregistrations */
  uint64_t identity;        /* of the loaded object that contains the variable; 0: none */
  unsigned long long loads; /* the count of loaded objects at the registration */
} entry;

enum { BUCKETS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static text *texts[BUCKETS];
static entry *entries; /* in the order of their registration */
static size_t entry_count;
static unsigned long long checked_unloads; /* entries of the first so many unloads are removed */

/* ---- With the lock held ---- */

static text **bucket_of(const char *bytes, size_t size) {
  return &texts[XXH3_64bits(bytes, size) % BUCKETS];
}

/* The stored text that is equal; NULL if there is none yet. */
static const text *find_text(const char *bytes) {
  const text *at = *bucket_of(bytes, strlen(bytes));
  while (at != NULL && strcmp(at->bytes, bytes) != 0)
    at = at->next;
  return at;
}

/* The same, but stores the text if there is none yet; NULL if memory is exhausted. */
static const text *keep_text(const char *bytes) {
  const text *known = find_text(bytes);
  if (known != NULL)
    return known;
  const size_t size = strlen(bytes);
  text *made = malloc(sizeof *made + size + 1);
  if (made == NULL)
    return NULL;
  memcpy(made->bytes, bytes, size + 1);
  text **bucket = bucket_of(bytes, size);
  made->next = *bucket;
  *bucket = made;
  return made;
}

static entry *find_entry(const void *address, const text *id, const text *kind) {
  for (size_t i = 0; i < entry_count; i++)
    if (entries[i].address == address && entries[i].id == id && entries[i].kind == kind)
      return &entries[i];
  return NULL;
}

/* Returns whether two entries contradict each other. */
static bool contradicts(const entry *left, const entry *right) {
  return (left->id == right->id) != (left->address == right->address);
}

/* The first entry that contradicts this one; NULL if there is none. */
static const entry *find_contradiction(const entry *entry) {
  for (size_t i = 0; i < entry_count; i++)
    if (contradicts(&entries[i], entry))
      return &entries[i];
  return NULL;
}

static void remove_entry(entry *entry) {
  entry_count--;
  memmove(entry, entry + 1, (size_t)(entries + entry_count - entry) * sizeof *entry);
}

static bool append_entry(const entry *made) {
  static size_t capacity;
  if (!vector_reserve(&entries, &capacity, entry_count, sizeof *entries))
    return false;
  entries[entry_count++] = *made;
  return true;
}

/* Adds an entry. *other receives a copy of an entry that contradicts it; its address is NULL when
 * there is none. */
static bool add_entry(entry made, const char *id, const char *kind, entry *other) {
  made.id = keep_text(id);
  made.kind = made.id != NULL ? keep_text(kind) : NULL;
  if (made.kind == NULL)
    return false;
  entry *known = find_entry(made.address, made.id, made.kind);
  if (known != NULL) {
    known->times++;
    known->identity = made.identity;
    known->loads = made.loads;
    return true;
  }
  const entry *found = find_contradiction(&made);
  if (found != NULL)
    *other = *found;
  return append_entry(&made);
}

/* Removes the entries of objects that are no longer in the list. */
static void forget(const loaded_list *now) {
  for (size_t i = entry_count; i-- > 0;) {
    /* An entry that was registered after the list was made cannot be in it. */
    if (entries[i].identity != 0 && entries[i].loads <= now->counts.loads &&
        !loaded_list_has(now, entries[i].address, entries[i].identity))
      remove_entry(&entries[i]);
  }
  if (now->counts.unloads > checked_unloads)
    checked_unloads = now->counts.unloads;
}

/* ---- Without the lock held ---- */

/*
 * Takes the lock and removes the entries of unloaded objects. False if memory is exhausted; the
 * lock is then not taken.
 */
static bool lock_current(void) {
  const unsigned long long unloads = loaded_count().unloads;
  pthread_mutex_lock(&lock);
  if (checked_unloads >= unloads)
    return true;
  pthread_mutex_unlock(&lock);
  loaded_list now;
  if (!loaded_list_make(&now)) {
    error_memory();
    return false;
  }
  pthread_mutex_lock(&lock);
  forget(&now);
  pthread_mutex_unlock(&lock);
  loaded_list_free(&now);
  pthread_mutex_lock(&lock);
  return true;
}

static void report_conflict(const entry *made, const char *id, const entry *other) {
  if (strcmp(other->id->bytes, id) == 0)
    error_set(SPECPI_ERROR_CONFLICT,
              "the id \"%s\" is registered for the variable at %p and for the one at %p", id,
              other->address, made->address);
  else
    error_set(SPECPI_ERROR_CONFLICT,
              "the variable at %p is registered with the ids \"%s\" and \"%s\"", made->address,
              other->id->bytes, id);
}

static bool check_entry(const void *address, const char *id, const char *kind) {
  if (address != NULL && id != NULL && *id != '\0' && kind != NULL && *kind != '\0')
    return true;
  error_set(SPECPI_ERROR_INVALID_ARGUMENT,
            "a variable cannot be registered: its address is %p, its id \"%s\", its kind \"%s\"",
            address, id != NULL ? id : "(NULL)", kind != NULL ? kind : "(NULL)");
  return false;
}

void __register_uniquely_identifiable_object(void *address, const char *id, const char *kind) {
  if (!check_entry(address, id, kind))
    return;
  entry made = {.address = address, .times = 1};
  loaded_counts counts;
  made.identity = loaded_identify(address, &counts);
  made.loads = counts.loads;
  entry other = {0};
  if (!lock_current())
    return;
  const bool added = add_entry(made, id, kind, &other);
  pthread_mutex_unlock(&lock);
  if (!added)
    error_memory();
  else if (other.address != NULL)
    report_conflict(&made, id, &other);
}

void __unregister_uniquely_identifiable_object(void *address, const char *id, const char *kind) {
  if (address == NULL || id == NULL || kind == NULL)
    return;
  pthread_mutex_lock(&lock);
  entry *found = find_entry(address, find_text(id), find_text(kind));
  if (found != NULL && --found->times == 0)
    remove_entry(found);
  pthread_mutex_unlock(&lock);
}

static bool has_kind(const entry *entry, const char *kind) {
  return kind == NULL || strcmp(entry->kind->bytes, kind) == 0;
}

const char *specpiIdentifiableGetId(const void *address, const char *kind) {
  if (address == NULL || !lock_current())
    return NULL;
  const char *id = NULL;
  for (size_t i = 0; i < entry_count && id == NULL; i++)
    if (entries[i].address == address && has_kind(&entries[i], kind))
      id = entries[i].id->bytes;
  pthread_mutex_unlock(&lock);
  return id;
}

void *specpiIdentifiableGetAddress(const char *id, const char *kind) {
  if (id == NULL || !lock_current())
    return NULL;
  void *address = NULL;
  const text *known = find_text(id);
  for (size_t i = 0; i < entry_count && known != NULL && address == NULL; i++)
    if (entries[i].id == known && has_kind(&entries[i], kind))
      address = entries[i].address;
  pthread_mutex_unlock(&lock);
  return address;
}

size_t specpiIdentifiablesGet(const char *kind, size_t capacity, specpi_identifiable *list) {
  if (list == NULL)
    capacity = 0;
  if (!lock_current())
    return 0;
  size_t total = 0;
  for (size_t i = 0; i < entry_count; i++) {
    const entry *entry = &entries[i];
    if (!has_kind(entry, kind))
      continue;
    if (total < capacity)
      list[total] = (specpi_identifiable){entry->address, entry->id->bytes, entry->kind->bytes,
                                          entry->times, find_contradiction(entry) != NULL};
    total++;
  }
  pthread_mutex_unlock(&lock);
  return total;
}
