/*
 * State that the libraries of a process share. Constructors use it before main, so nothing here is
 * initialised at run time.
 */
#define _GNU_SOURCE /* dladdr, RTLD_NOLOAD */
#include <specpi/process.h>

#include "error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <search.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *tables[SPECPI_TABLE_COUNT]; /* trees of search.h */
static _Thread_local specpi_thread this_thread;

/* Ranges in the same tree are disjoint, so those that overlap a wanted one compare as equal. */
static int compare_records(const void *left, const void *right) {
  const specpi_record *a = left;
  const specpi_record *b = right;
  if (a->first + (a->size - 1) < b->first)
    return -1;
  return b->first + (b->size - 1) < a->first;
}

/* The caller holds the lock. */
static specpi_record *find_record(specpi_table table, uint64_t first, uint64_t size) {
  const specpi_record wanted = {.first = first, .size = size};
  void *node = tfind(&wanted, &tables[table], compare_records);
  return node ? *(specpi_record **)node : NULL;
}

/* The caller holds the lock. */
static void remove_record(specpi_table table, specpi_record *record) {
  tdelete(record, &tables[table], compare_records);
  free(record);
}

/* The caller holds the lock. */
static bool insert_record(specpi_table table, specpi_record *made) {
  for (specpi_record *old; (old = find_record(table, made->first, made->size)) != NULL;)
    remove_record(table, old);
  return tsearch(made, &tables[table], compare_records) != NULL;
}

specpi_result specpiRecordAdd(specpi_table table, const specpi_record *record) {
  ERROR_REQUIRE((size_t)table < SPECPI_TABLE_COUNT, "%d is not a table", (int)table);
  ERROR_REQUIRE(record, "record is NULL");
  ERROR_REQUIRE(record->size != 0 && record->size - 1 <= UINT64_MAX - record->first,
                "a record of %llu numbers from %llu on is empty or passes the last number",
                (unsigned long long)record->size, (unsigned long long)record->first);
  specpi_record *made = malloc(sizeof *made);
  if (!made)
    return error_memory();
  *made = *record;
  pthread_mutex_lock(&lock);
  const bool added = insert_record(table, made);
  pthread_mutex_unlock(&lock);
  if (added)
    return SPECPI_SUCCESS;
  free(made);
  return error_memory();
}

bool specpiRecordTake(specpi_table table, uint64_t first, specpi_record *taken) {
  pthread_mutex_lock(&lock);
  specpi_record *there = find_record(table, first, 1);
  const bool found = there && there->first == first;
  if (found && taken)
    *taken = *there;
  if (found)
    remove_record(table, there);
  pthread_mutex_unlock(&lock);
  return found;
}

bool specpiRecordFind(specpi_table table, uint64_t number,
                      void (*look)(const specpi_record *record, void *data), void *data) {
  pthread_mutex_lock(&lock);
  const specpi_record *there = find_record(table, number, 1);
  if (there)
    look(there, data);
  pthread_mutex_unlock(&lock);
  return there;
}

uint64_t specpiNumbersTake(uint64_t count) {
  static atomic_uint_least64_t next = 1;
  return atomic_fetch_add(&next, count);
}

specpi_thread *specpiThreadGet(void) {
  return &this_thread;
}

/* An object that the process shares. */
typedef struct shared {
  struct shared *next;
  const void *object;
  char name[];
} shared;

static shared *make_shared(const char *name, const void *object) {
  const size_t size = strlen(name) + 1;
  shared *made = malloc(sizeof *made + size);
  if (!made)
    return NULL;
  made->object = object;
  memcpy(made->name, name, size);
  return made;
}

/* Prevents the unloading of the library that contains an object. */
static void pin_library(const void *object) {
  Dl_info file;
  if (dladdr(object, &file))
    dlopen(file.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

const void *specpiObjectShare(const char *name, const void *object) {
  static shared *all;
  pthread_mutex_lock(&lock);
  shared *there = all;
  while (there && strcmp(there->name, name) != 0)
    there = there->next;
  shared *made = there ? NULL : make_shared(name, object);
  if (made) {
    made->next = all;
    all = made;
  }
  const void *one = there ? there->object : object;
  pthread_mutex_unlock(&lock);
  if (made)
    pin_library(object);
  return one;
}
