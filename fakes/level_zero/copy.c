/* Copies and fills of memory in command lists of the fake Level Zero driver. */
#include "stream.h"

#include <stdlib.h>

/* A box of bytes in memory. A linear range is a single row. */
typedef struct side {
  char *base; /* the first byte */
  size_t pitch, slice;
} side;

typedef struct copy {
  side to, from;
  size_t width, height, depth;
} copy;

static ze_result_t run_copy(void *data) {
  const copy *box = data;
  for (size_t z = 0; z < box->depth; z++)
    for (size_t y = 0; y < box->height; y++)
      memmove(fake_view(box->to.base + z * box->to.slice + y * box->to.pitch),
              fake_view(box->from.base + z * box->from.slice + y * box->from.pitch), box->width);
  return ZE_RESULT_SUCCESS;
}

/* The arguments of a copy. The source may be in another context. */
typedef struct ranges {
  const char *function;
  void *destination;
  size_t destination_size;
  fake_context *source_context;
  const void *source;
  size_t source_size;
} ranges;

static ze_result_t append_copy(fake_list *list, const ranges *where, const copy *box,
                               ze_event_handle_t signal, uint32_t wait_count,
                               ze_event_handle_t *waits) {
  fake_memory *to;
  fake_memory *from;
  FAKE_TRY(fake_memory_check(fake_list_context(list), list->device, where->destination,
                             where->destination_size, where->function, &to));
  FAKE_TRY(fake_memory_check(where->source_context, list->device, where->source, where->source_size,
                             where->function, &from));
  fake_object *const uses[] = {to ? &to->head : NULL, from ? &from->head : NULL};
  const fake_work work = {.name = where->function,
                          .engine = FAKE_ENGINE_COPY,
                          .run = run_copy,
                          .end = free,
                          .data = fake_copy(box, sizeof *box),
                          .uses = uses,
                          .use_count = 2};
  return fake_append(list, &work, signal, wait_count, waits);
}

static bool overlap(const void *a, size_t a_size, const void *b, size_t b_size) {
  return (uintptr_t)a < (uintptr_t)b + b_size && (uintptr_t)b < (uintptr_t)a + a_size;
}

static ze_result_t append_linear(fake_list *list, const char *function, void *destination,
                                 fake_context *context, const void *source, size_t size,
                                 ze_event_handle_t signal, uint32_t wait_count,
                                 ze_event_handle_t *waits) {
  FAKE_REQUIRE(destination && source, INVALID_NULL_POINTER, "%s: an address is NULL", function);
  FAKE_REQUIRE(size == 0 || !overlap(destination, size, source, size), OVERLAPPING_REGIONS,
               "%s: the source and the destination overlap", function);
  const ranges where = {.function = function,
                        .destination = destination,
                        .destination_size = size,
                        .source_context = context,
                        .source = source,
                        .source_size = size};
  const copy box = {.to = {.base = destination},
                    .from = {.base = (char *)(uintptr_t)source},
                    .width = size,
                    .height = 1,
                    .depth = 1};
  return append_copy(list, &where, &box, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t handle, void *destination,
                                          const void *source, size_t size, ze_event_handle_t signal,
                                          uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendMemoryCopy, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, "zeCommandListAppendMemoryCopy", &list));
  return append_linear(list, "zeCommandListAppendMemoryCopy", destination, fake_list_context(list),
                       source, size, signal, wait_count, waits);
}

ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t handle,
                                                     void *destination,
                                                     ze_context_handle_t sourceContext,
                                                     const void *source, size_t size,
                                                     ze_event_handle_t signal, uint32_t wait_count,
                                                     ze_event_handle_t *waits) {
  static const char function[] = "zeCommandListAppendMemoryCopyFromContext";
  FAKE_ENTER_ALONE(zeCommandListAppendMemoryCopyFromContext, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, &list));
  FAKE_FIND(fake_context, context, sourceContext, CONTEXT);
  FAKE_REQUIRE(context->driver == fake_list_context(list)->driver, INVALID_ARGUMENT,
               "%s: the source's context is of another driver", function);
  return append_linear(list, function, destination, context, source, size, signal, wait_count,
                       waits);
}

