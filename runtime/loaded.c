#define _GNU_SOURCE /* dl_iterate_phdr */
#include "loaded.h"

#include "../plugins/base/vector.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static loaded_counts counts_of(const struct dl_phdr_info *info) {
  return (loaded_counts){info->dlpi_adds, info->dlpi_subs};
}

/* The range of an object: [first, last + 1) of its loaded bytes. */
static loaded_object place_of(const struct dl_phdr_info *info) {
  loaded_object place = {UINTPTR_MAX, 0, 0};
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *const segment = &info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD)
      continue;
    if (begin < place.begin)
      place.begin = begin;
    if (begin + segment->p_memsz > place.end)
      place.end = begin + segment->p_memsz;
  }
  return place;
}

/* Returns whether the bytes of a segment are part of one that is loaded. */
static bool is_loaded(const struct dl_phdr_info *info, const ElfW(Phdr) * part) {
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *const segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_LOAD && part->p_vaddr >= segment->p_vaddr &&
        part->p_vaddr - segment->p_vaddr <= segment->p_filesz &&
        part->p_filesz <= segment->p_filesz - (part->p_vaddr - segment->p_vaddr))
      return true;
  }
  return false;
}

/*
 * A hash of an object's name, address, layout and notes, including the linker's build id. Objects
 * that have all of these in common have the same variables.
 */
static uint64_t identity_of(const struct dl_phdr_info *info) {
  uint64_t hash = XXH3_64bits(&info->dlpi_addr, sizeof info->dlpi_addr);
  if (info->dlpi_name != NULL)
    hash = XXH3_64bits_withSeed(info->dlpi_name, strlen(info->dlpi_name), hash);
  hash = XXH3_64bits_withSeed(info->dlpi_phdr, info->dlpi_phnum * sizeof *info->dlpi_phdr, hash);
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *const segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE && is_loaded(info, segment)) {
      const uintptr_t at = info->dlpi_addr + segment->p_vaddr;
      hash = XXH3_64bits_withSeed((const void *)at, segment->p_filesz, hash);
    }
  }
  return hash != 0 ? hash : 1;
}

static int read_counts(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  *(loaded_counts *)data = counts_of(info);
  return 1; /* stop: the counts are the same at every object */
}

loaded_counts loaded_count(void) {
  loaded_counts counts = {0};
  dl_iterate_phdr(read_counts, &counts);
  return counts;
}

typedef struct question {
  uintptr_t address;
  uint64_t identity;
  loaded_counts counts;
} question;

static int look_at_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  question *question = data;
  question->counts = counts_of(info);
  const loaded_object place = place_of(info);
  if (question->address < place.begin || question->address >= place.end)
    return 0;
  question->identity = identity_of(info);
  return 1;
}

uint64_t loaded_identify(const void *address, loaded_counts *counts) {
  question question = {.address = (uintptr_t)address};
  dl_iterate_phdr(look_at_object, &question);
  *counts = question.counts;
  return question.identity;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  loaded_list *list = data;
  list->counts = counts_of(info);
  if (!VECTOR_RESERVE(list))
    return 1;
  list->items[list->count] = place_of(info);
  list->items[list->count++].identity = identity_of(info);
  return 0;
}

bool loaded_list_make(loaded_list *ret) {
  *ret = (loaded_list){0};
  if (dl_iterate_phdr(add_object, ret) == 0)
    return true;
  loaded_list_free(ret);
  return false;
}

void loaded_list_free(loaded_list *list) {
  free(list->items);
  *list = (loaded_list){0};
}

bool loaded_list_has(const loaded_list *list, const void *address, uint64_t identity) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].identity == identity && (uintptr_t)address >= list->items[i].begin &&
        (uintptr_t)address < list->items[i].end)
      return true;
  return false;
}
