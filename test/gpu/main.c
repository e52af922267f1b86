/*
 * gpu-ptx DIRECTORY: runs PTX made by specpi-cc on the first NVIDIA GPU. DIRECTORY has the images
 * and texts that the target gpu-images makes. Exit status: 0 all passed, 1 something failed, 77
 * nothing was checked because there is no driver or no device.
 *
 * gpu-ptx --host DIRECTORY: only reads the images, which needs no GPU, and writes their defaults.
 */
#include "checks.h"
#include "cuda.h"
#include "image.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* Writing the defaults to their places changes nothing in the image. */
static int check_image(const char *directory, const char *name) {
  gpu_image image = gpu_image_open(directory, name);
  const char *text = gpu_image_build(&image, image.info->defaults);
  const size_t size = image.info->text_size;
  const bool same = memcmp(text, image.text, size) == 0 && text[size] == '\0';
  printf("%s %s: %u constants, %u leaves, %u places, %u kernels\n", same ? "passed" : "FAILED",
         name, image.info->constant_count, image.info->leaf_count, image.info->place_count,
         image.info->kernel_count);
  gpu_image_close(&image);
  return !same;
}

static int check_images(const char *directory) {
  DIR *files = opendir(directory);
  int failed = 0;
  int count = 0;
  for (struct dirent *entry; files && (entry = readdir(files));) {
    const char *ending = strrchr(entry->d_name, '.');
    if (!ending || strcmp(ending, ".ptx") != 0)
      continue;
    failed += check_image(directory, entry->d_name);
    count++;
  }
  if (files)
    closedir(files);
  printf("%d images, %d wrong\n", count, failed);
  return failed || count == 0;
}

int main(int argc, char **argv) {
  const bool host = argc == 3 && strcmp(argv[1], "--host") == 0;
  if (argc != 2 && !host) {
    fputs("usage: gpu-ptx [--host] DIRECTORY\n", stderr);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (host)
    return check_images(argv[2]);
  if (!cuda_open())
    return 77;
  int failed = check_constants(argv[1]);
  failed += check_functions(argv[1]);
  cuda_close();
  printf("gpu-ptx: %d wrong\n", failed);
  return failed != 0;
}
