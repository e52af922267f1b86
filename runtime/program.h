/*
 * A built program: what a bundle, a kernel and the cache share.
 *
 * A program is made once, from one image for one device with the values of some constants,
 * and never changes. Nothing here needs a lock.
 */
#ifndef SPECPI_PROGRAM_H
#define SPECPI_PROGRAM_H

#include "image.h"

#include <specpi/specpi.h>

/* A value that somebody set: what piextProgramSetSpecializationConstant takes. */
typedef struct program_value {
  uint32_t id;
  uint32_t size;     /* bytes */
  const void *bytes; /* at any alignment */
} program_value;

/*
 * The values that were set of one image's constants, one entry for each leaf, ascending by id,
 * each id once. Constants that nobody set are not among them. Leaves of the images that read
 * constants from a buffer are here in the same form.
 */
typedef struct program_values {
  const program_value *list;
  size_t count;
  void *memory; /* the block of list and of what it points to */
} program_values;

/* Frees what program_values owns. */
void program_values_clear(program_values *values);

/* An image that is linked with another one, and the values of its constants. */
typedef struct program_part {
  specpi_image image; /* one that image_own gave */
  program_values values;
} program_part;

/*
 * All that decides on a program. The key of a cache is made of image->digest, the device and its
 * driver's version, options, the values, and the same of the images that it needs. The pointers are
 * the caller's.
 */
typedef struct program_source {
  specpi_device device;
  specpi_image image;  /* one that image_own gave */
  const char *options; /* the caller's build options; the image's own are added to them */
  program_values values;
  /* The images that it calls functions of, and those that these do: it is linked with them. */
  program_part *needed;
  size_t needed_count;
} program_source;

/* Frees the values and the list of parts. */
void program_source_clear(program_source *source);

/* The program that one of the needed images would be by itself. */
program_source program_source_part(const program_source *source, size_t part);

typedef struct program {
  references references;
  specpi_device device; /* its context and functions: specpiDeviceGetContext, ..GetFunctions */
  pi_program handle;    /* built or linked; in an object bundle, compiled */
  /* The buffer that the image's kernels read constants from; NULL when they need none. */
  pi_mem constants;
} program;

/*
 * Checks that a program has all its values. SPECPI_ERROR_NO_VALUE: an image reads constants from a
 * buffer and has no default for one that is not set, or nobody has the default of one that it
 * imports. Calls no driver.
 */
specpi_result program_check(const program_source *source);

/*
 * Creates the PI program, sets the values, builds, and makes the buffer of the constants where
 * the image needs one. *ret has one reference.
 *
 * SPECPI_ERROR_NO_VALUE as program_check, before any driver call. SPECPI_ERROR_BUILD_FAILED:
 * specpiGetBuildLog has the log. SPECPI_ERROR_DRIVER: the plugin refused a call.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result program_build(const program_source *source, program **ret);

/*
 * As program_build, from what PI_PROGRAM_INFO_BINARIES gave of a program that was built from the
 * same source, in this or another process. A driver that does not take it: SPECPI_ERROR_DRIVER or
 * SPECPI_ERROR_BUILD_FAILED.
 */
specpi_result program_load(const program_source *source, const void *binary, size_t size,
                           program **ret);

/*
 * A program around a handle that was built elsewhere from the same source, for example from a
 * binary kept on disk. Makes the buffer of the constants as program_build does. The handle's
 * reference goes to the program, and stays the caller's on failure. source has passed
 * program_check. SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result program_adopt(const program_source *source, pi_program handle, program **ret);

/*
 * As program_build, but compiles to an object that piProgramLink takes; the options for linking are
 * left out.
 */
specpi_result program_compile(const program_source *source, program **ret);

/*
 * Links compiled programs of these images for a device, with the link options of the images, each
 * once, and those of the caller. *ret is the caller's. Errors as program_build.
 */
specpi_result program_link(specpi_device device, size_t count, const specpi_image *images,
                           const pi_program *handles, const char *options, pi_program *ret);

/* As program_build, of a source that needs other images. For program_build alone. */
specpi_result program_build_linked(const program_source *source, program **ret);

/*
 * A program for an image which a handle that several images were linked to has now; shares the
 * buffer of object, the image's compiled program. Retains both. SPECPI_ERROR_DRIVER,
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result program_share(const program *object, pi_program linked, program **ret);

/* Adds a reference and returns program; gives one up. NULL is fine. Any thread. */
program *program_retain(program *program);
void program_release(program *program);

#endif
