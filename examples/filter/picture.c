#include "picture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

picture picture_new(unsigned width, unsigned height) {
  const picture picture = {width, height, calloc((size_t)width * height, sizeof(pixel))};
  if (!picture.pixels) {
    fprintf(stderr, "There is no memory for a picture of %u by %u pixels\n", width, height);
    exit(1);
  }
  return picture;
}

void picture_free(picture *picture) {
  free(picture->pixels);
  picture->pixels = NULL;
}

/* libpng's simplified interface checks the file. Only the size in memory is checked here. */
bool picture_read(const char *file, picture *ret) {
  png_image png;
  memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, file)) {
    fprintf(stderr, "%s cannot be read as a PNG picture: %s\n", file, png.message);
    return false;
  }
  if ((size_t)png.width * png.height > PICTURE_PIXELS_MAX) {
    fprintf(stderr, "%s is too large: %u by %u pixels, at most %zu are taken\n", file, png.width,
            png.height, PICTURE_PIXELS_MAX);
    png_image_free(&png);
    return false;
  }
  picture picture = picture_new(png.width, png.height);
  png.format = PNG_FORMAT_RGBA;
  /* Without this flag libpng treats 16-bit pictures without a colour space as linear light. */
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  if (!png_image_finish_read(&png, NULL, picture.pixels, 0, NULL)) {
    fprintf(stderr, "%s is a damaged PNG picture: %s\n", file, png.message);
    picture_free(&picture);
    return false;
  }
  *ret = picture;
  return true;
}

bool picture_write(const char *file, const picture *picture) {
  png_image png;
  memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  png.width = picture->width;
  png.height = picture->height;
  png.format = PNG_FORMAT_RGBA;
  png.flags = PNG_IMAGE_FLAG_FAST;
  if (png_image_write_to_file(&png, file, 0, picture->pixels, 0, NULL))
    return true;
  fprintf(stderr, "%s cannot be written: %s\n", file, png.message);
  return false;
}
