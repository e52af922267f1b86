#include "virtual_memory.h"

#include "../base/error.h"
#include "../checks/usm_arguments.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct reservation reservation;

/* Physical memory mapped to a part of a reservation. */
typedef struct mapping {
  struct mapping *next; /* in the order of addresses */
  reservation *in;
  uintptr_t start;
  size_t size;
  physical_memory *memory; /* a reference */
  virtual_access access;   /* VIRTUAL_NO_ACCESS until the driver has mapped it */
  bool is_changing;        /* a thread calls the driver to map, unmap or change it */
} mapping;

struct reservation {
  reservation *next;
  pi_context context; /* a reference */
  uintptr_t start;
  size_t size;
  mapping *mappings;
};

/* Never held across a call of the driver, because unmapping waits for commands. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static reservation *reservations;
static atomic_size_t reservation_count;

static void *pointer_of(uintptr_t address) {
  return (void *)address; // NOLINT(performance-no-int-to-ptr)
}

/* ---- Granularity ---- */

static pi_result require_support(pi_device device) {
  bool can = false;
  TRY(driver_device_maps_memory(device, &can));
  REQUIRE(can, PI_ERROR_UNSUPPORTED_FEATURE, "device %u has no virtual memory management",
          device->index);
  return PI_SUCCESS;
}

/*
 * Returns the largest granularity: it is a multiple of the others, because all are powers of two.
 */
pi_result virtual_granularity(pi_context context, pi_device device, bool is_recommended,
                              size_t *ret) {
  size_t largest = 1;
  for (pi_uint32 i = 0; i < (device ? 1 : context->device_count); i++) {
    const pi_device one = device ? device : context->devices[i];
    size_t unit = 0;
    TRY(require_support(one));
    TRY(driver_virtual_granularity(one, is_recommended, &unit));
    largest = unit > largest ? unit : largest;
  }
  *ret = largest;
  return PI_SUCCESS;
}

static pi_result check_size(pi_context context, pi_device device, size_t size, size_t *unit) {
  TRY(virtual_granularity(context, device, false, unit));
  REQUIRE(size != 0 && size % *unit == 0, PI_ERROR_INVALID_BUFFER_SIZE,
          "size is %zu, not a multiple of the granularity %zu", size, *unit);
  return PI_SUCCESS;
}

static pi_result check_range(pi_context context, const void *start, size_t size, size_t *unit) {
  TRY(check_size(context, NULL, size, unit));
  REQUIRE((uintptr_t)start % *unit == 0, PI_ERROR_INVALID_VALUE,
          "the range begins at %p, not at a multiple of the granularity %zu", start, *unit);
  return check_bytes("the range", start, size);
}

/* ---- Physical memory ---- */

pi_result physical_memory_create(pi_context context, pi_device device, size_t size, pi_uint32 flags,
                                 physical_memory **ret) {
  size_t unit;
  TRY(check_size(context, device, size, &unit));
  physical_memory *memory = calloc(1, sizeof *memory);
  REQUIRE_MEMORY(memory, "physical memory");
  object_init(&memory->handle, OBJECT_PHYSICAL_MEM);
  memory->context = context;
  memory->device = device;
  memory->size = size;
  memory->flags = flags;
  const pi_result result = driver_physical_create(memory);
  if (result != PI_SUCCESS) {
    free(memory);
    return result;
  }
  context_retain(context);
  *ret = memory;
  return PI_SUCCESS;
}

void physical_memory_release(physical_memory *memory) {
  if (!object_release(&memory->handle))
    return;
  const pi_context context = memory->context;
  driver_physical_destroy(memory);
  free(memory);
  context_release(context);
}

/* ---- Reservations ---- */

/* Returns whether a reservation is of context. Several contexts of PI may share the driver's. */
static bool is_of_context(const reservation *reservation, pi_context context) {
  return reservation->context->native == context->native;
}

