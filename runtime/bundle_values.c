/* Setting and getting constants by name. */
#include "bundle_object.h"

#include <stdlib.h>
#include <string.h>

specpi_result bundle_values_create(const bundle_layout *layout, bundle_values *ret) {
  unsigned char *bytes = calloc(1, layout->value_size + layout->leaf_count + 1);
  if (!bytes)
    return error_memory();
  for (size_t i = 0; i < layout->constant_count; i++) {
    const bundle_constant *constant = &layout->constants[i];
    if (constant->seen.default_value)
      memcpy(bytes + constant->place, constant->seen.default_value, constant->seen.size);
  }
  *ret = (bundle_values){bytes, (bool *)bytes + layout->value_size};
  return SPECPI_SUCCESS;
}

void bundle_values_free(bundle_values *values) {
  free(values->bytes);
}

void bundle_values_copy(const bundle_layout *layout, const bundle_values *from, bundle_values *to) {
  memcpy(to->bytes, from->bytes, layout->value_size);
  memcpy(to->set, from->set, layout->leaf_count * sizeof *to->set);
}

/* ---- Sizes ---- */

/*
 * The other size that values of a constant may have if the constant can be a vector of three: on
 * the host such a vector has the size of a vector of four. 0 if it cannot be one.
 */
static size_t host_size(const specpi_constant *constant) {
  const specpi_leaf *leaves = constant->leaves;
  if (constant->leaf_count == 3) {
    const size_t part = leaves[0].size;
    for (size_t i = 0; i < 3; i++)
      if (leaves[i].id == PI_SPEC_ID_PADDING || leaves[i].size != part ||
          leaves[i].offset != i * part)
        return 0;
    return constant->size == 3 * part ? 4 * part : 0;
  }
  size_t real = 0;
  for (size_t i = 0; i < constant->leaf_count; i++)
    real += leaves[i].id != PI_SPEC_ID_PADDING;
  /* For constants in a buffer only one leaf is recorded: 3, 6, 12 or 24 bytes. */
  for (size_t part = 1; real == 1 && part <= 8; part *= 2)
    if (constant->size == 3 * part && leaves[0].size == constant->size)
      return 4 * part;
  return 0;
}

static specpi_result check_size(const specpi_constant *constant, size_t size) {
  if (size == constant->size)
    return SPECPI_SUCCESS;
  const size_t other = host_size(constant);
  if (other && size == other)
    return SPECPI_SUCCESS;
  if (other)
    ERROR_FAIL(SPECPI_ERROR_INVALID_SIZE, "constant \"%s\" takes %zu or %zu bytes, %zu given",
               constant->name, constant->size, other, size);
  ERROR_FAIL(SPECPI_ERROR_INVALID_SIZE, "constant \"%s\" takes %zu bytes, %zu given",
             constant->name, constant->size, size);
}

/* ---- Setting ---- */

/* Removes the type from a size that SPECPI_VALUE made, and returns it; SPECPI_TYPE_NONE: there is
 * none. */
static specpi_type split_size(size_t *size) {
  const size_t type = *size >> SPECPI_TYPE_SHIFT;
  if (type == SPECPI_TYPE_NONE || type >= SPECPI_TYPE_COUNT)
    return SPECPI_TYPE_NONE;
  *size -= type << SPECPI_TYPE_SHIFT;
  return (specpi_type)type;
}

/* Checks the name, type and size of a value. *ret receives the constant. */
static specpi_result check_value(const bundle_layout *layout, const specpi_value *value,
                                 const bundle_constant **ret) {
  const bundle_constant *constant = bundle_layout_find(layout, value->name);
  if (!constant)
    return SPECPI_ERROR_UNKNOWN_CONSTANT;
  size_t size = value->size;
  const specpi_type given = split_size(&size);
  if (given != SPECPI_TYPE_NONE)
    ERROR_TRY(bundle_layout_check_type(layout, constant, given));
  ERROR_TRY(check_size(&constant->seen, size));
  *ret = constant;
  return SPECPI_SUCCESS;
}

