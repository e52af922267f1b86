/* The device images in a file, found and checked without running anything of it. */
#ifndef SPECPI_IMAGE_FILE_STRUCTURES_H
#define SPECPI_IMAGE_FILE_STRUCTURES_H

#include "elf_file.h"

#include <specpi/specpi.h>

/* Images may share bytes, but not so that a small file becomes a long list of large ones. */
enum { IMAGE_FILE_SHARED = 4 };
/* Code that is compressed has at most so many times the file's bytes when it is not. */
enum { IMAGE_FILE_UNPACKED = 64 };

typedef struct image_file {
  elf_file elf;
  unsigned char *bytes;
  uint64_t *addresses; /* of the images */
  unsigned char
      *versions; /* in which structures each is there: bit 1 << version for each of them */
  size_t count;
  size_t room;
  uint64_t described; /* bytes of tables, names and values of all images, for the bound */
  uint64_t code;      /* bytes of code of all images, for theirs */
  uint64_t unpacked;  /* and of what was compressed, for its own */
  bool *known;        /* for each byte, whether an image begins there; while it is opened */
  unsigned char *code_versions; /* and the versions of images whose code begins there, as below */
  uint64_t looks;               /* at places and at images; tests hold them to the file's size */
} image_file;

/* One image of a file, with its tables in memory. */
typedef struct image_copy {
  pi_device_binary_struct binary;
  void *tables;
  unsigned char *code; /* that was compressed; NULL: none was */
  specpi_image image;
} image_copy;

/*
 * Reads a file and finds its images: those of every structure in its data that is what
 * __sycl_register_lib takes. Each of them is checked as a whole, so that image_file_load fails
 * afterwards for lack of memory only. Beside the file's bytes it needs memory for the tables
 * of one image at a time, and refuses a file whose images together describe more than it has
 * bytes, or have more than IMAGE_FILE_SHARED times its bytes as code. Takes time by the file's size
 * alone. A file without images is no error. false with a reason.
 */
bool image_file_open(image_file *file, const char *path, elf_reason *reason);

/* All bytes of a regular file, which free() frees; NULL with a reason. */
unsigned char *image_file_read(const char *path, size_t *size, elf_reason *reason);

/* image_file_open for a file that was read; takes bytes, which free() frees, also when it fails. */
bool image_file_open_bytes(image_file *file, unsigned char *bytes, size_t size, elf_reason *reason);

void image_file_close(image_file *file);

/* The image of an index below count, until image_copy_release. */
bool image_file_load(const image_file *file, size_t index, image_copy *ret, elf_reason *reason);
void image_copy_release(image_copy *copy);

#endif