static void list_reservation(reservation *reservation) {
  pthread_mutex_lock(&lock);
  reservation->next = reservations;
  reservations = reservation;
  atomic_fetch_add_explicit(&reservation_count, 1, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
}

pi_result virtual_reserve(pi_context context, const void *wish, size_t size, void **ret) {
  size_t unit;
  void *start = NULL;
  TRY(check_range(context, wish, size, &unit));
  reservation *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a reservation of addresses");
  const pi_result result = driver_virtual_reserve(context, wish, size, &start);
  if (result != PI_SUCCESS) {
    free(made);
    return result;
  }
  context_retain(context);
  made->context = context;
  made->start = (uintptr_t)start;
  made->size = size;
  list_reservation(made);
  *ret = start;
  return PI_SUCCESS;
}

/* Takes out a whole reservation without mappings. The caller holds the lock. */
static pi_result take_reservation(pi_context context, uintptr_t start, size_t size,
                                  reservation **ret) {
  reservation **link = &reservations;
  while (*link && ((*link)->start != start || !is_of_context(*link, context)))
    link = &(*link)->next;
  reservation *found = *link;
  REQUIRE(found, PI_ERROR_INVALID_VALUE, "no range that the context has reserved begins at %p",
          pointer_of(start));
  REQUIRE(found->size == size, PI_ERROR_INVALID_VALUE,
          "size is %zu, and the range that was reserved at %p has %zu bytes", size,
          pointer_of(start), found->size);
  REQUIRE(!found->mappings, PI_ERROR_INVALID_OPERATION, "something is mapped at %p: unmap it first",
          pointer_of(found->mappings->start));
  *link = found->next;
  atomic_fetch_sub_explicit(&reservation_count, 1, memory_order_relaxed);
  *ret = found;
  return PI_SUCCESS;
}

pi_result virtual_free(pi_context context, const void *start, size_t size) {
  size_t unit;
  reservation *taken = NULL;
  TRY(check_range(context, start, size, &unit));
  pthread_mutex_lock(&lock);
  pi_result result = take_reservation(context, (uintptr_t)start, size, &taken);
  pthread_mutex_unlock(&lock);
  TRY(result);
  result = driver_virtual_free(context, pointer_of(taken->start), size);
  if (result != PI_SUCCESS) {
    list_reservation(taken);
    return result;
  }
  const pi_context owner = taken->context;
  free(taken);
  context_release(owner);
  return PI_SUCCESS;
}

static bool holds_range(const reservation *reservation, uintptr_t start, size_t size) {
  return start >= reservation->start && size <= reservation->size &&
         start - reservation->start <= reservation->size - size;
}

/* Finds the reservation that contains a range. The caller holds the lock. */
static pi_result find_reservation(pi_context context, uintptr_t start, size_t size,
                                  reservation **ret) {
  reservation *reservation = reservations;
  while (reservation &&
         !(is_of_context(reservation, context) && holds_range(reservation, start, size)))
    reservation = reservation->next;
  REQUIRE(reservation, PI_ERROR_INVALID_VALUE,
          "%zu bytes at %p are in no range that the context has reserved", size, pointer_of(start));
  *ret = reservation;
  return PI_SUCCESS;
}

/* ---- Mappings ---- */

/* The link to the first mapping that ends after an address. The caller holds the lock. */
static mapping **find_place(reservation *in, uintptr_t address) {
  mapping **place = &in->mappings;
  while (*place && (*place)->start + (*place)->size <= address)
    place = &(*place)->next;
  return place;
}

/* Lists a mapping in its reservation. The caller holds the lock. */
static pi_result add_mapping(pi_context context, mapping *made) {
  reservation *in;
  TRY(find_reservation(context, made->start, made->size, &in));
  mapping **place = find_place(in, made->start);
  REQUIRE(!*place || (*place)->start >= made->start + made->size, PI_ERROR_INVALID_OPERATION,
          "%zu bytes are mapped at %p already", (*place)->size, pointer_of((*place)->start));
  made->in = in;
  made->next = *place;
  *place = made;
  return PI_SUCCESS;
}

static void destroy_mapping(mapping *mapping) {
  physical_memory_release(mapping->memory);
  free(mapping);
}

/* Has the driver map a listed mapping; removes the mapping after a failure. */
static pi_result map_listed(pi_context context, mapping *made, size_t offset,
                            virtual_access access) {
  const pi_result result = driver_virtual_map(context, pointer_of(made->start), made->size,
                                              made->memory, offset, access);
  pthread_mutex_lock(&lock);
  if (result == PI_SUCCESS) {
    made->access = access;
    made->is_changing = false;
  } else {
    mapping **place = find_place(made->in, made->start);
    *place = made->next;
  }
  pthread_mutex_unlock(&lock);
  if (result != PI_SUCCESS)
    destroy_mapping(made);
  return result;
}

pi_result virtual_map(pi_context context, const void *start, size_t size, physical_memory *memory,
                      size_t offset, virtual_access access) {
  size_t unit;
  TRY(check_range(context, start, size, &unit));
  REQUIRE(memory->context->native == context->native, PI_ERROR_INVALID_CONTEXT,
          "the physical memory is of another context");
  REQUIRE(offset % unit == 0 && offset <= memory->size && size <= memory->size - offset,
          PI_ERROR_INVALID_BUFFER_SIZE,
          "%zu bytes from offset %zu on of physical memory that has %zu, in units of %zu", size,
          offset, memory->size, unit);
  mapping *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a mapping");
  *made = (mapping){.start = (uintptr_t)start,
                    .size = size,
                    .memory = memory,
                    .access = VIRTUAL_NO_ACCESS,
                    .is_changing = true};
  physical_memory_retain(memory);
  pthread_mutex_lock(&lock);
  const pi_result result = add_mapping(context, made);
  pthread_mutex_unlock(&lock);
  if (result != PI_SUCCESS) {
    destroy_mapping(made);
    return result;
  }
  return map_listed(context, made, offset, access);
}

/*
 * Finds the mappings of a range without a gap; *ret is the first. is_whole: also checks that none
 * crosses an end of the range and that no thread changes one. The caller holds the lock.
 */
static pi_result find_mappings(reservation *in, uintptr_t start, size_t size, bool is_whole,
                               mapping **ret) {
  mapping *mapping = *find_place(in, start);
  uintptr_t at = start;
  *ret = mapping;
  do {
    REQUIRE(mapping && mapping->start <= at, PI_ERROR_INVALID_VALUE, "nothing is mapped at %p",
            pointer_of(at));
    REQUIRE(!is_whole || (mapping->start == at && mapping->size <= start + size - at),
            PI_ERROR_INVALID_VALUE,
            "%zu bytes at %p contain only a part of the mapping of %zu bytes at %p", size,
            pointer_of(start), mapping->size, pointer_of(mapping->start));
    REQUIRE(!is_whole || !mapping->is_changing, PI_ERROR_INVALID_OPERATION,
            "another thread changes the mapping at %p", pointer_of(mapping->start));
    at = mapping->start + mapping->size;
    mapping = mapping->next;
  } while (at < start + size);
  return PI_SUCCESS;
}

/* Sets is_changing of the mappings from first to end. The caller holds the lock. */
static void mark_mappings(mapping *first, uintptr_t end, bool is_changing) {
  for (mapping *mapping = first; mapping && mapping->start < end; mapping = mapping->next)
    mapping->is_changing = is_changing;
}

/* A change of whole mappings. Until it ends no other thread may change them (is_changing). */
typedef struct virtual_change {
  uintptr_t start, end;
  mapping *first;
} virtual_change;

static pi_result begin_change(pi_context context, const void *start, size_t size,
                              virtual_change *ret) {
  size_t unit;
  reservation *in;
  TRY(check_range(context, start, size, &unit));
  *ret = (virtual_change){(uintptr_t)start, (uintptr_t)start + size, NULL};
  pthread_mutex_lock(&lock);
  pi_result result = find_reservation(context, ret->start, size, &in);
  if (result == PI_SUCCESS)
    result = find_mappings(in, ret->start, size, true, &ret->first);
  if (result == PI_SUCCESS)
    mark_mappings(ret->first, ret->end, true);
  pthread_mutex_unlock(&lock);
  return result;
}

/* Takes the mappings of a change out of their reservation. The caller holds the lock. */
static void take_mappings(const virtual_change *change) {
  mapping **place = find_place(change->first->in, change->start);
  mapping *last = change->first;
  while (last->start + last->size < change->end)
    last = last->next;
  *place = last->next;
  last->next = NULL;
}

pi_result virtual_unmap(pi_context context, const void *start, size_t size) {
  virtual_change change;
  TRY(begin_change(context, start, size, &change));
  const pi_result result = driver_virtual_unmap(context, pointer_of(change.start), size);
  pthread_mutex_lock(&lock);
  if (result == PI_SUCCESS)
    take_mappings(&change);
  else
    mark_mappings(change.first, change.end, false);
  pthread_mutex_unlock(&lock);
  for (mapping *mapping = change.first, *next; result == PI_SUCCESS && mapping; mapping = next) {
    next = mapping->next;
    destroy_mapping(mapping);
  }
  return result;
}

/* ---- Access ---- */

pi_result virtual_set_access(pi_context context, const void *start, size_t size,
                             virtual_access access) {
  virtual_change change;
  TRY(begin_change(context, start, size, &change));
  const pi_result result =
      driver_virtual_set_access(context, pointer_of(change.start), size, access);
  pthread_mutex_lock(&lock);
  for (mapping *mapping = change.first;
       result == PI_SUCCESS && mapping && mapping->start < change.end; mapping = mapping->next)
    mapping->access = access;
  mark_mappings(change.first, change.end, false);
  pthread_mutex_unlock(&lock);
  return result;
}

/* Finds the access that all mappings of a range have. The caller holds the lock. */
static pi_result find_access(pi_context context, uintptr_t start, size_t size,
                             virtual_access *ret) {
  reservation *in;
  mapping *first;
  TRY(find_reservation(context, start, size, &in));
  TRY(find_mappings(in, start, size, false, &first));
  const virtual_access access = first->access;
  for (const mapping *mapping = first->next; mapping && mapping->start < start + size;
       mapping = mapping->next)
    REQUIRE(mapping->access == access, PI_ERROR_INVALID_VALUE,
            "the mappings at %p and %p have different access", pointer_of(first->start),
            pointer_of(mapping->start));
  *ret = access;
  return PI_SUCCESS;
}

pi_result virtual_get_access(pi_context context, const void *start, size_t size,
                             virtual_access *ret) {
  size_t unit;
  TRY(check_range(context, start, size, &unit));
  pthread_mutex_lock(&lock);
  const pi_result result = find_access(context, (uintptr_t)start, size, ret);
  pthread_mutex_unlock(&lock);
  return result;
}

/* ---- Pointers of commands ---- */

/*
 * The end of the mappings that follow without a gap and have at least this access. The caller holds
 * the lock.
 */
static uintptr_t find_end(const mapping *mapping, virtual_access least) {
  uintptr_t end = mapping->start;
  for (; mapping && mapping->start == end && mapping->access >= least; mapping = mapping->next)
    end = mapping->start + mapping->size;
  return end;
}

static void describe_address(const reservation *in, uintptr_t address, usm_range *ret) {
  const mapping *first = NULL, *found = NULL; /* first: of the gapless mappings around address */
  uintptr_t end = 0;
  for (const mapping *mapping = in->mappings; mapping && mapping->start <= address;
       mapping = mapping->next) {
    first = mapping->access == VIRTUAL_NO_ACCESS ? NULL
            : first && mapping->start == end     ? first
                                                 : mapping;
    end = mapping->start + mapping->size;
    found = mapping;
  }
  if (!first || address >= end)
    return;
  const uintptr_t writable = find_end(found, VIRTUAL_READ_WRITE);
  ret->type = PI_MEM_TYPE_DEVICE;
  ret->base = first->start;
  ret->size = find_end(found, VIRTUAL_READ_ONLY) - first->start;
  ret->device = found->memory->device;
  ret->writable = writable > address ? writable - address : 0;
}

bool virtual_describe(pi_context context, const void *pointer, usm_range *ret) {
  if (atomic_load_explicit(&reservation_count, memory_order_relaxed) == 0)
    return false;
  pthread_mutex_lock(&lock);
  const reservation *reservation = reservations;
  while (reservation && !holds_range(reservation, (uintptr_t)pointer, 1))
    reservation = reservation->next;
  const bool is_found = reservation != NULL;
  if (is_found) {
    *ret = (usm_range){.type = PI_MEM_TYPE_UNKNOWN,
                       .is_reserved = true,
                       .is_foreign = !is_of_context(reservation, context)};
    describe_address(reservation, (uintptr_t)pointer, ret);
  }
  pthread_mutex_unlock(&lock);
  return is_found;
}