/* Checks values. found receives the constant of each, and may be NULL. */
static specpi_result check_values(const bundle_layout *layout, size_t count,
                                  const specpi_value *values, const bundle_constant **found) {
  const bundle_constant *constant;
  for (size_t i = 0; i < count; i++) {
    ERROR_REQUIRE(values[i].name, "values[%zu].name is NULL", i);
    ERROR_REQUIRE(values[i].value, "values[%zu].value is NULL, for constant \"%.400s\"", i,
                  values[i].name);
    ERROR_TRY(check_value(layout, &values[i], &constant));
    if (found)
      found[i] = constant;
  }
  return SPECPI_SUCCESS;
}

/* Stores a value that was checked. */
static void apply(const bundle_constant *constant, const specpi_value *value, bundle_values *to) {
  memcpy(to->bytes + constant->place, value->value, constant->seen.size);
  memset(to->set + constant->first_leaf, true, constant->leaf_count);
}

specpi_result specpiBundleSetMany(specpi_bundle bundle, size_t count, const specpi_value *values) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE(values || count == 0, "values is NULL and count is %zu", count);
  ERROR_TRY(bundle_require_state(bundle, SPECPI_BUNDLE_INPUT, "to set constants"));
  ERROR_TRY(check_values(bundle->layout, count, values, NULL));
  pthread_mutex_lock(&bundle->lock);
  for (size_t i = 0; i < count; i++)
    apply(bundle_layout_find(bundle->layout, values[i].name), &values[i], &bundle->values);
  pthread_mutex_unlock(&bundle->lock);
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleSet(specpi_bundle bundle, const char *name, size_t size,
                              const void *value) {
  ERROR_REQUIRE(name, "name is NULL");
  ERROR_REQUIRE(value, "value is NULL, for constant \"%.400s\"", name);
  const specpi_value one = {name, size, value};
  return specpiBundleSetMany(bundle, 1, &one);
}

/* Returns whether a leaf contains these bytes. There must be at least one. */
static bool is_inside(const specpi_leaf *leaf, size_t offset, size_t size) {
  return size != 0 && size <= leaf->size && offset >= leaf->offset &&
         offset - leaf->offset <= leaf->size - size;
}

/* A leaf of a constant, and its index among the leaves that are not padding. */
typedef struct leaf_place {
  const specpi_leaf *leaf;
  size_t number;
} leaf_place;

/* Finds the leaf that consists of these bytes or, if parts of leaves can be set, contains them. */
static specpi_result find_leaf(const bundle_constant *of, size_t offset, size_t size,
                               leaf_place *ret) {
  const specpi_constant *constant = &of->seen;
  size_t number = 0;
  for (size_t i = 0; i < constant->leaf_count; i++) {
    const specpi_leaf *leaf = &constant->leaves[i];
    if (leaf->id == PI_SPEC_ID_PADDING) {
      if (offset >= leaf->offset && offset - leaf->offset < leaf->size)
        ERROR_FAIL(SPECPI_ERROR_INVALID_SIZE,
                   "byte %zu of constant \"%s\" is padding, which cannot be set", offset,
                   constant->name);
      continue;
    }
    if ((leaf->offset == offset && leaf->size == size) ||
        (of->has_bytes && is_inside(leaf, offset, size))) {
      *ret = (leaf_place){leaf, number};
      return SPECPI_SUCCESS;
    }
    if (leaf->offset == offset)
      ERROR_FAIL(SPECPI_ERROR_INVALID_SIZE,
                 "the leaf at byte %zu of constant \"%s\" takes %u bytes, %zu given", offset,
                 constant->name, leaf->size, size);
    number++;
  }
  ERROR_FAIL(SPECPI_ERROR_INVALID_SIZE, "no leaf of constant \"%s\" begins at byte %zu",
             constant->name, offset);
}

