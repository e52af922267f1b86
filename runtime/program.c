#include "program.h"

#include "../plugins/base/find.h"
#include "build_log.h"
#include "opencl_native.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

void program_values_clear(program_values *values) {
  free(values->memory);
  *values = (program_values){0};
}

void program_source_clear(program_source *source) {
  program_values_clear(&source->values);
  for (size_t i = 0; i < source->needed_count; i++)
    program_values_clear(&source->needed[i].values);
  free(source->needed);
  source->needed = NULL;
  source->needed_count = 0;
}

program_source program_source_part(const program_source *source, size_t part) {
  return (program_source){.device = source->device,
                          .image = source->needed[part].image,
                          .options = source->options,
                          .values = source->needed[part].values};
}

static const pi_function_table *functions_of(const program_source *source) {
  return specpiDeviceGetFunctions(source->device);
}

/* ---- The PI program ---- */

/* Lists the properties that a plugin gets with native code; NULL if there are none. */
static specpi_result list_metadata(specpi_image image, pi_device_binary_property **ret,
                                   size_t *count) {
  const pi_device_binary_struct *binary = image->binary;
  size_t room = 0;
  for (const pi_device_binary_property_set_struct *set = binary->PropertySetsBegin;
       set != binary->PropertySetsEnd; set++)
    if (strcmp(set->Name, PI_PROPERTY_SET_PROGRAM_METADATA) == 0)
      room += (size_t)(set->PropertiesEnd - set->PropertiesBegin);
  *ret = NULL;
  *count = 0;
  if (room == 0)
    return SPECPI_SUCCESS;
  *ret = calloc(room, sizeof(pi_device_binary_property));
  if (!*ret)
    return error_memory();
  for (const pi_device_binary_property_set_struct *set = binary->PropertySetsBegin;
       set != binary->PropertySetsEnd; set++)
    if (strcmp(set->Name, PI_PROPERTY_SET_PROGRAM_METADATA) == 0)
      for (pi_device_binary_property_struct *one = set->PropertiesBegin; one != set->PropertiesEnd;
           one++)
        (*ret)[(*count)++] = one;
  return SPECPI_SUCCESS;
}

static specpi_result create_from_binary(const program_source *source, const unsigned char *bytes,
                                        size_t size, pi_program *ret) {
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(source->device, &context));
  pi_device_binary_property *metadata;
  size_t metadata_count;
  ERROR_TRY(list_metadata(source->image, &metadata, &metadata_count));
  const pi_device device = specpiDeviceGetHandle(source->device);
  pi_program program = NULL;
  pi_int32 status = 0;
  const pi_result result = functions_of(source)->piProgramCreateWithBinary(
      context, 1, &device, &size, &bytes, metadata_count, metadata, &status, &program);
  free(metadata);
  if (result != PI_SUCCESS)
    return driver_error(functions_of(source), result, "piProgramCreateWithBinary");
  if (status != PI_SUCCESS) {
    const specpi_result code =
        driver_error(functions_of(source), status, "piProgramCreateWithBinary, for the binary,");
    functions_of(source)->piProgramRelease(program);
    return code;
  }
  *ret = program;
  return SPECPI_SUCCESS;
}

static specpi_result create_program(const program_source *source, pi_program *ret) {
  size_t size;
  const void *bytes = specpiImageGetBytes(source->image, &size);
  if (source->image->content != IMAGE_CODE)
    return opencl_native_create(source->device, source->image, ret);
  if (source->image->format != PI_DEVICE_BINARY_TYPE_SPIRV)
    return create_from_binary(source, bytes, size, ret);
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(source->device, &context));
  pi_program program = NULL;
  DRIVER_TRY(functions_of(source),
             functions_of(source)->piProgramCreate(context, bytes, size, &program),
             "piProgramCreate");
  *ret = program;
  return SPECPI_SUCCESS;
}

/* The constant that a leaf belongs to, for errors. */
static const char *constant_of(specpi_image image, uint32_t id) {
  for (size_t i = 0; i < image->constant_count; i++)
    for (size_t k = 0; k < image->constants[i].leaf_count; k++)
      if (image->constants[i].leaves[k].id == id)
        return image->constants[i].name;
  return "?";
}

