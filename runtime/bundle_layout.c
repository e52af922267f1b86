/* The joint constants and kernels of several images. */
#include "bundle_object.h"
#include "registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A constant of an image, before constants of the same name are united. */
typedef struct candidate {
  const specpi_constant *constant;
  size_t image;
} candidate;

bundle_label bundle_label_of(const bundle_layout *layout, const size_t *object_of, size_t image) {
  const pi_device_binary_struct *binary = layout->images[image].image->binary;
  const bool any = binary->EntriesBegin != binary->EntriesEnd;
  bundle_label label;
  int used = 0;
  if (object_of) {
    size_t first = image;
    while (first > 0 && object_of[first - 1] == object_of[image])
      first--;
    used = snprintf(label.text, sizeof label.text, "image %zu of object %zu", image - first,
                    object_of[image]);
  } else {
    used = snprintf(label.text, sizeof label.text, "image %zu", image);
  }
  snprintf(label.text + used, sizeof label.text - (size_t)used, " (%.32s%s%.64s)",
           binary->DeviceTargetSpec, any ? ", kernel " : "",
           any ? binary->EntriesBegin[0].name : "");
  return label;
}

static int compare_candidates(const void *a, const void *b) {
  const candidate *one = a;
  const candidate *other = b;
  const int order = strcmp(one->constant->name, other->constant->name);
  if (order)
    return order;
  if (one->image != other->image)
    return one->image < other->image ? -1 : 1;
  return one->constant < other->constant ? -1 : one->constant > other->constant;
}

static int compare_entries(const void *a, const void *b) {
  const bundle_entry *one = a;
  const bundle_entry *other = b;
  const int order = strcmp(one->name, other->name);
  if (order)
    return order;
  return one->image < other->image ? -1 : one->image > other->image;
}

static int compare_leaves(const void *a, const void *b) {
  const bundle_leaf *one = a;
  const bundle_leaf *other = b;
  if (one->id != other->id)
    return one->id < other->id ? -1 : 1;
  return one->place < other->place ? -1 : one->place > other->place;
}

/* The index of the first leaf, from i on, that is not padding; leaf_count if there is none. */
static size_t next_leaf(const specpi_constant *constant, size_t i) {
  while (i < constant->leaf_count && constant->leaves[i].id == PI_SPEC_ID_PADDING)
    i++;
  return i;
}

static size_t count_leaves(const specpi_constant *constant) {
  size_t count = 0;
  for (size_t i = next_leaf(constant, 0); i < constant->leaf_count; i = next_leaf(constant, i + 1))
    count++;
  return count;
}

static bool same_layout(const specpi_constant *one, const specpi_constant *other) {
  if (one->size != other->size)
    return false;
  size_t i = next_leaf(one, 0);
  size_t j = next_leaf(other, 0);
  while (i < one->leaf_count && j < other->leaf_count) {
    if (one->leaves[i].offset != other->leaves[j].offset ||
        one->leaves[i].size != other->leaves[j].size)
      return false;
    i = next_leaf(one, i + 1);
    j = next_leaf(other, j + 1);
  }
  return i == one->leaf_count && j == other->leaf_count;
}

/* The offset of the first byte, padding aside, at which two defaults differ; size if none does. */
static size_t first_difference(const specpi_constant *one, const specpi_constant *other) {
  const unsigned char *a = one->default_value;
  const unsigned char *b = other->default_value;
  for (size_t i = next_leaf(one, 0); i < one->leaf_count; i = next_leaf(one, i + 1))
    for (size_t at = one->leaves[i].offset; at < one->leaves[i].offset + one->leaves[i].size; at++)
      if (a[at] != b[at])
        return at;
  return one->size;
}

/* The size of a constant as a text for errors. */
typedef struct extent_text {
  char text[64];
} extent_text;

static extent_text extent_of(const specpi_constant *constant) {
  const size_t leaves = count_leaves(constant);
  extent_text extent;
  snprintf(extent.text, sizeof extent.text, "%zu bytes, %zu %s", constant->size, leaves,
           leaves == 1 ? "leaf" : "leaves");
  return extent;
}