/* Sets bytes of a leaf, whose other bytes must have values. The caller holds the lock. */
static specpi_result apply_part(specpi_bundle bundle, const bundle_constant *constant,
                                const leaf_place *place, size_t offset, size_t size,
                                const void *value) {
  bool *set = &bundle->values.set[constant->first_leaf + place->number];
  if (!*set && !constant->seen.default_value && size != place->leaf->size)
    ERROR_FAIL(SPECPI_ERROR_NO_VALUE,
               "constant \"%s\" is not set, and the image does not say what its default is: the "
               "%u bytes from byte %u on have to be set together",
               constant->seen.name, place->leaf->size, place->leaf->offset);
  memcpy(bundle->values.bytes + constant->place + offset, value, size);
  *set = true;
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleSetLeaf(specpi_bundle bundle, const char *name, size_t offset,
                                  size_t size, const void *value) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE(name, "name is NULL");
  ERROR_REQUIRE(value, "value is NULL, for constant \"%.400s\"", name);
  ERROR_TRY(bundle_require_state(bundle, SPECPI_BUNDLE_INPUT, "to set constants"));
  const bundle_constant *constant = bundle_layout_find(bundle->layout, name);
  if (!constant)
    return SPECPI_ERROR_UNKNOWN_CONSTANT;
  leaf_place place = {0};
  ERROR_TRY(find_leaf(constant, offset, size, &place));
  pthread_mutex_lock(&bundle->lock);
  const specpi_result result = apply_part(bundle, constant, &place, offset, size, value);
  pthread_mutex_unlock(&bundle->lock);
  return result;
}

specpi_result specpiBundleReset(specpi_bundle bundle, const char *name) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE(name, "name is NULL");
  ERROR_TRY(bundle_require_state(bundle, SPECPI_BUNDLE_INPUT, "to set constants"));
  const bundle_constant *constant = bundle_layout_find(bundle->layout, name);
  if (!constant)
    return SPECPI_ERROR_UNKNOWN_CONSTANT;
  unsigned char *bytes = bundle->values.bytes + constant->place;
  pthread_mutex_lock(&bundle->lock);
  if (constant->seen.default_value)
    memcpy(bytes, constant->seen.default_value, constant->seen.size);
  else
    memset(bytes, 0, constant->seen.size);
  memset(bundle->values.set + constant->first_leaf, false, constant->leaf_count);
  pthread_mutex_unlock(&bundle->lock);
  return SPECPI_SUCCESS;
}

/* ---- Getting ---- */

/* The caller holds the lock. */
static specpi_result read_value(specpi_bundle bundle, const bundle_constant *constant, size_t size,
                                void *value) {
  const char *name = constant->seen.name;
  if (bundle->differs && bundle->differs[constant - bundle->layout->constants])
    ERROR_FAIL(SPECPI_ERROR_CONFLICT,
               "constant \"%s\" has different values in the objects that were linked", name);
  bool complete = true;
  for (size_t i = 0; i < constant->leaf_count; i++)
    complete &= bundle->values.set[constant->first_leaf + i];
  if (!complete && !constant->seen.default_value)
    ERROR_FAIL(SPECPI_ERROR_NO_VALUE,
               "constant \"%s\" is not set, and the image does not say what its default is", name);
  const size_t content = constant->seen.size;
  memcpy(value, bundle->values.bytes + constant->place, content);
  if (size > content)
    memset((unsigned char *)value + content, 0, size - content);
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleGet(specpi_bundle bundle, const char *name, size_t size, void *value) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE(name, "name is NULL");
  ERROR_REQUIRE(value, "value is NULL, for constant \"%.400s\"", name);
  const bundle_constant *constant = bundle_layout_find(bundle->layout, name);
  if (!constant)
    return SPECPI_ERROR_UNKNOWN_CONSTANT;
  ERROR_TRY(check_size(&constant->seen, size));
  pthread_mutex_lock(&bundle->lock);
  const specpi_result result = read_value(bundle, constant, size, value);
  pthread_mutex_unlock(&bundle->lock);
  return result;
}

/* ---- For builds ---- */

/*
 * Makes one allocation, with the list, then the constants of others, then bytes, then flags, and
 * looks each name up once, because an autotuner calls this for each kernel.
 */