static specpi_result set_values(const program_source *source, pi_program program) {
  const pi_function_table *pi = functions_of(source);
  if (source->image->values == IMAGE_VALUES_IN_BUFFER)
    return SPECPI_SUCCESS;
  for (size_t i = 0; i < source->values.count; i++) {
    const program_value *one = &source->values.list[i];
    DRIVER_TRY(pi,
               pi->piextProgramSetSpecializationConstant(program, one->id, one->size, one->bytes),
               "piextProgramSetSpecializationConstant for \"%.200s\" (id %u, %u bytes)",
               constant_of(source->image, one->id), one->id, one->size);
  }
  return SPECPI_SUCCESS;
}

static specpi_result build_or_compile(const program_source *source, pi_program program,
                                      const char *options, bool builds) {
  const pi_function_table *pi = functions_of(source);
  const pi_device device = specpiDeviceGetHandle(source->device);
  /* The driver's built-in kernels need no build. */
  if (builds && source->image->content == IMAGE_BUILT_IN)
    return SPECPI_SUCCESS;
  const pi_result result =
      builds ? pi->piProgramBuild(program, 1, &device, options, NULL, NULL)
             : pi->piProgramCompile(program, 1, &device, options, 0, NULL, NULL, NULL, NULL);
  if (result == PI_SUCCESS)
    return SPECPI_SUCCESS;
  return build_failed(source->device, result, builds ? "piProgramBuild" : "piProgramCompile",
                      program, options);
}

/* ---- The buffer of the constants ---- */

static const program_value *find_value(const program_values *values, uint32_t id) {
  return find_id(id, values->list, values->count, sizeof *values->list);
}

/* The size of a constant and the padding after it in the buffer, in bytes. */
static size_t extent_of(const specpi_constant *constant) {
  const specpi_leaf *last = &constant->leaves[constant->leaf_count - 1];
  return (size_t)last->offset + last->size;
}

static specpi_result check_constant(const program_values *values, const specpi_constant *constant,
                                    const char *why) {
  for (size_t i = 0; i < constant->leaf_count; i++) {
    const specpi_leaf *leaf = &constant->leaves[i];
    if (leaf->id != PI_SPEC_ID_PADDING && !find_value(values, leaf->id))
      ERROR_FAIL(SPECPI_ERROR_NO_VALUE, "constant \"%s\" %s, and bytes %u to %u of it are not set",
                 constant->name, why, leaf->offset, leaf->offset + leaf->size);
  }
  return SPECPI_SUCCESS;
}

specpi_result program_check(const program_source *source) {
  const specpi_image image = source->image;
  const bool reads_buffer = image->values == IMAGE_VALUES_IN_BUFFER;
  for (size_t i = 0; i < image->constant_count; i++) {
    const specpi_constant *constant = &image->constants[i];
    if (image_imports(image, constant))
      ERROR_TRY(check_constant(&source->values, constant,
                               "is declared in the image's unit, no unit that defines it has "
                               "registered it"));
    else if (reads_buffer && !constant->default_value)
      ERROR_TRY(check_constant(&source->values, constant,
                               "is read from a buffer, has no default in the image"));
  }
  for (size_t i = 0; i < source->needed_count; i++) {
    const program_source part = program_source_part(source, i);
    ERROR_TRY(program_check(&part));
  }
  return SPECPI_SUCCESS;
}

static void fill_constant(const program_values *values, const specpi_constant *constant,
                          unsigned char *place) {
  if (constant->default_value)
    memcpy(place, constant->default_value, constant->size);
  for (size_t i = 0; i < constant->leaf_count; i++) {
    const specpi_leaf *leaf = &constant->leaves[i];
    const program_value *value =
        leaf->id == PI_SPEC_ID_PADDING ? NULL : find_value(values, leaf->id);
    if (value)
      memcpy(place + leaf->offset, value->bytes, leaf->size);
  }
}

static void fill_buffer(const program_source *source, unsigned char *bytes) {
  for (size_t i = 0; i < source->image->constant_count; i++) {
    const specpi_constant *constant = &source->image->constants[i];
    fill_constant(&source->values, constant, bytes);
    bytes += extent_of(constant);
  }
}

/* Makes the buffer of constants. *ret is NULL if the image needs none. */
static specpi_result make_buffer(const program_source *source, pi_mem *ret) {
  size_t size = 0;
  for (size_t i = 0; i < source->image->constant_count; i++)
    size += extent_of(&source->image->constants[i]);
  *ret = NULL;
  if (size == 0 || source->image->values != IMAGE_VALUES_IN_BUFFER)
    return SPECPI_SUCCESS;
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(source->device, &context));
  unsigned char *bytes = calloc(1, size);
  if (!bytes)
    return error_memory();
  fill_buffer(source, bytes);
  pi_mem buffer = NULL;
  const pi_result created = functions_of(source)->piMemBufferCreate(
      context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, size, bytes, &buffer, NULL);
  free(bytes);
  DRIVER_TRY(functions_of(source), created, "piMemBufferCreate of the %zu bytes of the constants",
             size);
  *ret = buffer;
  return SPECPI_SUCCESS;
}