/* Checks that two constants of the same name agree. */
static specpi_result compare_with_first(const bundle_layout *layout, const size_t *object_of,
                                        const candidate *first, const candidate *other) {
  const specpi_constant *a = first->constant;
  const specpi_constant *b = other->constant;
  if (first->image == other->image)
    ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "%s has two constants \"%s\"",
               bundle_label_of(layout, object_of, first->image).text, a->name);
  if (!same_layout(a, b))
    ERROR_FAIL(SPECPI_ERROR_CONFLICT,
               "constant \"%s\" has another layout in %s (%s) than in %s (%s)", a->name,
               bundle_label_of(layout, object_of, other->image).text, extent_of(b).text,
               bundle_label_of(layout, object_of, first->image).text, extent_of(a).text);
  if (!a->default_value || !b->default_value)
    return SPECPI_SUCCESS;
  const size_t at = first_difference(a, b);
  if (at < a->size)
    ERROR_FAIL(SPECPI_ERROR_CONFLICT,
               "constant \"%s\" has another default in %s than in %s: byte %zu is 0x%02x, not "
               "0x%02x",
               a->name, bundle_label_of(layout, object_of, other->image).text,
               bundle_label_of(layout, object_of, first->image).text, at,
               ((const unsigned char *)b->default_value)[at],
               ((const unsigned char *)a->default_value)[at]);
  return SPECPI_SUCCESS;
}

/* Adds a constant of an image to the image's leaves. */
static void add_leaves(bundle_image *image, const specpi_constant *constant,
                       const bundle_constant *target) {
  const bool imported = image_imports(image->image, constant);
  size_t leaf = target->first_leaf;
  for (size_t i = next_leaf(constant, 0); i < constant->leaf_count; i = next_leaf(constant, i + 1))
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): make_constants allocated the image's
    // leaves
    image->leaves[image->leaf_count++] =
        (bundle_leaf){constant->leaves[i].id, constant->leaves[i].size,
                      target->place + constant->leaves[i].offset, leaf++, imported ? target : NULL};
}

/* Makes one constant from count candidates of the same name. */
static specpi_result unite_candidates(bundle_layout *layout, const size_t *object_of,
                                      const candidate *candidates, size_t count) {
  bundle_constant *target = &layout->constants[layout->constant_count];
  *target = (bundle_constant){.seen = *candidates[0].constant,
                              .place = layout->value_size,
                              .first_leaf = layout->leaf_count,
                              .leaf_count = count_leaves(candidates[0].constant)};
  /* Each candidate is compared with the united one, which may get its default only on the way. */
  for (size_t i = 1; i < count; i++) {
    const candidate first = {&target->seen, candidates[0].image};
    ERROR_TRY(compare_with_first(layout, object_of, &first, &candidates[i]));
    if (!target->seen.default_value)
      target->seen.default_value = candidates[i].constant->default_value;
  }
  for (size_t i = 0; i < count; i++) {
    bundle_image *image = &layout->images[candidates[i].image];
    add_leaves(image, candidates[i].constant, target);
    target->has_bytes |= image->image->values != IMAGE_VALUES_IN_CODE;
    target->imported |= image_imports(image->image, candidates[i].constant);
  }
  layout->constant_count++;
  layout->value_size += target->seen.size;
  layout->leaf_count += target->leaf_count;
  return SPECPI_SUCCESS;
}

/* Sorts the leaves of an image by id. Two leaves with the same id are an error. */
static specpi_result sort_leaves(const bundle_layout *layout, const size_t *object_of, size_t i) {
  const bundle_image *image = &layout->images[i];
  if (image->leaf_count)
    qsort(image->leaves, image->leaf_count, sizeof *image->leaves, compare_leaves);
  for (size_t k = 1; k < image->leaf_count; k++)
    if (image->leaves[k].id == image->leaves[k - 1].id)
      ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE,
                 "%s has two constants, or parts of them, with the id %" PRIu32,
                 bundle_label_of(layout, object_of, i).text, image->leaves[k].id);
  return SPECPI_SUCCESS;
}

/* The number of the bundle's own images and of those that they need. */
static size_t count_images(const bundle_layout *layout) {
  return layout->image_count + layout->needed_count;
}

static specpi_result unite_all(bundle_layout *layout, const size_t *object_of,
                               candidate *candidates, size_t count) {
  qsort(candidates, count, sizeof *candidates, compare_candidates);
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count; end++)
      if (strcmp(candidates[begin].constant->name, candidates[end].constant->name) != 0)
        break;
    ERROR_TRY(unite_candidates(layout, object_of, candidates + begin, end - begin));
  }
  for (size_t i = 0; i < count_images(layout); i++)
    ERROR_TRY(sort_leaves(layout, object_of, i));
  return SPECPI_SUCCESS;
}