specpi_result bundle_values_of_image(const bundle_layout *layout, const bundle_values *from,
                                     pthread_mutex_t *lock, size_t image, size_t count,
                                     const specpi_value *others, program_values *ret) {
  const bundle_image *one = &layout->images[image];
  const size_t rest = one->leaf_count * sizeof(program_value) + layout->value_size +
                      layout->leaf_count * sizeof(bool) + 1;
  program_value *list = NULL;
  if (count <= (SIZE_MAX - rest) / sizeof(bundle_constant *))
    list = malloc(rest + count * sizeof(bundle_constant *));
  if (!list)
    return error_memory();
  const bundle_constant **found = (const bundle_constant **)(void *)(list + one->leaf_count);
  const specpi_result result = check_values(layout, count, others, found);
  if (result != SPECPI_SUCCESS) {
    free(list);
    return result;
  }
  bundle_values values;
  values.bytes = (unsigned char *)(found + count);
  values.set = (bool *)(values.bytes + layout->value_size);
  if (lock)
    pthread_mutex_lock(lock);
  bundle_values_copy(layout, from, &values);
  if (lock)
    pthread_mutex_unlock(lock);
  for (size_t i = 0; i < count; i++)
    apply(found[i], &others[i], &values);
  size_t used = 0;
  for (size_t i = 0; i < one->leaf_count; i++) {
    const bundle_leaf *leaf = &one->leaves[i];
    if (values.set[leaf->leaf] || (leaf->imported && leaf->imported->seen.default_value))
      list[used++] = (program_value){leaf->id, leaf->size, values.bytes + leaf->place};
  }
  *ret = (program_values){list, used, list};
  return SPECPI_SUCCESS;
}

/* Adds the images that an image needs to its source, with these values. */
static specpi_result add_needed(const bundle_layout *layout, const bundle_values *values,
                                const bundle_image *image, size_t count, const specpi_value *others,
                                program_source *source) {
  source->needed = calloc(image->needed_count, sizeof *source->needed);
  if (!source->needed)
    return error_memory();
  for (size_t i = 0; i < image->needed_count; i++) {
    program_part *part = &source->needed[i];
    part->image = layout->images[image->needed[i]].image;
    ERROR_TRY(bundle_values_of_image(layout, values, NULL, image->needed[i], count, others,
                                     &part->values));
    source->needed_count++;
  }
  return SPECPI_SUCCESS;
}

/* Makes a source of several images. All get the values of the same moment. */
static specpi_result make_source(const bundle_layout *layout, const bundle_values *from,
                                 pthread_mutex_t *lock, size_t image, size_t count,
                                 const specpi_value *others, program_source *source) {
  if (layout->images[image].needed_count == 0)
    return bundle_values_of_image(layout, from, lock, image, count, others, &source->values);
  bundle_values now;
  ERROR_TRY(bundle_values_create(layout, &now));
  if (lock)
    pthread_mutex_lock(lock);
  bundle_values_copy(layout, from, &now);
  if (lock)
    pthread_mutex_unlock(lock);
  specpi_result result =
      bundle_values_of_image(layout, &now, NULL, image, count, others, &source->values);
  if (result == SPECPI_SUCCESS)
    result = add_needed(layout, &now, &layout->images[image], count, others, source);
  bundle_values_free(&now);
  return result;
}

specpi_result bundle_source_of(const bundle_layout *layout, const bundle_values *from,
                               pthread_mutex_t *lock, size_t image, const char *options,
                               size_t count, const specpi_value *others, program_source *ret) {
  ERROR_TRY(bundle_needed_check(layout, NULL, image, "no registered image"));
  program_source made = {
      .device = layout->device, .image = layout->images[image].image, .options = options};
  const specpi_result result = make_source(layout, from, lock, image, count, others, &made);
  if (result == SPECPI_SUCCESS)
    *ret = made;
  else
    program_source_clear(&made);
  return result;
}

specpi_result bundle_get_source(specpi_bundle input, size_t image, const char *options,
                                size_t count, const specpi_value *values, program_source *ret) {
  ERROR_REQUIRE(input, "bundle is NULL");
  ERROR_REQUIRE(values || count == 0, "values is NULL and count is %zu", count);
  ERROR_TRY(bundle_require_state(input, SPECPI_BUNDLE_INPUT, "to build it"));
  ERROR_REQUIRE(image < input->layout->image_count, "image is %zu of %zu", image,
                input->layout->image_count);
  return bundle_source_of(input->layout, &input->values, &input->lock, image,
                          options ? options : "", count, values, ret);
}
