/* Programs that are linked from several images. */
#include "program.h"

#include "build_log.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether an earlier image has the same options. */
static bool is_repeated(const specpi_image *images, size_t number) {
  const char *options = specpiImageGetLinkOptions(images[number]);
  for (size_t i = 0; i < number; i++)
    if (strcmp(specpiImageGetLinkOptions(images[i]), options) == 0)
      return true;
  return false;
}

static specpi_result link_handles(specpi_device device, size_t count, const pi_program *handles,
                                  const char *options, pi_program *ret) {
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  const pi_device handle = specpiDeviceGetHandle(device);
  pi_program linked = NULL;
  const pi_result result = specpiDeviceGetFunctions(device)->piProgramLink(
      context, 1, &handle, options, (pi_uint32)count, handles, NULL, NULL, &linked);
  if (result != PI_SUCCESS) {
    const specpi_result code = build_failed(device, result, "piProgramLink", linked, options);
    if (linked)
      specpiDeviceGetFunctions(device)->piProgramRelease(linked);
    return code;
  }
  *ret = linked;
  return SPECPI_SUCCESS;
}

static specpi_result link_with(options *options, specpi_device device, size_t count,
                               const specpi_image *images, const pi_program *handles,
                               const char *callers, pi_program *ret) {
  for (size_t i = 0; i < count; i++)
    if (!is_repeated(images, i))
      ERROR_TRY(options_add_image(options, device, images[i], OPTIONS_LINK));
  ERROR_TRY(options_add(options, callers));
  return link_handles(device, count, handles, options_text(options), ret);
}

specpi_result program_link(specpi_device device, size_t count, const specpi_image *images,
                           const pi_program *handles, const char *callers, pi_program *ret) {
  options options = {0};
  const specpi_result result = link_with(&options, device, count, images, handles, callers, ret);
  options_clear(&options);
  return result;
}

/* ---- A program and the images that it needs ---- */

/* The images, starting with that of the source, and their compiled programs. */
typedef struct compiled_parts {
  size_t count;
  specpi_image *images;
  program **programs;
  pi_program *handles;
} compiled_parts;

static void free_compiled(compiled_parts *parts) {
  for (size_t i = 0; i < parts->count; i++)
    program_release(parts->programs[i]);
  free(parts->images);
  free(parts->programs);
  free(parts->handles);
}

static specpi_result compile_part(const program_source *source, compiled_parts *parts) {
  ERROR_TRY(program_compile(source, &parts->programs[parts->count]));
  parts->images[parts->count] = source->image;
  parts->handles[parts->count] = parts->programs[parts->count]->handle;
  parts->count++;
  return SPECPI_SUCCESS;
}

static specpi_result compile_all(const program_source *source, compiled_parts *parts) {
  program_source alone = *source;
  alone.needed_count = 0;
  ERROR_TRY(compile_part(&alone, parts));
  for (size_t i = 0; i < source->needed_count; i++) {
    const program_source part = program_source_part(source, i);
    ERROR_TRY(compile_part(&part, parts));
  }
  return SPECPI_SUCCESS;
}

static specpi_result compile_and_link(const program_source *source, compiled_parts *parts,
                                      program **ret) {
  if (!parts->images || !parts->programs || !parts->handles)
    return error_memory();
  ERROR_TRY(compile_all(source, parts));
  pi_program linked = NULL;
  ERROR_TRY(program_link(source->device, parts->count, parts->images, parts->handles, "", &linked));
  const specpi_result result = program_share(parts->programs[0], linked, ret);
  specpiDeviceGetFunctions(source->device)->piProgramRelease(linked);
  return result;
}

specpi_result program_build_linked(const program_source *source, program **ret) {
  const size_t room = source->needed_count + 1;
  compiled_parts parts = {.images = calloc(room, sizeof(specpi_image)),
                          .programs = calloc(room, sizeof(program *)),
                          .handles = calloc(room, sizeof(pi_program))};
  const specpi_result result = compile_and_link(source, &parts, ret);
  free_compiled(&parts);
  return result;
}