/* ---- Programs ---- */

specpi_result program_adopt(const program_source *source, pi_program handle, program **ret) {
  program *made = malloc(sizeof *made);
  if (!made)
    return error_memory();
  *made = (program){.device = source->device, .handle = handle};
  references_init(&made->references);
  const specpi_result result = make_buffer(source, &made->constants);
  if (result != SPECPI_SUCCESS) {
    free(made);
    return result;
  }
  *ret = made;
  return SPECPI_SUCCESS;
}

/* The way in which a program is made. */
typedef struct recipe {
  bool builds;        /* the program is built; otherwise only compiled */
  const void *binary; /* used in place of the image's code, has all values; NULL: none */
  size_t size;        /* bytes of binary */
} recipe;

/* Makes a handle that is not built yet: from a binary, or from the image with the values set. */
static specpi_result create_handle(const program_source *source, const recipe *recipe,
                                   pi_program *ret) {
  if (recipe->binary)
    return create_from_binary(source, recipe->binary, recipe->size, ret);
  ERROR_TRY(create_program(source, ret));
  return set_values(source, *ret);
}

static specpi_result build_and_adopt(const program_source *source, pi_program handle,
                                     const char *options, const recipe *recipe, program **ret) {
  ERROR_TRY(build_or_compile(source, handle, options, recipe->builds));
  return program_adopt(source, handle, ret);
}

static specpi_result make_program(const program_source *source, const char *options,
                                  const recipe *recipe, program **ret) {
  pi_program handle = NULL;
  specpi_result result = create_handle(source, recipe, &handle);
  if (result == SPECPI_SUCCESS)
    result = build_and_adopt(source, handle, options, recipe, ret);
  if (result != SPECPI_SUCCESS && handle)
    functions_of(source)->piProgramRelease(handle);
  return result;
}

static specpi_result make_program_with(options *options, const program_source *source,
                                       const recipe *recipe, program **ret) {
  ERROR_TRY(options_add_image(options, source->device, source->image,
                              recipe->builds ? OPTIONS_BUILD : OPTIONS_COMPILE));
  ERROR_TRY(options_add(options, source->options));
  return make_program(source, options_text(options), recipe, ret);
}

static specpi_result make_with_options(const program_source *source, const recipe *recipe,
                                       program **ret) {
  ERROR_TRY(program_check(source));
  options options = {0};
  const specpi_result result = make_program_with(&options, source, recipe, ret);
  options_clear(&options);
  return result;
}

specpi_result program_build(const program_source *source, program **ret) {
  if (source->needed_count > 0)
    return program_build_linked(source, ret);
  return make_with_options(source, &(recipe){.builds = true}, ret);
}

specpi_result program_load(const program_source *source, const void *binary, size_t size,
                           program **ret) {
  return make_with_options(source, &(recipe){true, binary, size}, ret);
}

specpi_result program_compile(const program_source *source, program **ret) {
  return make_with_options(source, &(recipe){.builds = false}, ret);
}

specpi_result program_share(const program *object, pi_program linked, program **ret) {
  const pi_function_table *pi = specpiDeviceGetFunctions(object->device);
  program *made = malloc(sizeof *made);
  if (!made)
    return error_memory();
  *made = (program){.device = object->device, .handle = linked};
  references_init(&made->references);
  pi_result result = pi->piProgramRetain(linked);
  if (result != PI_SUCCESS) {
    free(made);
    return driver_error(pi, result, "piProgramRetain");
  }
  result = object->constants ? pi->piMemRetain(object->constants) : PI_SUCCESS;
  if (result != PI_SUCCESS) {
    const specpi_result code = driver_error(pi, result, "piMemRetain");
    program_release(made);
    return code;
  }
  made->constants = object->constants;
  *ret = made;
  return SPECPI_SUCCESS;
}

program *program_retain(program *program) {
  if (program)
    references_add(&program->references);
  return program;
}

void program_release(program *program) {
  if (!program || !references_drop(&program->references))
    return;
  const pi_function_table *pi = specpiDeviceGetFunctions(program->device);
  if (program->constants)
    pi->piMemRelease(program->constants);
  pi->piProgramRelease(program->handle);
  free(program);
}
