#include "image.h"

#include "../../plugins/base/error.h"
#include "../../plugins/base/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const gpu_image *image, const char *what) {
  fprintf(stderr, "%s: %s\n", image->path, what);
  exit(1);
}

gpu_image gpu_image_read(const char *directory, const char *name) {
  gpu_image image = {.text = NULL};
  snprintf(image.path, sizeof image.path, "%s/%s", directory, name);
  image.text = read_file(image.path, &image.size);
  image.built = calloc(image.size + 1, 1);
  if (!image.text || !image.built)
    stop(&image, "cannot be read");
  return image;
}

gpu_image gpu_image_open(const char *directory, const char *name) {
  gpu_image image = gpu_image_read(directory, name);
  const char *why;
  if (ptx_image_read(image.text, image.size, &image.info) != PI_SUCCESS) {
    plugin_error_last(&why);
    stop(&image, why);
  }
  if (image.info->mode == PTX_PLAIN)
    stop(&image, "has no trailer");
  return image;
}

void gpu_image_close(gpu_image *image) {
  free(image->text);
  free(image->built);
  ptx_image_free(image->info);
}

const char *gpu_image_build(gpu_image *image, const unsigned char *values) {
  ptx_image_write(image->info, image->text, values, image->built);
  return image->built;
}

const ptx_image_constant *gpu_image_constant(const gpu_image *image, const char *name) {
  for (pi_uint32 i = 0; i < image->info->constant_count; i++)
    if (strcmp(image->info->constants[i].name, name) == 0)
      return &image->info->constants[i];
  stop(image, "lacks a constant");
  return NULL;
}

const ptx_image_kernel *gpu_image_kernel(const gpu_image *image, const char *name) {
  for (pi_uint32 i = 0; i < image->info->kernel_count; i++)
    if (strcmp(image->info->kernels[i].name, name) == 0)
      return &image->info->kernels[i];
  stop(image, "lacks a kernel");
  return NULL;
}
