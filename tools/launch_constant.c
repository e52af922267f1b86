#define _GNU_SOURCE /* strndup */
#include "launch_constant.h"

#include "inspect.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* ---- The command line ---- */

/* Parses NAME or NAME@OFFSET up to end. A name may contain an @ that no number follows. */
static char *parse_name(const char *text, const char *end, launch_constant *ret) {
  const char *name_end = end;
  const char *at = memrchr(text, '@', (size_t)(end - text));
  if (at && number_parse_count(at + 1, end, &ret->offset)) {
    ret->is_part = true;
    name_end = at;
  }
  if (name_end == text)
    return tool_format("the name of the constant is missing");
  ret->name = strndup(text, (size_t)(name_end - text));
  if (!ret->name)
    tool_no_memory();
  return NULL;
}

char *launch_constant_parse(const char *text, launch_constant *ret) {
  *ret = (launch_constant){0};
  const char *equals = strchr(text, '=');
  if (!equals)
    return tool_format("it is neither NAME=VALUE nor NAME=TYPE:VALUE");
  char *reason = parse_name(text, equals, ret);
  if (reason)
    return reason;
  const char *value = equals + 1;
  const char *colon = strchr(value, ':');
  if (colon)
    return number_parse_typed(value, (size_t)(colon - value), colon + 1, &ret->type, &ret->bytes,
                              &ret->size);
  ret->number = value;
  return NULL;
}

void launch_constant_clear(launch_constant *constant) {
  free(constant->name);
  free(constant->bytes);
  *constant = (launch_constant){0};
}

/* ---- Types ---- */

/* The types of a constant, as far as an image tells them. */
typedef struct known_types {
  char *all;          /* as inspect_type returns them; NULL if unknown */
  const char *scalar; /* type of the scalar at the constant's offset; NULL if unknown */
} known_types;

/* Gets a constant's types from an image. Returns false if the image does not tell them. */
static bool ask_image(specpi_image image, const launch_constant *constant, known_types *ret) {
  inspect_lists lists = inspect_lists_of(image);
  for (size_t i = 0; i < lists.constant_count && !ret->all; i++) {
    const specpi_constant *one = &lists.constants[i];
    if (strcmp(one->name, constant->name) != 0)
      continue;
    ret->all = inspect_type(one, lists.types);
    for (size_t leaf = 0; leaf < one->leaf_count; leaf++)
      if (one->leaves[leaf].id != PI_SPEC_ID_PADDING &&
          one->leaves[leaf].offset == constant->offset)
        ret->scalar = scalar_types_find(lists.types, one->leaves[leaf].id);
  }
  inspect_lists_free(&lists);
  return ret->all;
}

static bool ask_images(size_t count, const specpi_image *images, const launch_constant *constant,
                       known_types *ret) {
  for (size_t i = 0; i < count; i++)
    if (ask_image(images[i], constant, ret))
      return true;
  return false;
}

/*
 * Finds a constant's types in the bundle's images, else in all registered images. PTX and code that
 * reads constants from a buffer lack the types, but SPIR-V for other devices may have them.
 */
static known_types find_types(specpi_bundle bundle, const launch_constant *constant) {
  known_types types = {NULL, NULL};
  size_t own = 0, all = 0;
  specpiBundleGetImages(bundle, 0, NULL, &own);
  specpiImagesGet(0, NULL, &all);
  specpi_image *images = calloc(own + all + 1, sizeof(specpi_image));
  if (!images)
    tool_no_memory();
  size_t count = 0;
  if (specpiBundleGetImages(bundle, own, images, &count) != SPECPI_SUCCESS ||
      !ask_images(count < own ? count : own, images, constant, &types))
    if (specpiImagesGet(all, images, &count) == SPECPI_SUCCESS)
      ask_images(count < all ? count : all, images, constant, &types);
  free(images);
  return types;
}

/* Treats bool and i8 alike, because a compiler may declare a boolean constant as a byte. */
static bool is_byte(const char *type) {
  return strcmp(type, "bool") == 0 || strcmp(type, "i8") == 0;
}

static bool types_agree(const char *known, const char *given) {
  return strcmp(known, given) == 0 || (is_byte(known) && is_byte(given));
}

static const number_type *type_for(const char *known, const char *number) {
  const bool is_word = strcmp(number, "true") == 0 || strcmp(number, "false") == 0;
  const char *name = is_word && is_byte(known) ? "bool" : known;
  return number_type_find(name, strlen(name));
}

