/* Device images of a file that a program opens, image_file.h of the public headers. */
#include "error.h"
#include "image_file.h"

#include <stdlib.h>

struct specpi_image_file_object {
  image_file file;
  size_t count; /* of images that are loaded */
  image_copy images[];
};

static specpi_result load_images(struct specpi_image_file_object *it, const char *path) {
  elf_reason reason;
  for (; it->count < it->file.count; it->count++)
    if (!image_file_load(&it->file, it->count, &it->images[it->count], &reason))
      ERROR_FAIL(SPECPI_ERROR_OUT_OF_MEMORY, "%s, image %zu: %s", path, it->count, reason.text);
  return SPECPI_SUCCESS;
}

specpi_result specpiImageFileOpen(const char *path, specpi_image_file *file) {
  ERROR_REQUIRE(path, "path is NULL");
  ERROR_REQUIRE(file, "file is NULL");
  image_file opened;
  elf_reason reason;
  if (!image_file_open(&opened, path, &reason))
    ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "%s: %s", path, reason.text);
  struct specpi_image_file_object *it = calloc(1, sizeof *it + opened.count * sizeof it->images[0]);
  if (!it) {
    image_file_close(&opened);
    return error_memory();
  }
  it->file = opened;
  specpi_result result = load_images(it, path);
  if (result == SPECPI_SUCCESS && it->count == 0)
    result = error_set(SPECPI_ERROR_INVALID_IMAGE, "%s: there is no device image in it", path);
  if (result != SPECPI_SUCCESS) {
    specpiImageFileRelease(it);
    return result;
  }
  *file = it;
  return SPECPI_SUCCESS;
}

specpi_result specpiImageFileGetImages(specpi_image_file file, size_t capacity,
                                       specpi_image *images, size_t *count) {
  ERROR_REQUIRE(file, "file is NULL");
  ERROR_REQUIRE_LIST(images, capacity, count);
  for (size_t i = 0; i < file->count && i < capacity; i++)
    images[i] = file->images[i].image;
  *count = file->count;
  return SPECPI_SUCCESS;
}

void specpiImageFileRelease(specpi_image_file file) {
  if (!file)
    return;
  for (size_t i = 0; i < file->count; i++)
    image_copy_release(&file->images[i]);
  image_file_close(&file->file);
  free(file);
}
