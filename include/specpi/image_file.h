/*
 * Reads device images from a file without linking or loading it: an executable, a shared library or
 * an object made by DPC++ or specpi-cc, or a module by itself. Part of specpi.h, which includes
 * this file.
 *
 * No code of the file is run, so the file need not be trusted.
 */
#ifndef SPECPI_IMAGE_FILE_H
#define SPECPI_IMAGE_FILE_H

#include <specpi/specpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct specpi_image_file_object *specpi_image_file;

/*
 * Reads a file and all images in it, at least one. The images are not registered. A module of
 * SPIR-V or PTX is one image. Its constants have their numbers as names, except for PTX with names
 * in its trailer. Time and memory are linear in the file's size.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: path or file is NULL. SPECPI_ERROR_INVALID_IMAGE: the file cannot
 * be read, is neither an ELF file of x86-64 nor a module, is damaged, or has no image; the message
 * says which. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageFileOpen(const char *path, specpi_image_file *file);

/*
 * Lists the images in the file's order. The file owns them: they are valid until it is released,
 * and must not be released. Bundles made from them have copies.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: file or count is NULL, or images is and capacity is not 0.
 */
specpi_result specpiImageFileGetImages(specpi_image_file file, size_t capacity,
                                       specpi_image *images, size_t *count);

/* NULL is allowed. */
void specpiImageFileRelease(specpi_image_file file);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
