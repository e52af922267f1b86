/* Which programs and libraries are loaded, to know of an address whether it is still what it was.
 */
#ifndef SPECPI_LOADED_H
#define SPECPI_LOADED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of objects loaded and unloaded since the process began. */
typedef struct loaded_counts {
  unsigned long long loads;
  unsigned long long unloads;
} loaded_counts;

typedef struct loaded_object {
  uintptr_t begin;
  uintptr_t end;
  uint64_t identity; /* never 0; another object at the same place has another one */
} loaded_object;

typedef struct loaded_list {
  loaded_counts counts; /* when it was made */
  loaded_object *items;
  size_t count;
  size_t capacity;
} loaded_list;

loaded_counts loaded_count(void);

/*
 * The identity of the object that an address belongs to; 0 when there is none, as with
 * memory that was allocated. *counts are those of the same moment.
 */
uint64_t loaded_identify(const void *address, loaded_counts *counts);

/* Makes the list of all objects, to be given back with loaded_list_free. False: memory is
 * exhausted. */
bool loaded_list_make(loaded_list *ret);
void loaded_list_free(loaded_list *list);

/* Returns whether an object of that identity is in the list and holds the address. */
bool loaded_list_has(const loaded_list *list, const void *address, uint64_t identity);

#endif