/* Computes a region's start in memory, and the number of bytes from there to its end. */
static ze_result_t measure_region(const void *base, const ze_copy_region_t *region, uint32_t pitch,
                                  uint32_t slice, side *ret, size_t *size) {
  static const char function[] = "zeCommandListAppendMemoryCopyRegion";
  const size_t depth = region->depth ? region->depth : 1;
  const bool is_3d = region->depth != 0;
  FAKE_REQUIRE(region->height <= 1 || region->originX + (size_t)region->width <= pitch,
               INVALID_SIZE, "%s: rows of %u bytes from byte %u do not fit a pitch of %u", function,
               region->width, region->originX, pitch);
  FAKE_REQUIRE(!is_3d || depth == 1 || ((size_t)region->originY + region->height) * pitch <= slice,
               INVALID_SIZE, "%s: slices of %u rows from row %u do not fit a pitch of %u", function,
               region->height, region->originY, slice);
  const size_t slice_pitch = is_3d ? slice : 0;
  ret->pitch = pitch;
  ret->slice = slice_pitch;
  ret->base = (char *)(uintptr_t)base + region->originX + (size_t)region->originY * pitch +
              (size_t)region->originZ * slice_pitch;
  const bool is_empty = region->width == 0 || region->height == 0;
  *size = is_empty
              ? 0
              : (depth - 1) * slice_pitch + (size_t)(region->height - 1) * pitch + region->width;
  return ZE_RESULT_SUCCESS;
}

/* Returns whether two boxes share bytes. It is exact if both have the same pitches. */
static bool boxes_overlap(const copy *box, size_t to_size, size_t from_size) {
  if (to_size == 0 || !overlap(box->to.base, to_size, box->from.base, from_size))
    return false;
  if (box->to.pitch != box->from.pitch || box->to.slice != box->from.slice)
    return true;
  const char *low = box->to.base < box->from.base ? box->to.base : box->from.base;
  const char *high = box->to.base < box->from.base ? box->from.base : box->to.base;
  size_t distance = (size_t)(high - low);
  size_t slices = 0;
  if (box->to.slice != 0) {
    slices = distance / box->to.slice;
    distance %= box->to.slice;
  }
  if (slices >= box->depth)
    return false;
  const size_t rows = box->to.pitch ? distance / box->to.pitch : 0;
  const size_t bytes = box->to.pitch ? distance % box->to.pitch : distance;
  const bool beside = bytes >= box->width && box->to.pitch - bytes >= box->width;
  return !beside && (rows < box->height || box->to.slice != 0);
}

ze_result_t zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t handle, void *destination,
                                                const ze_copy_region_t *to, uint32_t to_pitch,
                                                uint32_t to_slice, const void *source,
                                                const ze_copy_region_t *from, uint32_t from_pitch,
                                                uint32_t from_slice, ze_event_handle_t signal,
                                                uint32_t wait_count, ze_event_handle_t *waits) {
  static const char function[] = "zeCommandListAppendMemoryCopyRegion";
  FAKE_ENTER_ALONE(zeCommandListAppendMemoryCopyRegion, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, &list));
  FAKE_REQUIRE(destination && source && to && from, INVALID_NULL_POINTER, "%s: NULL", function);
  FAKE_REQUIRE(to->width == from->width && to->height == from->height && to->depth == from->depth,
               INVALID_ARGUMENT, "%s: the regions' sizes are different", function);
  copy box = {.width = to->width, .height = to->height, .depth = to->depth ? to->depth : 1};
  ranges where = {.function = function, .source_context = fake_list_context(list)};
  FAKE_TRY(measure_region(destination, to, to_pitch, to_slice, &box.to, &where.destination_size));
  FAKE_TRY(measure_region(source, from, from_pitch, from_slice, &box.from, &where.source_size));
  FAKE_REQUIRE(!boxes_overlap(&box, where.destination_size, where.source_size), OVERLAPPING_REGIONS,
               "%s: the regions overlap", function);
  where.destination = box.to.base;
  where.source = box.from.base;
  return append_copy(list, &where, &box, signal, wait_count, waits);
}

