/* The loaded programs and libraries, to find out whether an address is still of the same one. */
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
  uint64_t identity; /* never 0; differs for another object at the same address */
} loaded_object;

typedef struct loaded_list {
  loaded_counts counts; /* the counts when the list was made */
  loaded_object *items;
  size_t count;
  size_t capacity;
} loaded_list;

loaded_counts loaded_count(void);

/*
 * The identity of the object that contains an address; 0 if there is none, as for allocated memory.
 * *counts receives the counts at the same moment.
 */
uint64_t loaded_identify(const void *address, loaded_counts *counts);

/* Makes the list of all objects. loaded_list_free frees it. False: memory is exhausted. */
bool loaded_list_make(loaded_list *ret);
void loaded_list_free(loaded_list *list);

/* Returns whether the list has an object with that identity that contains the address. */
bool loaded_list_has(const loaded_list *list, const void *address, uint64_t identity);

#endif
