/* The address space for allocations of the fake Level Zero driver. */
#define _GNU_SOURCE /* memfd_create, fallocate */
#include "memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Address space. Freed addresses are reused only after the end is reached, so stale ones fail. */
typedef struct fake_region {
  char *base;
  char *view;
  int file; /* -1 for anonymous memory */
  fake_place *first;
  size_t next; /* offset at which the next search starts */
} fake_region;

enum { PAGE = 4096, POISON = 0xa5, POISONED = 1 << 20 };

static const size_t region_size = (size_t)64 << 30;
static fake_region device_region = {.file = -1};
static fake_region host_region = {.file = -1};

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned open_count;

static void *need(void *memory) {
  if (memory != MAP_FAILED)
    return memory;
  perror("fake Level Zero driver: no address space");
  abort();
}

int fake_memory_file(size_t size) {
  const int file = memfd_create("specpi-level-zero", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, (off_t)size) == 0)
    return file;
  perror("fake Level Zero driver: no file for memory");
  abort();
}

/* Reserves the region on the first call. The caller holds the driver's lock. */
static void make_region(fake_region *region) {
  if (region->base)
    return;
  const int flags = MAP_NORESERVE;
  if (region == &host_region) {
    region->base =
        need(mmap(NULL, region_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0));
    region->view = region->base;
    return;
  }
  const bool closed = !fake_environment.integrated;
  region->file = fake_memory_file(region_size);
  region->view =
      need(mmap(NULL, region_size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, region->file, 0));
  region->base = closed
                     ? need(mmap(NULL, region_size, PROT_NONE, MAP_SHARED | flags, region->file, 0))
                     : region->view;
}

static bool is_in(const fake_region *region, const void *address) {
  const uintptr_t base = (uintptr_t)region->base;
  return base != 0 && (uintptr_t)address >= base && (uintptr_t)address - base < region_size;
}

bool fake_place_owns(const void *address) {
  return is_in(&device_region, address) || is_in(&host_region, address);
}

/* Needs no lock, because a region exists before any address in it is returned. */
void *fake_view(const void *address) {
  const uintptr_t base = (uintptr_t)device_region.base;
  const uintptr_t at = (uintptr_t)address;
  if (base == 0 || at < base || at - base >= region_size)
    return (void *)at;
  return device_region.view + (at - base);
}

static int protection(void) {
  return open_count != 0 || fake_environment.integrated ? PROT_READ | PROT_WRITE : PROT_NONE;
}

static void protect(void) {
  if (device_region.base && !fake_environment.integrated &&
      mprotect(device_region.base, region_size, protection()) != 0) {
    perror("fake Level Zero driver: mprotect");
    abort();
  }
}

void fake_open_memory(void) {
  pthread_mutex_lock(&open_lock);
  if (open_count++ == 0)
    protect();
  pthread_mutex_unlock(&open_lock);
}

void fake_close_memory(void) {
  pthread_mutex_lock(&open_lock);
  if (--open_count == 0)
    protect();
  pthread_mutex_unlock(&open_lock);
}

static size_t align(size_t value, size_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/*
 * Returns the offset of the first gap from an offset on, for size bytes and a page after them;
 * SIZE_MAX if there is none. *place receives the list's link at which to insert the place.
 */
static size_t find_gap(fake_region *region, size_t from, size_t size, size_t alignment,
                       fake_place ***place) {
  const uintptr_t base = (uintptr_t)region->base;
  size_t at = align(base + from, alignment) - base;
  fake_place **i = &region->first;
  for (; *i; i = &(*i)->next) {
    const size_t begin = (size_t)((*i)->base - region->base);
    if (begin >= at && begin - at >= size + PAGE)
      break;
    if (begin + (*i)->size + PAGE > at)
      at = align(base + begin + (*i)->size + PAGE, alignment) - base;
  }
  *place = i;
  return at <= region_size && region_size - at >= size + PAGE ? at : SIZE_MAX;
}

static void map_file(fake_place *place, int file, off_t offset) {
  need(
      mmap(place->view, place->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, offset));
  if (place->view == place->base)
    return;
  pthread_mutex_lock(&open_lock);
  need(mmap(place->base, place->size, protection(), MAP_SHARED | MAP_FIXED, file, offset));
  pthread_mutex_unlock(&open_lock);
}

fake_place *fake_place_take(bool device, size_t size, size_t alignment, int file, size_t offset) {
  fake_region *region = device ? &device_region : &host_region;
  make_region(region);
  if (alignment < PAGE)
    alignment = PAGE;
  if (size > region_size || alignment > region_size)
    return NULL;
  size = align(size, PAGE);
  fake_place **link;
  size_t at = find_gap(region, region->next, size, alignment, &link);
  if (at == SIZE_MAX)
    at = find_gap(region, 0, size, alignment, &link);
  if (at == SIZE_MAX)
    return NULL;
  fake_place *place = fake_allocate(sizeof *place);
  *place = (fake_place){.next = *link,
                        .region = region,
                        .base = region->base + at,
                        .view = region->view + at,
                        .size = size,
                        .file = file};
  *link = place;
  region->next = at + size + PAGE;
  if (file >= 0)
    map_file(place, file, (off_t)offset);
  else if (!device && mprotect(place->base, size, PROT_READ | PROT_WRITE) != 0)
    need(MAP_FAILED);
  /* Fills new memory with garbage, so that programs which expect zeros fail. */
  if (file < 0)
    memset(place->view, POISON, size < POISONED ? size : POISONED);
  return place;
}

void fake_place_give_back(fake_place *place) {
  fake_region *region = place->region;
  const off_t offset = place->base - region->base;
  if (place->file >= 0) {
    map_file(place, region->file, offset);
    close(place->file);
  } else if (region->file >= 0) {
    fallocate(region->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, (off_t)place->size);
  } else {
    need(mmap(place->base, place->size, PROT_NONE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
  }
  fake_place **link = &region->first;
  while (*link != place)
    link = &(*link)->next;
  *link = place->next;
  free(place);
}

int fake_place_file(const fake_place *place, size_t *offset) {
  *offset = place->file >= 0 ? 0 : (size_t)(place->base - place->region->base);
  return place->file >= 0 ? place->file : place->region->file;
}