typedef struct fill {
  char *base;
  size_t size, pattern_size;
  char pattern[];
} fill;

static ze_result_t run_fill(void *data) {
  const fill *what = data;
  char *view = fake_view(what->base);
  for (size_t i = 0; i < what->size; i += what->pattern_size) {
    const size_t left = what->size - i;
    memcpy(view + i, what->pattern, left < what->pattern_size ? left : what->pattern_size);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t handle, void *address,
                                          const void *pattern, size_t pattern_size, size_t size,
                                          ze_event_handle_t signal, uint32_t wait_count,
                                          ze_event_handle_t *waits) {
  static const char function[] = "zeCommandListAppendMemoryFill";
  FAKE_ENTER_ALONE(zeCommandListAppendMemoryFill, handle);
  fake_list *list;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, &list));
  FAKE_REQUIRE(address && pattern, INVALID_NULL_POINTER, "%s: NULL", function);
  FAKE_REQUIRE(pattern_size != 0 && (pattern_size & (pattern_size - 1)) == 0 &&
                   pattern_size <= fake_group_of(list->ordinal)->pattern,
               INVALID_SIZE,
               "%s: a pattern of %zu bytes is no power of 2, or longer than the %zu of queue group "
               "%u",
               function, pattern_size, fake_group_of(list->ordinal)->pattern, list->ordinal);
  FAKE_REQUIRE(size % pattern_size == 0, INVALID_SIZE,
               "%s: %zu bytes are no whole number of patterns of %zu", function, size,
               pattern_size);
  fake_memory *memory;
  FAKE_TRY(
      fake_memory_check(fake_list_context(list), list->device, address, size, function, &memory));
  fill *what = fake_allocate(sizeof *what + pattern_size);
  *what = (fill){.base = address, .size = size, .pattern_size = pattern_size};
  memcpy(what->pattern, pattern, pattern_size);
  fake_object *const uses[] = {memory ? &memory->head : NULL};
  const fake_work work = {.name = function,
                          .engine = FAKE_ENGINE_COPY,
                          .run = run_fill,
                          .end = free,
                          .data = what,
                          .uses = uses,
                          .use_count = 1};
  return fake_append(list, &work, signal, wait_count, waits);
}

/* Appends a hint. It only checks that the memory exists. */
static ze_result_t append_hint(ze_command_list_handle_t handle, const void *address, size_t size,
                               const char *function, fake_list **ret) {
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, ret));
  fake_memory *memory;
  FAKE_TRY(
      fake_memory_check(fake_list_context(*ret), (*ret)->device, address, size, function, &memory));
  FAKE_REQUIRE(memory, INVALID_ARGUMENT, "%s: nothing is allocated at %p", function, address);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t handle, const void *address,
                                              size_t size) {
  FAKE_ENTER_ALONE(zeCommandListAppendMemoryPrefetch, handle);
  fake_list *list;
  return append_hint(handle, address, size, "zeCommandListAppendMemoryPrefetch", &list);
}

ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t handle, ze_device_handle_t device,
                                         const void *address, size_t size,
                                         ze_memory_advice_t advice) {
  FAKE_ENTER_ALONE(zeCommandListAppendMemAdvise, handle);
  fake_list *list;
  FAKE_TRY(append_hint(handle, address, size, "zeCommandListAppendMemAdvise", &list));
  FAKE_REQUIRE(advice <= ZE_MEMORY_ADVICE_BIAS_UNCACHED, INVALID_ENUMERATION,
               "zeCommandListAppendMemAdvise: advice %d", (int)advice);
  return fake_check_device(fake_list_context(list), device, "zeCommandListAppendMemAdvise", NULL);
}
