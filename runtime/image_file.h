/* Finds and checks the device images in a file, without running any of its code. */
#ifndef SPECPI_IMAGE_FILE_STRUCTURES_H
#define SPECPI_IMAGE_FILE_STRUCTURES_H

#include "elf_file.h"

#include <specpi/specpi.h>

/*
 * The maximum ratio of all images' code to the file's size. Images may share bytes, but a small
 * file must not become a long list of large images.
 */
enum { IMAGE_FILE_SHARED = 4 };
/* The maximum ratio of unpacked code to the file's size. */
enum { IMAGE_FILE_UNPACKED = 64 };

typedef struct image_file {
  elf_file elf;
  unsigned char *bytes;
  uint64_t *addresses;     /* the addresses of the images */
  unsigned char *versions; /* of each image: bit 1 << version for each structure that has it */
  size_t count;
  size_t room;
  uint64_t described; /* bytes of tables, names and values of all images; limited */
  uint64_t code;      /* bytes of code of all images; limited by IMAGE_FILE_SHARED */
  uint64_t unpacked;  /* bytes of unpacked code; limited by IMAGE_FILE_UNPACKED */
  bool *known;        /* for each byte of the file: an image starts there; only while opening */
  unsigned char *code_versions; /* for each byte: versions of the images whose code starts there */
  uint64_t looks;               /* number of searched places; tests compare it with the size */
} image_file;

/* One image of a file, with its tables in memory. */
typedef struct image_copy {
  pi_device_binary_struct binary;
  void *tables;
  unsigned char *code; /* unpacked code; NULL if the code was not compressed */
  specpi_image image;
} image_copy;

/*
 * Reads a file and finds its images: those in every structure of the form that __sycl_register_lib
 * takes. Each image is checked completely, so that image_file_load can fail only for lack of
 * memory. In addition to the file's bytes this needs memory for the tables of one image at a time.
 * It refuses a file whose images together describe more bytes than the file has, or have more than
 * IMAGE_FILE_SHARED times as much code. The time depends on the file's size only. A file without
 * images is not an error. false with a reason.
 */
bool image_file_open(image_file *file, const char *path, elf_reason *reason);

/* Reads all bytes of a regular file. The caller frees them with free(). NULL with a reason. */
unsigned char *image_file_read(const char *path, size_t *size, elf_reason *reason);

/*
 * image_file_open for a file in memory. Takes over bytes, which come from malloc, also on failure.
 */
bool image_file_open_bytes(image_file *file, unsigned char *bytes, size_t size, elf_reason *reason);

void image_file_close(image_file *file);

/* Loads the image of an index below count. The caller releases it with image_copy_release. */
bool image_file_load(const image_file *file, size_t index, image_copy *ret, elf_reason *reason);
void image_copy_release(image_copy *copy);

#endif
