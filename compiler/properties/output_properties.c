/* The property sets of a lowered module. */
#include "../output.h"
#include "properties.h"

#include <pi/pi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACED "specConstsReplacedWithDefault"
#define BUFFER_SET "specpi/buffer arguments"
#define UNIT_SET "specpi/unit"
#define REQUIRED_SET "specpi/required constants"
#define EXPORTED_SET "specpi/exported functions"
#define IMPORTED_SET "specpi/imported functions"
#define IMPORTED_CONSTANTS_SET "specpi/imported constants"
#define OBJECTS_SET "specpi/function objects"

static specpi_compiler_result add_set(specpi_compiler_properties to, const char *name) {
  return properties_add_set(to, name, strlen(name));
}

static specpi_compiler_result add_number(specpi_compiler_properties to, const char *name,
                                         uint32_t value) {
  return properties_add_number(to, name, strlen(name), value);
}

/* ---- The sets ---- */

/* Returns the work-group size that all kernels require; NULL if they differ, or require none. */
static const uint32_t *common_size(specpi_compiler_output output) {
  const specpi_compiler_kernel *first = output->kernels.items;
  if (output->kernels.count == 0 || first->required_size[0] == 0)
    return NULL;
  for (size_t i = 1; i < output->kernels.count; i++)
    if (memcmp(first[i].required_size, first->required_size, sizeof first->required_size) != 0)
      return NULL;
  return first->required_size;
}

/* Returns the sub-group size that all kernels require; 0 if they differ, or require none. */
static uint32_t common_sub_group_size(specpi_compiler_output output) {
  const specpi_compiler_kernel *first = output->kernels.items;
  for (size_t i = 1; i < output->kernels.count; i++)
    if (first[i].required_sub_group_size != first->required_sub_group_size)
      return 0;
  return output->kernels.count > 0 ? first->required_sub_group_size : 0;
}