static specpi_result make_constants(bundle_layout *layout, const size_t *object_of) {
  size_t constants = 0;
  size_t leaves = 0;
  for (size_t i = 0; i < count_images(layout); i++) {
    const specpi_image image = layout->images[i].image;
    constants += image->constant_count;
    for (size_t c = 0; c < image->constant_count; c++)
      leaves += image->constants[c].leaf_count;
  }
  if (constants == 0)
    return SPECPI_SUCCESS;
  layout->constants = calloc(constants, sizeof *layout->constants);
  layout->leaves = calloc(leaves, sizeof *layout->leaves);
  candidate *candidates = calloc(constants, sizeof *candidates);
  if (!layout->constants || !layout->leaves || !candidates) {
    free(candidates);
    return error_memory();
  }
  size_t next = 0;
  bundle_leaf *room = layout->leaves;
  for (size_t i = 0; i < count_images(layout); i++) {
    const specpi_image image = layout->images[i].image;
    layout->images[i].leaves = room;
    for (size_t c = 0; c < image->constant_count; c++) {
      room += image->constants[c].leaf_count;
      candidates[next++] = (candidate){&image->constants[c], i};
    }
  }
  const specpi_result result = unite_all(layout, object_of, candidates, constants);
  free(candidates);
  return result;
}

/*
 * Copies the defaults that no image has from the constants' host variables. The ids of such
 * constants are linker names, so all units share one variable. The default is copied, because the
 * variable's library can be unloaded.
 */
static specpi_result read_variables(bundle_layout *layout) {
  for (size_t i = 0; i < layout->constant_count; i++) {
    bundle_constant *constant = &layout->constants[i];
    if (!constant->imported || constant->seen.default_value)
      continue;
    const void *variable = specpiIdentifiableGetAddress(constant->seen.name, "specialization_id");
    if (!variable)
      continue; /* builds then fail, unless the constant is set */
    if (!layout->defaults)
      layout->defaults = calloc(1, layout->value_size);
    if (!layout->defaults)
      return error_memory();
    constant->seen.default_value =
        memcpy((unsigned char *)layout->defaults + constant->place, variable, constant->seen.size);
  }
  return SPECPI_SUCCESS;
}

static specpi_result make_kernels(bundle_layout *layout, const size_t *object_of) {
  size_t count = 0;
  for (size_t i = 0; i < layout->image_count; i++) {
    const pi_device_binary_struct *binary = layout->images[i].image->binary;
    count += (size_t)(binary->EntriesEnd - binary->EntriesBegin);
  }
  if (count == 0)
    return SPECPI_SUCCESS;
  layout->kernels = calloc(count, sizeof *layout->kernels);
  if (!layout->kernels)
    return error_memory();
  for (size_t i = 0; i < layout->image_count; i++) {
    const pi_device_binary_struct *binary = layout->images[i].image->binary;
    for (pi_offload_entry_struct *one = binary->EntriesBegin; one != binary->EntriesEnd; one++)
      layout->kernels[layout->kernel_count++] = (bundle_entry){one->name, i};
  }
  qsort(layout->kernels, count, sizeof *layout->kernels, compare_entries);
  for (size_t k = 1; k < count; k++)
    if (strcmp(layout->kernels[k].name, layout->kernels[k - 1].name) == 0)
      ERROR_FAIL(SPECPI_ERROR_CONFLICT, "kernel \"%s\" is in %s and in %s", layout->kernels[k].name,
                 bundle_label_of(layout, object_of, layout->kernels[k - 1].image).text,
                 bundle_label_of(layout, object_of, layout->kernels[k].image).text);
  return SPECPI_SUCCESS;
}

/* The index in the hash table at which the search for a name starts. The hash is FNV-1a. */
static size_t name_place(const bundle_layout *layout, const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name; name++)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return (size_t)(hash ^ hash >> 32) & (layout->name_capacity - 1);
}

