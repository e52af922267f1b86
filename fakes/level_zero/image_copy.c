/* Copies of images in command lists of the fake Level Zero driver. */
#include "image.h"

#include <stdlib.h>

/* A box of pixels, seen as bytes. */
typedef struct side {
  unsigned char *base;
  size_t pitch, slice;
  bool is_memory; /* memory and not an image; accessed through fake_view */
} side;

typedef struct image_copy {
  side to, from;
  size_t row; /* bytes */
  uint32_t height, depth;
} image_copy;

static unsigned char *row_of(const side *where, uint32_t y, uint32_t z) {
  unsigned char *row = where->base + z * where->slice + y * where->pitch;
  return where->is_memory ? fake_view(row) : row;
}

static ze_result_t run_copy(void *data) {
  const image_copy *copy = data;
  for (uint32_t z = 0; z < copy->depth; z++)
    for (uint32_t y = 0; y < copy->height; y++)
      memmove(row_of(&copy->to, y, z), row_of(&copy->from, y, z), copy->row);
  return ZE_RESULT_SUCCESS;
}

/* Checks a region of an image; the default is the whole image. */
static ze_result_t read_region(const fake_image *image, const ze_image_region_t *region,
                               const char *function, ze_image_region_t *ret) {
  const uint32_t *extents = image->extents;
  *ret = region ? *region : (ze_image_region_t){0, 0, 0, extents[0], extents[1], extents[2]};
  const uint64_t ends[3] = {(uint64_t)ret->originX + ret->width,
                            (uint64_t)ret->originY + ret->height,
                            (uint64_t)ret->originZ + ret->depth};
  FAKE_REQUIRE(ret->width != 0 && ret->height != 0 && ret->depth != 0, INVALID_SIZE,
               "%s: a region of %u * %u * %u", function, ret->width, ret->height, ret->depth);
  FAKE_REQUIRE(ends[0] <= extents[0] && ends[1] <= extents[1] && ends[2] <= extents[2],
               INVALID_SIZE,
               "%s: a region of %u * %u * %u at %u, %u, %u in an image of %u * %u * %u", function,
               ret->width, ret->height, ret->depth, ret->originX, ret->originY, ret->originZ,
               extents[0], extents[1], extents[2]);
  return ZE_RESULT_SUCCESS;
}

static side side_of(const fake_image *image, const ze_image_region_t *region) {
  const fake_texels *texels = image->texels;
  return (side){.base = texels->bytes + region->originZ * texels->slice +
                        region->originY * texels->pitch + region->originX * image->format.size,
                .pitch = texels->pitch,
                .slice = texels->slice};
}

/* Finds an image of the list's context that its device may access. */
static ze_result_t find_image(const fake_list *list, ze_image_handle_t handle, const char *function,
                              fake_image **ret) {
  FAKE_FIND(fake_image, image, handle, IMAGE);
  FAKE_REQUIRE(image->head.context == fake_list_context(list), INVALID_ARGUMENT,
               "%s: the image is of another context than the list", function);
  FAKE_REQUIRE(image->device->root == fake_list_device(list)->root, INVALID_ARGUMENT,
               "%s: the image is of another device than the list", function);
  *ret = image;
  return ZE_RESULT_SUCCESS;
}

/* The events of a command. */
typedef struct events {
  ze_event_handle_t signal;
  uint32_t wait_count;
  ze_event_handle_t *waits;
} events;

static ze_result_t append_copy(fake_list *list, const char *function, const image_copy *copy,
                               fake_object *const uses[2], const events *with) {
  const fake_work work = {.name = function,
                          .engine = FAKE_ENGINE_COPY,
                          .run = run_copy,
                          .end = free,
                          .data = fake_copy(copy, sizeof *copy),
                          .uses = uses,
                          .use_count = 2};
  return fake_append(list, &work, with->signal, with->wait_count, with->waits);
}

/* Returns whether two boxes share a pixel. */
static bool overlap(const ze_image_region_t *a, const ze_image_region_t *b) {
  const bool x = a->originX < b->originX + b->width && b->originX < a->originX + a->width;
  const bool y = a->originY < b->originY + b->height && b->originY < a->originY + a->height;
  const bool z = a->originZ < b->originZ + b->depth && b->originZ < a->originZ + a->depth;
  return x && y && z;
}

