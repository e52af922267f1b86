/* Pictures in memory, and as PNG files. */
#ifndef SPECPI_EXAMPLES_PICTURE_H
#define SPECPI_EXAMPLES_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Red, green, blue, opacity. */
typedef struct pixel {
  unsigned char channel[4];
} pixel;

typedef struct picture {
  unsigned width, height;
  pixel *pixels; /* row by row */
} picture;

/* The maximum number of pixels of a file that picture_read reads: 32 million. */
#define PICTURE_PIXELS_MAX ((size_t)1 << 25)

static inline size_t picture_count(const picture *picture) {
  return (size_t)picture->width * picture->height;
}

/* A picture of zeros. Ends the program with a message if memory is exhausted. */
picture picture_new(unsigned width, unsigned height);
void picture_free(picture *picture);

/*
 * Read a PNG file of any kind, or write one. After a failure they return false, with a message on
 * stderr, and the picture is unchanged.
 */
bool picture_read(const char *file, picture *ret);
bool picture_write(const char *file, const picture *picture);

/* Draws the default picture: an evening in the mountains, 768 by 512 pixels. */
picture picture_draw(void);

#ifdef __cplusplus
}
#endif

#endif