static specpi_result make_names(bundle_layout *layout) {
  layout->name_capacity = 2;
  while (layout->name_capacity / 2 <= layout->constant_count)
    layout->name_capacity *= 2;
  layout->names = calloc(layout->name_capacity, sizeof *layout->names);
  if (!layout->names)
    return error_memory();
  for (size_t i = 0; i < layout->constant_count; i++) {
    size_t place = name_place(layout, layout->constants[i].seen.name);
    while (layout->names[place])
      place = (place + 1) & (layout->name_capacity - 1);
    layout->names[place] = (uint32_t)i + 1;
  }
  return SPECPI_SUCCESS;
}

/* Frees a layout except its images, which belong to the caller until the layout is complete. */
static void free_parts(bundle_layout *layout) {
  if (layout->types)
    free(atomic_load(&layout->types->list));
  free(layout->types);
  bundle_needed_free(layout);
  free(layout->images);
  free(layout->kernels);
  free(layout->constants);
  free(layout->names);
  free(layout->defaults);
  free(layout->leaves);
  free(layout);
}

/* Fills in all members that depend on the images. */
static specpi_result fill_layout(bundle_layout *layout, const size_t *object_of) {
  ERROR_TRY(make_constants(layout, object_of));
  ERROR_TRY(read_variables(layout));
  ERROR_TRY(make_names(layout));
  ERROR_TRY(make_kernels(layout, object_of));
  return bundle_needed_resolve(layout);
}

specpi_result bundle_layout_create(specpi_device device, const specpi_image *images, size_t count,
                                   size_t needed, const size_t *object_of, bundle_layout **ret) {
  bundle_layout *layout = calloc(1, sizeof *layout);
  if (!layout)
    return error_memory();
  references_init(&layout->references);
  layout->device = device;
  layout->images = calloc(count + needed, sizeof *layout->images);
  layout->types = calloc(1, sizeof *layout->types);
  if (!layout->images || !layout->types) {
    free_parts(layout);
    return error_memory();
  }
  layout->image_count = count;
  layout->needed_count = needed;
  for (size_t i = 0; i < count; i++)
    layout->images[i].image = images[i];
  for (size_t i = 0; i < needed; i++)
    layout->images[count + i].image = images[count + i];
  const specpi_result result = fill_layout(layout, object_of);
  if (result != SPECPI_SUCCESS) {
    free_parts(layout);
    return result;
  }
  *ret = layout;
  return SPECPI_SUCCESS;
}

bundle_layout *bundle_layout_retain(bundle_layout *layout) {
  references_add(&layout->references);
  return layout;
}

void bundle_layout_release(bundle_layout *layout) {
  if (!references_drop(&layout->references))
    return;
  for (size_t i = 0; i < count_images(layout); i++)
    specpiImageRelease(layout->images[i].image);
  free_parts(layout);
}

const bundle_constant *bundle_layout_look_up(const bundle_layout *layout, const char *name) {
  size_t place = name_place(layout, name);
  for (; layout->names[place]; place = (place + 1) & (layout->name_capacity - 1)) {
    const bundle_constant *one = &layout->constants[layout->names[place] - 1];
    if (strcmp(one->seen.name, name) == 0)
      return one;
  }
  return NULL;
}

const bundle_constant *bundle_layout_find(const bundle_layout *layout, const char *name) {
  const bundle_constant *found = bundle_layout_look_up(layout, name);
  if (found)
    return found;
  error_names names = {.given = name};
  for (size_t i = 0; i < layout->constant_count; i++)
    error_names_offer(&names, layout->constants[i].seen.name);
  error_set_unknown(SPECPI_ERROR_UNKNOWN_CONSTANT, "no constant is called", &names);
  return NULL;
}

/* ---- Types ---- */

static const char *const type_names[] = {"nothing",
#define SPECPI_TYPE(NAME, name) #name,
                                         SPECPI_TYPES(SPECPI_TYPE)
#undef SPECPI_TYPE
};

static unsigned char type_of_name(const char *name) {
  unsigned char type = SPECPI_TYPE_NONE + 1;
  while (type < SPECPI_TYPE_COUNT && strcmp(type_names[type], name) != 0)
    type++;
  return type < SPECPI_TYPE_COUNT ? type : SPECPI_TYPE_NONE;
}