static specpi_compiler_result add_requirements(specpi_compiler_output output,
                                               specpi_compiler_properties to) {
  const uint32_t *size = common_size(output);
  const uint32_t sub_group_size = common_sub_group_size(output);
  if (output->aspects.count == 0 && size == NULL && sub_group_size == 0)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(add_set(to, PI_PROPERTY_SET_SYCL_DEVICE_REQUIREMENTS));
  if (output->aspects.count > 0)
    COMPILER_TRY(properties_add_words(to, "aspects", output->aspects.items, output->aspects.count));
  if (size != NULL)
    COMPILER_TRY(properties_add_words(to, "reqd_work_group_size", size, 3));
  return sub_group_size > 0 ? add_number(to, "reqd_sub_group_size", sub_group_size)
                            : SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_masks(specpi_compiler_output output,
                                        specpi_compiler_properties to) {
  if (output->masks.count > 0)
    COMPILER_TRY(add_set(to, PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO));
  for (size_t i = 0; i < output->masks.count; i++) {
    const output_mask *mask = &output->masks.items[i];
    COMPILER_TRY(
        properties_add_bits(to, output->kernels.items[mask->kernel].name, mask->bits, mask->count));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_metadata(const specpi_compiler_kernel *kernel,
                                           specpi_compiler_properties to) {
  static const char suffix[] = "@reqd_work_group_size";
  const size_t size = strlen(kernel->name) + sizeof suffix;
  char *name = malloc(size);
  if (name == NULL)
    return compiler_error_memory();
  snprintf(name, size, "%s%s", kernel->name, suffix);
  const specpi_compiler_result result = properties_add_words(to, name, kernel->required_size, 3);
  free(name);
  return result;
}

static specpi_compiler_result add_program_metadata(specpi_compiler_output output,
                                                   specpi_compiler_properties to) {
  bool begun = false;
  for (size_t i = 0; i < output->kernels.count; i++) {
    if (output->kernels.items[i].required_size[0] == 0)
      continue;
    if (!begun)
      COMPILER_TRY(add_set(to, PI_PROPERTY_SET_PROGRAM_METADATA));
    begun = true;
    COMPILER_TRY(add_metadata(&output->kernels.items[i], to));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_miscellaneous(specpi_compiler_output output,
                                                specpi_compiler_properties to) {
  const bool has_level = output->optimization != SPECPI_COMPILER_OPTIMIZATION_UNKNOWN;
  if (!has_level && !output->replaced)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(add_set(to, PI_PROPERTY_SET_SYCL_MISC_PROP));
  if (has_level)
    COMPILER_TRY(add_number(to, "optLevel",
                            (uint32_t)output->optimization - SPECPI_COMPILER_OPTIMIZATION_O0));
  return output->replaced ? add_number(to, REPLACED, 1) : SPECPI_COMPILER_SUCCESS;
}

/* Adds the set of buffer arguments. Even an empty set means that constants are in a buffer. */
static specpi_compiler_result add_buffer_arguments(specpi_compiler_output output,
                                                   specpi_compiler_properties to) {
  if (output->mode != SPECPI_COMPILER_MODE_EMULATE || output->constants.count == 0)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(add_set(to, BUFFER_SET));
  for (size_t i = 0; i < output->kernels.count; i++) {
    const specpi_compiler_kernel *kernel = &output->kernels.items[i];
    if (kernel->buffer_argument != SPECPI_COMPILER_NO_ARGUMENT)
      COMPILER_TRY(add_number(to, kernel->name, kernel->buffer_argument));
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds the id of the C++ unit; the unit's host side has the same id. */
static specpi_compiler_result add_unit(specpi_compiler_output output,
                                       specpi_compiler_properties to) {
  if (output->unit_id == NULL)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(add_set(to, UNIT_SET));
  return properties_add_payload(to, "id", output->unit_id, strlen(output->unit_id));
}

/* Copies the names of a constant's users, each with a NUL, to to if it is not NULL. Returns their
 * total size. */
static size_t copy_users(specpi_compiler_output output, const char *constant, char *to) {
  size_t size = 0;
  for (size_t i = 0; i < output->required_users.count; i++) {
    const output_user *user = &output->required_users.items[i];
    if (strcmp(user->constant, constant) != 0)
      continue;
    const size_t length = strlen(user->name) + 1;
    if (to != NULL)
      memcpy(to + size, user->name, length);
    size += length;
  }
  return size;
}

static specpi_compiler_result add_users(specpi_compiler_output output, const char *constant,
                                        specpi_compiler_properties to) {
  const size_t size = copy_users(output, constant, NULL);
  char *names = malloc(size + 1);
  if (names == NULL)
    return compiler_error_memory();
  copy_users(output, constant, names);
  const specpi_compiler_result result = properties_add_payload(to, constant, names, size);
  free(names);
  return result;
}

/* Adds a constant's name with the number 1. */
static specpi_compiler_result add_mark(specpi_compiler_output output, const char *constant,
                                       specpi_compiler_properties to) {
  (void)output;
  return add_number(to, constant, 1);
}

/*
 * Adds a set of the constants that are in a list of names, in the order of the records. add_value
 * adds each constant's property.
 */
static specpi_compiler_result
add_listed(const char *set, specpi_compiler_output output, const output_names *names,
           specpi_compiler_result (*add_value)(specpi_compiler_output, const char *,
                                               specpi_compiler_properties),
           specpi_compiler_properties to) {
  bool begun = false;
  for (size_t i = 0; i < output->constants.count; i++) {
    const char *name = output->constants.items[i].name;
    if (!output_has(names, name))
      continue;
    if (!begun)
      COMPILER_TRY(add_set(to, set));
    begun = true;
    COMPILER_TRY(add_value(output, name, to));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_names(const char *set, const output_names *names,
                                        specpi_compiler_properties to) {
  if (names->count > 0)
    COMPILER_TRY(add_set(to, set));
  for (size_t i = 0; i < names->count; i++)
    COMPILER_TRY(add_number(to, names->items[i], 1));
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds the imported functions, each with a text that tells users where it is called. */
static specpi_compiler_result add_imported(specpi_compiler_output output,
                                           specpi_compiler_properties to) {
  if (output->imported.count > 0)
    COMPILER_TRY(add_set(to, IMPORTED_SET));
  for (size_t i = 0; i < output->imported.count; i++)
    COMPILER_TRY(properties_add_payload(to, output->imported.items[i], output->calls.items[i],
                                        strlen(output->calls.items[i])));
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Adds the positions of members in kernels' function objects, for host compilers with another
 * layout of lambdas.
 */
static specpi_compiler_result add_objects(specpi_compiler_output output,
                                          specpi_compiler_properties to) {
  const output_names *objects = &output->objects;
  if (objects->count > 0)
    COMPILER_TRY(add_set(to, OBJECTS_SET));
  for (size_t i = 0; i + 1 < objects->count; i += 2)
    COMPILER_TRY(properties_add_payload(to, objects->items[i], objects->items[i + 1],
                                        strlen(objects->items[i + 1])));
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result fill_properties(specpi_compiler_output output,
                                              specpi_compiler_properties to) {
  COMPILER_TRY(properties_add_constants(to, output->constants.items, output->constants.count,
                                        output->defaults, output->default_size));
  COMPILER_TRY(add_requirements(output, to));
  COMPILER_TRY(add_masks(output, to));
  COMPILER_TRY(add_program_metadata(output, to));
  COMPILER_TRY(add_miscellaneous(output, to));
  COMPILER_TRY(add_buffer_arguments(output, to));
  COMPILER_TRY(add_unit(output, to));
  /* Constants without a default; their users cannot be built until they have a value. */
  COMPILER_TRY(add_listed(REQUIRED_SET, output, &output->required, add_users, to));
  COMPILER_TRY(
      add_listed(IMPORTED_CONSTANTS_SET, output, &output->imported_constants, add_mark, to));
  COMPILER_TRY(add_names(EXPORTED_SET, &output->exported, to));
  COMPILER_TRY(add_imported(output, to));
  return add_objects(output, to);
}

specpi_compiler_result specpiCompilerOutputGetProperties(specpi_compiler_output output,
                                                         specpi_compiler_properties *ret) {
  COMPILER_REQUIRE(output != NULL && ret != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
                   "%s is NULL", output == NULL ? "output" : "ret");
  specpi_compiler_properties made = properties_new();
  if (made == NULL)
    return compiler_error_memory();
  const specpi_compiler_result result = fill_properties(output, made);
  if (result != SPECPI_COMPILER_SUCCESS)
    specpiCompilerPropertiesRelease(made);
  else
    *ret = made;
  return result;
}