static ze_result_t copy_images(ze_command_list_handle_t handle, ze_image_handle_t to_handle,
                               ze_image_handle_t from_handle, const ze_image_region_t *to_region,
                               const ze_image_region_t *from_region, const char *function,
                               const events *with) {
  fake_list *list;
  fake_image *to;
  fake_image *from;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, function, &list));
  FAKE_TRY(find_image(list, to_handle, function, &to));
  FAKE_TRY(find_image(list, from_handle, function, &from));
  ze_image_region_t there;
  ze_image_region_t here;
  FAKE_TRY(read_region(to, to_region, function, &there));
  FAKE_TRY(read_region(from, from_region, function, &here));
  FAKE_REQUIRE(there.width == here.width && there.height == here.height &&
                   there.depth == here.depth,
               INVALID_SIZE, "%s: %u * %u * %u pixels to %u * %u * %u", function, here.width,
               here.height, here.depth, there.width, there.height, there.depth);
  FAKE_REQUIRE(to->format.size == from->format.size, INVALID_ARGUMENT,
               "%s: pixels of %zu bytes to those of %zu", function, from->format.size,
               to->format.size);
  FAKE_REQUIRE(to->texels != from->texels || !overlap(&there, &here), OVERLAPPING_REGIONS,
               "%s: the regions overlap", function);
  const image_copy copy = {.to = side_of(to, &there),
                           .from = side_of(from, &here),
                           .row = here.width * from->format.size,
                           .height = here.height,
                           .depth = here.depth};
  fake_object *const uses[2] = {&to->head, &from->head};
  return append_copy(list, function, &copy, uses, with);
}

ze_result_t zeCommandListAppendImageCopyRegion(ze_command_list_handle_t list, ze_image_handle_t to,
                                               ze_image_handle_t from,
                                               const ze_image_region_t *to_region,
                                               const ze_image_region_t *from_region,
                                               ze_event_handle_t signal, uint32_t wait_count,
                                               ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendImageCopyRegion, list);
  const events with = {signal, wait_count, waits};
  return copy_images(list, to, from, to_region, from_region, "zeCommandListAppendImageCopyRegion",
                     &with);
}

ze_result_t zeCommandListAppendImageCopy(ze_command_list_handle_t list, ze_image_handle_t to,
                                         ze_image_handle_t from, ze_event_handle_t signal,
                                         uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendImageCopy, list);
  const events with = {signal, wait_count, waits};
  return copy_images(list, to, from, NULL, NULL, "zeCommandListAppendImageCopy", &with);
}

/* A copy between an image and memory. Pitches of 0 mean without gaps. */
typedef struct transfer {
  const char *function;
  ze_image_handle_t image;
  const void *memory;
  const ze_image_region_t *region;
  uint32_t pitch, slice;
  bool to_memory;
} transfer;