/* Adds the types of leaves that an image records and that are not known yet. */
static specpi_result read_types(const bundle_layout *layout, specpi_image image,
                                unsigned char *types) {
  size_t count = 0;
  ERROR_TRY(specpiImageGetLeafTypes(image, 0, NULL, &count));
  const char **names = calloc(count + 1, sizeof *names);
  if (!names)
    return error_memory();
  const specpi_result result = specpiImageGetLeafTypes(image, count, names, &count);
  const char **at = names;
  for (size_t c = 0; result == SPECPI_SUCCESS && c < image->constant_count; c++) {
    const specpi_constant *one = &image->constants[c];
    const bundle_constant *target = bundle_layout_look_up(layout, one->name);
    size_t leaf = target ? target->first_leaf : 0;
    if (target && same_layout(one, &target->seen))
      for (size_t i = next_leaf(one, 0); i < one->leaf_count; i = next_leaf(one, i + 1), leaf++)
        if (types[leaf] == SPECPI_TYPE_NONE && at[i])
          types[leaf] = type_of_name(at[i]);
    at += one->leaf_count;
  }
  free(names);
  return result;
}

/*
 * Reads types from registered images with the same kernels. PTX, and code that reads constants from
 * a buffer, does not record types, but SPIR-V of the same kernels for other devices may.
 */
static specpi_result read_registered_types(const bundle_layout *layout, specpi_image image,
                                           unsigned char *types) {
  const pi_device_binary_struct *binary = image->binary;
  if (binary->EntriesBegin == binary->EntriesEnd)
    return SPECPI_SUCCESS;
  specpi_image *images = NULL;
  size_t count = 0;
  ERROR_TRY(registry_list_kernel(binary->EntriesBegin->name, &images, &count));
  specpi_result result = SPECPI_SUCCESS;
  for (size_t i = 0; i < count && result == SPECPI_SUCCESS; i++)
    result = read_types(layout, images[i], types);
  registry_list_free(images, count);
  return result;
}

static specpi_result read_all_types(const bundle_layout *layout, unsigned char *types) {
  for (size_t i = 0; i < count_images(layout); i++)
    ERROR_TRY(read_types(layout, layout->images[i].image, types));
  if (memchr(types, SPECPI_TYPE_NONE, layout->leaf_count))
    for (size_t i = 0; i < count_images(layout); i++)
      ERROR_TRY(read_registered_types(layout, layout->images[i].image, types));
  return SPECPI_SUCCESS;
}

/*
 * Reads the types at the first call, for all bundles of the layout. If two threads do so at the
 * same time, the first one's types are kept.
 */
static specpi_result get_types(const bundle_layout *layout, const unsigned char **ret) {
  unsigned char *types = atomic_load(&layout->types->list);
  if (!types) {
    unsigned char *made = calloc(layout->leaf_count + 1, 1);
    if (!made)
      return error_memory();
    const specpi_result result = read_all_types(layout, made);
    if (result != SPECPI_SUCCESS) {
      free(made);
      return result;
    }
    if (atomic_compare_exchange_strong(&layout->types->list, &types, made))
      types = made;
    else
      free(made);
  }
  *ret = types;
  return SPECPI_SUCCESS;
}

/* Returns whether a type is a byte. Compilers may record a boolean as one. */
static bool is_byte(unsigned type) {
  return type == SPECPI_TYPE_BOOL || type == SPECPI_TYPE_I8;
}

specpi_result bundle_layout_check_type(const bundle_layout *layout, const bundle_constant *constant,
                                       specpi_type given) {
  const specpi_constant *seen = &constant->seen;
  const unsigned char *types = NULL;
  ERROR_TRY(get_types(layout, &types));
  types += constant->first_leaf;
  for (size_t i = next_leaf(seen, 0); i < seen->leaf_count; i = next_leaf(seen, i + 1)) {
    const unsigned known = *types++;
    if (known == SPECPI_TYPE_NONE || known == given || (is_byte(known) && is_byte(given)))
      continue;
    if (constant->leaf_count == 1)
      ERROR_FAIL(SPECPI_ERROR_INVALID_TYPE, "constant \"%s\" is %s, %s given", seen->name,
                 type_names[known], type_names[given]);
    ERROR_FAIL(SPECPI_ERROR_INVALID_TYPE, "constant \"%s\" is %s at byte %u, %s given", seen->name,
               type_names[known], seen->leaves[i].offset, type_names[given]);
  }
  return SPECPI_SUCCESS;
}
