/*
 * Finds the images that define functions which other images call: first among the bundle's images,
 * then among the registered ones. Symbols identify functions.
 */
#include "bundle_object.h"

#include "../plugins/base/find.h"
#include "../plugins/base/vector.h"
#include "build_log.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel or function that an image defines. */
typedef struct defined_name {
  const char *name;
  size_t image;
} defined_name;

typedef struct defined_list {
  defined_name *items;
  size_t count;
  size_t capacity;
} defined_list;

static specpi_result add_name(defined_list *to, const char *name, size_t image) {
  if (!VECTOR_RESERVE(to))
    return error_memory();
  to->items[to->count++] = (defined_name){name, image};
  return SPECPI_SUCCESS;
}

static specpi_result add_functions(defined_list *to, specpi_image image, size_t number) {
  for (size_t i = image_next_property(image, IMAGE_EXPORTED, 0); i < image->property_count;
       i = image_next_property(image, IMAGE_EXPORTED, i + 1))
    ERROR_TRY(add_name(to, image->properties[i].name, number));
  return SPECPI_SUCCESS;
}

static specpi_result add_kernels(defined_list *to, specpi_image image, size_t number) {
  const pi_offload_entry_struct *one = image->binary->EntriesBegin;
  for (; one != image->binary->EntriesEnd; one++)
    ERROR_TRY(add_name(to, one->name, number));
  return SPECPI_SUCCESS;
}

static int compare_names(const void *a, const void *b) {
  const defined_name *one = a;
  const defined_name *other = b;
  const int order = strcmp(one->name, other->name);
  if (order)
    return order;
  return one->image < other->image ? -1 : one->image > other->image;
}

static void sort_names(defined_list *list) {
  if (list->count)
    qsort(list->items, list->count, sizeof *list->items, compare_names);
}

static int by_name(const void *name, const void *defined) {
  return strcmp(name, ((const defined_name *)defined)->name);
}

/* The first element with that name in a sorted list; NULL if there is none. */
static const defined_name *find_name(const defined_list *list, const char *name) {
  const size_t low = find_first(name, list->items, list->count, sizeof *list->items, by_name);
  return low < list->count && strcmp(list->items[low].name, name) == 0 ? &list->items[low] : NULL;
}

/* ---- Registered images that a bundle needs ---- */

/* The best registered image for the device that defines a function; NULL when there is none. */
static specpi_result find_registered(specpi_device device, const char *function,
                                     specpi_image *ret) {
  specpi_image *list;
  size_t count;
  ERROR_TRY(registry_find_function(function, &list, &count));
  size_t best;
  specpi_result result =
      count ? specpiImageSelect(device, count, list, &best) : SPECPI_ERROR_NO_IMAGE;
  *ret = result == SPECPI_SUCCESS ? image_retain(list[best]) : NULL;
  registry_list_free(list, count);
  return result == SPECPI_ERROR_NO_IMAGE ? SPECPI_SUCCESS : result;
}

/* For each function that one image of the list calls, adds the image that defines it. */
static specpi_result add_needed(specpi_device device, size_t number, specpi_image **images,
                                size_t *count, defined_list *defined) {
  const specpi_image caller = (*images)[number];
  for (size_t i = image_next_property(caller, IMAGE_IMPORTED, 0); i < caller->property_count;
       i = image_next_property(caller, IMAGE_IMPORTED, i + 1)) {
    if (find_name(defined, caller->properties[i].name))
      continue;
    specpi_image found;
    ERROR_TRY(find_registered(device, caller->properties[i].name, &found));
    if (!found)
      break; /* the image cannot be built, so its other functions do not matter */
    if (!vector_resize(images, *count + 1, sizeof **images)) {
      specpiImageRelease(found);
      return error_memory();
    }
    (*images)[(*count)++] = found;
    ERROR_TRY(add_functions(defined, found, *count - 1));
    sort_names(defined);
  }
  return SPECPI_SUCCESS;
}

specpi_result bundle_needed_add(specpi_device device, specpi_image **images, size_t *count) {
  defined_list defined = {0};
  specpi_result result = SPECPI_SUCCESS;
  for (size_t i = 0; i < *count && result == SPECPI_SUCCESS; i++)
    result = add_functions(&defined, (*images)[i], i);
  sort_names(&defined);
  for (size_t i = 0; i < *count && result == SPECPI_SUCCESS; i++)
    result = add_needed(device, i, images, count, &defined);
  free(defined.items);
  return result;
}

/* ---- Images that each image is linked with ---- */

/* Finds a kernel or function that two of the images linked together define. */
static specpi_result find_twice(const bundle_layout *layout, size_t number) {
  bundle_image *image = &layout->images[number];
  defined_list all = {0};
  specpi_result result = SPECPI_SUCCESS;
  for (size_t i = 0; i <= image->needed_count && result == SPECPI_SUCCESS; i++) {
    const size_t part = i ? image->needed[i - 1] : number;
    result = add_functions(&all, layout->images[part].image, part);
    if (result == SPECPI_SUCCESS)
      result = add_kernels(&all, layout->images[part].image, part);
  }
  sort_names(&all);
  for (size_t i = 1; i < all.count && !image->twice; i++)
    if (strcmp(all.items[i - 1].name, all.items[i].name) == 0) {
      image->twice = all.items[i].name;
      image->twice_images[0] = all.items[i - 1].image;
      image->twice_images[1] = all.items[i].image;
    }
  free(all.items);
  return result;
}

