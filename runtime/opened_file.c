/* Device images of a file that a program opens: the functions of specpi/image_file.h. */
#include "../plugins/code/code_head.h"
#include "error.h"
#include "foreign_image.h"
#include "image_file.h"

#include <stdio.h>
#include <stdlib.h>

struct specpi_image_file_object {
  image_file file;
  specpi_image module; /* the image of a file that is just a module; or NULL */
  size_t count;        /* number of loaded images */
  image_copy images[];
};

static specpi_result load_images(struct specpi_image_file_object *object, const char *path) {
  elf_reason reason;
  for (; object->count < object->file.count; object->count++)
    if (!image_file_load(&object->file, object->count, &object->images[object->count], &reason))
      ERROR_FAIL(SPECPI_ERROR_OUT_OF_MEMORY, "%s, image %zu: %s", path, object->count, reason.text);
  return SPECPI_SUCCESS;
}

/* Takes over bytes, which come from malloc, also on failure. */
static specpi_result open_images(unsigned char *bytes, size_t size, const char *path,
                                 struct specpi_image_file_object **ret) {
  image_file opened;
  elf_reason reason;
  if (!image_file_open_bytes(&opened, bytes, size, &reason))
    ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "%s: %s", path, reason.text);
  struct specpi_image_file_object *object =
      calloc(1, sizeof *object + opened.count * sizeof object->images[0]);
  if (!object) {
    image_file_close(&opened);
    return error_memory();
  }
  object->file = opened;
  specpi_result result = load_images(object, path);
  if (result == SPECPI_SUCCESS && object->count == 0)
    result = error_set(SPECPI_ERROR_INVALID_IMAGE, "%s: there is no device image in it", path);
  if (result == SPECPI_SUCCESS)
    *ret = object;
  else
    specpiImageFileRelease(object);
  return result;
}

/* Opens a file that is just a module, whose bytes are copied. */
static specpi_result open_module(const unsigned char *bytes, size_t size, code_kind kind,
                                 const char *path, struct specpi_image_file_object **ret) {
  struct specpi_image_file_object *object = calloc(1, sizeof *object);
  if (!object)
    return error_memory();
  const specpi_result result = kind == CODE_IS_SPIRV
                                   ? foreign_image_create_from_il(bytes, size, &object->module)
                                   : foreign_image_create_from_ptx(bytes, size, &object->module);
  if (result == SPECPI_SUCCESS) {
    *ret = object;
    return SPECPI_SUCCESS;
  }
  free(object);
  if (result != SPECPI_ERROR_INVALID_IMAGE)
    return result;
  char why[512];
  snprintf(why, sizeof why, "%s", specpiGetLastError());
  ERROR_FAIL(result, "%s: %s", path, why);
}

specpi_result specpiImageFileOpen(const char *path, specpi_image_file *file) {
  ERROR_REQUIRE(path, "path is NULL");
  ERROR_REQUIRE(file, "file is NULL");
  size_t size;
  elf_reason reason;
  unsigned char *bytes = image_file_read(path, &size, &reason);
  if (!bytes)
    ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "%s: %s", path, reason.text);
  const code_kind kind = code_head_read(bytes, size).kind;
  if (kind != CODE_IS_SPIRV && kind != CODE_IS_PTX)
    return open_images(bytes, size, path, file);
  const specpi_result result = open_module(bytes, size, kind, path, file);
  free(bytes);
  return result;
}

specpi_result specpiImageFileGetImages(specpi_image_file file, size_t capacity,
                                       specpi_image *images, size_t *count) {
  ERROR_REQUIRE(file, "file is NULL");
  ERROR_REQUIRE_LIST(images, capacity, count);
  for (size_t i = 0; i < file->count && i < capacity; i++)
    images[i] = file->images[i].image;
  if (file->module && capacity > 0)
    images[0] = file->module;
  *count = file->module ? 1 : file->count;
  return SPECPI_SUCCESS;
}

void specpiImageFileRelease(specpi_image_file file) {
  if (!file)
    return;
  for (size_t i = 0; i < file->count; i++)
    image_copy_release(&file->images[i]);
  specpiImageRelease(file->module);
  image_file_close(&file->file);
  free(file);
}
