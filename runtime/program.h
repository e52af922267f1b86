/*
 * A built program, which a bundle, a kernel and the cache share.
 *
 * A program is made once, from one image for one device with the values of some constants, and
 * never changes. So no lock is needed.
 */
#ifndef SPECPI_PROGRAM_H
#define SPECPI_PROGRAM_H

#include "image.h"

#include <specpi/specpi.h>

/* A value that was set, in the form that piextProgramSetSpecializationConstant takes. */
typedef struct program_value {
  uint32_t id;
  uint32_t size;     /* bytes */
  const void *bytes; /* at any alignment */
} program_value;

/*
 * The values that were set for one image's constants: one entry for each leaf, sorted by id,
 * without repetitions. Constants that were not set have no entries. The form is the same for images
 * that read constants from a buffer.
 */
typedef struct program_values {
  const program_value *list;
  size_t count;
  void *memory; /* one block with list and all that it points to */
} program_values;

/* Frees the memory of values. */
void program_values_clear(program_values *values);

/* An image that is linked with another one, and the values of its constants. */
typedef struct program_part {
  specpi_image image; /* from image_own */
  program_values values;
} program_part;

/*
 * Everything that determines a program. The cache's key consists of image->digest, the device and
 * its driver's version, options, the values, and the same data of the needed images. The caller
 * owns what the pointers point to.
 */
typedef struct program_source {
  specpi_device device;
  specpi_image image;  /* from image_own */
  const char *options; /* the caller's build options; the image's own are added to them */
  program_values values;
  /* The images to link with: those whose functions it calls, directly or through other images. */
  program_part *needed;
  size_t needed_count;
} program_source;

/* Frees the values and the list of parts. */
void program_source_clear(program_source *source);

/* The source of the program that one of the needed images would be by itself. */
program_source program_source_part(const program_source *source, size_t part);

typedef struct program {
  references references;
  specpi_device device; /* has the context and the functions */
  pi_program handle;    /* built or linked; in an object bundle only compiled */
  /* The buffer from which the image's kernels read constants; NULL if they need none. */
  pi_mem constants;
} program;

/*
 * Checks that a program has all its values. SPECPI_ERROR_NO_VALUE: a constant is not set, and
 * either its image reads constants from a buffer and has no default, or the image imports the
 * default and no unit has it. Calls no driver.
 */
specpi_result program_check(const program_source *source);

/*
 * Creates the PI program, sets the values, builds, and makes the buffer of the constants if the
 * image needs one. *ret has one reference.
 *
 * SPECPI_ERROR_NO_VALUE as program_check, before any driver call. SPECPI_ERROR_BUILD_FAILED:
 * specpiGetBuildLog has the log. SPECPI_ERROR_DRIVER: a call of the plugin failed.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result program_build(const program_source *source, program **ret);

/*
 * As program_build, but from the PI_PROGRAM_INFO_BINARIES of a program that was built from the same
 * source, in this or another process. SPECPI_ERROR_DRIVER or SPECPI_ERROR_BUILD_FAILED: the driver
 * does not accept the binary.
 */
specpi_result program_load(const program_source *source, const void *binary, size_t size,
                           program **ret);

/*
 * Makes a program from a handle that was built elsewhere from the same source, for example from a
 * binary on disk. Makes the buffer of the constants as program_build does. The program takes over
 * the handle's reference; on failure the caller keeps it. source must have passed program_check.
 * SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result program_adopt(const program_source *source, pi_program handle, program **ret);

/*
 * As program_build, but compiles to an object for piProgramLink, without the options for linking.
 */
specpi_result program_compile(const program_source *source, program **ret);

/*
 * Links compiled programs of these images for a device, with the images' link options, without
 * repetitions, and the caller's. The caller releases *ret. Errors as program_build.
 */
specpi_result program_link(specpi_device device, size_t count, const specpi_image *images,
                           const pi_program *handles, const char *options, pi_program *ret);

/* As program_build, for a source that needs other images. Only program_build calls it. */
specpi_result program_build_linked(const program_source *source, program **ret);

/*
 * Makes the program of an image after a link. linked is the handle that several images were linked
 * to; object is the image's compiled program, whose buffer is shared. Retains both.
 * SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result program_share(const program *object, pi_program linked, program **ret);

/* Add a reference and return program; release a reference. NULL is allowed. Any thread may call
 * them. */
program *program_retain(program *program);
void program_release(program *program);

#endif