/* Computes the layout of the pixels in memory, and the bytes from the first to the last. */
static ze_result_t read_memory(const transfer *asked, const fake_image *image,
                               const ze_image_region_t *region, side *ret, size_t *ret_size) {
  const size_t row = region->width * image->format.size;
  const size_t pitch = asked->pitch ? asked->pitch : row;
  FAKE_REQUIRE(pitch >= row, INVALID_SIZE, "%s: a row pitch of %zu for rows of %zu bytes",
               asked->function, pitch, row);
  const size_t rows = pitch * region->height;
  const size_t slice = asked->slice ? asked->slice : rows;
  FAKE_REQUIRE(region->depth == 1 || slice >= rows, INVALID_SIZE,
               "%s: a slice pitch of %zu for slices of %zu bytes", asked->function, slice, rows);
  *ret = (side){.base = (unsigned char *)(uintptr_t)asked->memory,
                .pitch = pitch,
                .slice = slice,
                .is_memory = true};
  *ret_size = (region->depth - 1) * slice + (region->height - 1) * pitch + row;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t copy_memory(ze_command_list_handle_t handle, const transfer *asked,
                               const events *with) {
  fake_list *list;
  fake_image *image;
  FAKE_TRY(fake_list_find(handle, FAKE_ENGINE_COPY, asked->function, &list));
  FAKE_TRY(find_image(list, asked->image, asked->function, &image));
  FAKE_REQUIRE(asked->memory, INVALID_NULL_POINTER, "%s: the memory is NULL", asked->function);
  ze_image_region_t region;
  FAKE_TRY(read_region(image, asked->region, asked->function, &region));
  side memory;
  size_t size;
  FAKE_TRY(read_memory(asked, image, &region, &memory, &size));
  fake_memory *allocation = NULL;
  FAKE_TRY(fake_memory_check(fake_list_context(list), fake_list_device(list), asked->memory, size,
                             asked->function, &allocation));
  const side texels = side_of(image, &region);
  const image_copy copy = {.to = asked->to_memory ? memory : texels,
                           .from = asked->to_memory ? texels : memory,
                           .row = region.width * image->format.size,
                           .height = region.height,
                           .depth = region.depth};
  fake_object *const uses[2] = {&image->head, allocation ? &allocation->head : NULL};
  return append_copy(list, asked->function, &copy, uses, with);
}

ze_result_t zeCommandListAppendImageCopyToMemory(ze_command_list_handle_t list, void *memory,
                                                 ze_image_handle_t image,
                                                 const ze_image_region_t *region,
                                                 ze_event_handle_t signal, uint32_t wait_count,
                                                 ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendImageCopyToMemory, list);
  const transfer asked = {.function = "zeCommandListAppendImageCopyToMemory",
                          .image = image,
                          .memory = memory,
                          .region = region,
                          .to_memory = true};
  const events with = {signal, wait_count, waits};
  return copy_memory(list, &asked, &with);
}

ze_result_t zeCommandListAppendImageCopyFromMemory(ze_command_list_handle_t list,
                                                   ze_image_handle_t image, const void *memory,
                                                   const ze_image_region_t *region,
                                                   ze_event_handle_t signal, uint32_t wait_count,
                                                   ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendImageCopyFromMemory, list);
  const transfer asked = {.function = "zeCommandListAppendImageCopyFromMemory",
                          .image = image,
                          .memory = memory,
                          .region = region};
  const events with = {signal, wait_count, waits};
  return copy_memory(list, &asked, &with);
}

ze_result_t zeCommandListAppendImageCopyToMemoryExt(ze_command_list_handle_t list, void *memory,
                                                    ze_image_handle_t image,
                                                    const ze_image_region_t *region, uint32_t pitch,
                                                    uint32_t slice, ze_event_handle_t signal,
                                                    uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendImageCopyToMemoryExt, list);
  if (fake_is_left_out(ZE_IMAGE_COPY_EXT_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeCommandListAppendImageCopyToMemoryExt is left out");
  const transfer asked = {.function = "zeCommandListAppendImageCopyToMemoryExt",
                          .image = image,
                          .memory = memory,
                          .region = region,
                          .pitch = pitch,
                          .slice = slice,
                          .to_memory = true};
  const events with = {signal, wait_count, waits};
  return copy_memory(list, &asked, &with);
}

ze_result_t zeCommandListAppendImageCopyFromMemoryExt(ze_command_list_handle_t list,
                                                      ze_image_handle_t image, const void *memory,
                                                      const ze_image_region_t *region,
                                                      uint32_t pitch, uint32_t slice,
                                                      ze_event_handle_t signal, uint32_t wait_count,
                                                      ze_event_handle_t *waits) {
  FAKE_ENTER_ALONE(zeCommandListAppendImageCopyFromMemoryExt, list);
  if (fake_is_left_out(ZE_IMAGE_COPY_EXT_NAME))
    return fake_deny(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
                     "zeCommandListAppendImageCopyFromMemoryExt is left out");
  const transfer asked = {.function = "zeCommandListAppendImageCopyFromMemoryExt",
                          .image = image,
                          .memory = memory,
                          .region = region,
                          .pitch = pitch,
                          .slice = slice};
  const events with = {signal, wait_count, waits};
  return copy_memory(list, &asked, &with);
}