/* Chooses the image that defines a function: one that is linked anyway, or else the first. */
static const defined_name *choose_image(const defined_list *defined, const char *function,
                                        const size_t *marks, size_t mark) {
  const defined_name *first = find_name(defined, function);
  const defined_name *end = defined->items + defined->count;
  for (const defined_name *one = first; one && one != end && strcmp(one->name, function) == 0;
       one++)
    if (marks[one->image] == mark)
      return one;
  return first;
}

/* Adds the images that a part, the image itself or one that it needs, calls functions of. marks
 * records the images that are in the list already. */
static void add_needs(bundle_layout *layout, const defined_list *defined, size_t number,
                      size_t part, size_t *marks) {
  bundle_image *image = &layout->images[number];
  const specpi_image caller = layout->images[part].image;
  for (size_t i = image_next_property(caller, IMAGE_IMPORTED, 0); i < caller->property_count;
       i = image_next_property(caller, IMAGE_IMPORTED, i + 1)) {
    const specpi_property *function = &caller->properties[i];
    const defined_name *found = choose_image(defined, function->name, marks, number + 1);
    if (!found) {
      image->missing = function;
      image->missing_image = part;
      return;
    }
    if (marks[found->image] == number + 1)
      continue;
    marks[found->image] = number + 1;
    image->needed[image->needed_count++] = found->image;
  }
}

static bool has_imports(specpi_image image) {
  return image_next_property(image, IMAGE_IMPORTED, 0) < image->property_count;
}

static specpi_result resolve_image(bundle_layout *layout, const defined_list *defined,
                                   size_t number, size_t *marks) {
  bundle_image *image = &layout->images[number];
  if (!has_imports(image->image))
    return SPECPI_SUCCESS;
  image->needed = calloc(layout->image_count + layout->needed_count, sizeof *image->needed);
  if (!image->needed)
    return error_memory();
  marks[number] = number + 1;
  add_needs(layout, defined, number, number, marks);
  for (size_t i = 0; i < image->needed_count && !image->missing; i++)
    add_needs(layout, defined, number, image->needed[i], marks);
  /* Shrink the list, which has space for all images: each image has such a list. */
  if (!vector_resize(&image->needed, image->needed_count + 1, sizeof *image->needed))
    return error_memory();
  return image->missing ? SPECPI_SUCCESS : find_twice(layout, number);
}

specpi_result bundle_needed_resolve(bundle_layout *layout) {
  const size_t total = layout->image_count + layout->needed_count;
  bool any = false;
  for (size_t i = 0; i < layout->image_count; i++)
    any = any || has_imports(layout->images[i].image);
  if (!any)
    return SPECPI_SUCCESS;
  size_t *marks = calloc(total, sizeof *marks);
  defined_list defined = {0};
  specpi_result result = marks ? SPECPI_SUCCESS : error_memory();
  for (size_t i = 0; i < total && result == SPECPI_SUCCESS; i++)
    result = add_functions(&defined, layout->images[i].image, i);
  sort_names(&defined);
  for (size_t i = 0; i < layout->image_count && result == SPECPI_SUCCESS; i++)
    result = resolve_image(layout, &defined, i, marks);
  free(defined.items);
  free(marks);
  return result;
}

void bundle_needed_free(bundle_layout *layout) {
  for (size_t i = 0; layout->images && i < layout->image_count; i++)
    free(layout->images[i].needed);
}

/* ---- Errors ---- */

specpi_result bundle_needed_check(const bundle_layout *layout, const size_t *object_of,
                                  size_t number, const char *where) {
  const bundle_image *image = &layout->images[number];
  if (image->twice)
    ERROR_FAIL(SPECPI_ERROR_CONFLICT, "\"%.300s\" is in %s and in %s, which are linked",
               image->twice, bundle_label_of(layout, object_of, image->twice_images[0]).text,
               bundle_label_of(layout, object_of, image->twice_images[1]).text);
  if (!image->missing)
    return SPECPI_SUCCESS;
  build_log_keep(NULL);
  const specpi_property *function = image->missing;
  const char *device = specpiDeviceGetSelector(layout->device);
  /* The compiler may have recorded a description of the function and its caller. */
  if (function->type == PI_PROPERTY_TYPE_BYTE_ARRAY && function->size > 0)
    ERROR_FAIL(SPECPI_ERROR_BUILD_FAILED, "%s for %s defines function %.*s", where, device,
               (int)(function->size < 800 ? function->size : 800), (const char *)function->bytes);
  ERROR_FAIL(SPECPI_ERROR_BUILD_FAILED, "%s for %s defines function '%.300s', which %s calls",
             where, device, function->name,
             bundle_label_of(layout, object_of, image->missing_image).text);
}