/* Parses the constant's number, for which the user gave no type, with the image's type. */
static char *read_number(launch_constant *constant, const known_types *types) {
  if (!types->all)
    return tool_format("the image does not tell the type of constant \"%s\": give one, %s=TYPE:%s",
                       constant->name, constant->name, constant->number);
  if (!constant->is_part && *types->all == '{')
    return tool_format(
        "constant \"%s\" is %s: set its scalars, as %s@OFFSET=VALUE, or its bytes, as "
        "%s=hex:DIGITS",
        constant->name, types->all, constant->name, constant->name);
  const number_type *type = types->scalar ? type_for(types->scalar, constant->number) : NULL;
  if (!type)
    return tool_format("constant \"%s\" is %s, and no scalar begins at byte %zu", constant->name,
                       types->all, constant->offset);
  constant->type = type;
  constant->size = type->size;
  free(constant->bytes);
  constant->bytes = calloc(1, type->size);
  if (!constant->bytes)
    tool_no_memory();
  char *reason = number_parse(type, constant->number, constant->bytes);
  char *sentence = reason ? tool_format("constant \"%s\": %s", constant->name, reason) : NULL;
  free(reason);
  return sentence;
}

static char *check_type(const launch_constant *constant, const known_types *types) {
  const char *given = constant->type->name;
  if (!types->all)
    return NULL;
  if (!constant->is_part)
    return types_agree(types->all, given)
               ? NULL
               : tool_format("constant \"%s\" is %s, %s given", constant->name, types->all, given);
  if (!types->scalar)
    return tool_format(
        "constant \"%s\" is %s, and no scalar begins at byte %zu; hex sets any bytes",
        constant->name, types->all, constant->offset);
  return types_agree(types->scalar, given)
             ? NULL
             : tool_format("constant \"%s\" is %s at byte %zu, %s given", constant->name,
                           types->scalar, constant->offset, given);
}

static char *settle_type(specpi_bundle bundle, launch_constant *constant) {
  if (!constant->number && !constant->type)
    return NULL; /* hex sets bytes of any type */
  known_types types = find_types(bundle, constant);
  char *reason = constant->number ? read_number(constant, &types) : check_type(constant, &types);
  free(types.all);
  return reason;
}

/* ---- Setting ---- */

/* Returns libspecpi's message if a call failed, which the caller frees; else NULL. */
static char *reason_of(specpi_result result) {
  return result == SPECPI_SUCCESS ? NULL : tool_format("%s", specpiGetLastError());
}

/* Finds a constant's size, 0 if the bundle lacks it. Returns a reason on failure. */
static char *find_size(specpi_bundle bundle, const char *name, size_t *size) {
  size_t count = 0;
  char *reason = reason_of(specpiBundleGetConstants(bundle, 0, NULL, &count));
  if (reason)
    return reason;
  specpi_constant *constants = calloc(count + 1, sizeof *constants);
  if (!constants)
    tool_no_memory();
  specpiBundleGetConstants(bundle, count, constants, &count);
  *size = 0;
  for (size_t i = 0; i < count; i++)
    if (strcmp(constants[i].name, name) == 0)
      *size = constants[i].size;
  free(constants);
  return NULL;
}

/* Checks that a part of a constant lies within the constant's size bytes. */
static char *check_part(const launch_constant *part, size_t size) {
  if (!part->is_part || (part->offset <= size && part->size <= size - part->offset))
    return NULL;
  return tool_format("constant \"%s\" has %zu bytes, and --set names %zu from byte %zu on",
                     part->name, size, part->size, part->offset);
}

/*
 * Sets a part of a constant. It reads the whole constant, changes the part and sets the whole,
 * because images that read constants from a buffer accept only whole structures.
 */
static char *set_part(specpi_bundle bundle, const launch_constant *part, size_t size) {
  unsigned char *value = calloc(1, size + 1);
  if (!value)
    tool_no_memory();
  char *reason = reason_of(specpiBundleGet(bundle, part->name, size, value));
  if (!reason) {
    memcpy(value + part->offset, part->bytes, part->size);
    reason = reason_of(specpiBundleSet(bundle, part->name, size, value));
  }
  free(value);
  return reason;
}

/* Sets a constant that the bundle has, with this size. */
static char *set_constant(specpi_bundle bundle, launch_constant *constant, size_t size) {
  char *reason = check_part(constant, size);
  if (!reason)
    reason = settle_type(bundle, constant);
  if (!reason)
    reason = check_part(constant, size);
  if (reason)
    return reason;
  return constant->is_part
             ? set_part(bundle, constant, size)
             : reason_of(specpiBundleSet(bundle, constant->name, constant->size, constant->bytes));
}

char *launch_constant_set(specpi_bundle bundle, launch_constant *constant) {
  size_t size = 0;
  char *reason = find_size(bundle, constant->name, &size);
  if (reason)
    return reason;
  /* With size 0, specpiBundleSet fails with a message that lists the constants. */
  return size ? set_constant(bundle, constant, size)
              : reason_of(specpiBundleSet(bundle, constant->name, 0, ""));
}
