/* The parts of a bundle; for the files of bundles alone. */
#ifndef SPECPI_BUNDLE_OBJECT_H
#define SPECPI_BUNDLE_OBJECT_H

#include "bundle.h"
#include "error.h"

#include <pthread.h>
#include <stdatomic.h>

/* A constant of a bundle: of all its images that have one of this name. */
typedef struct bundle_constant {
  specpi_constant seen; /* what specpiBundleGetConstants says */
  size_t place;         /* of the value in values.bytes */
  size_t first_leaf;    /* of its leaves in values.set, padding not counted */
  size_t leaf_count;    /* padding not counted */
  bool has_bytes;       /* an image has it in a buffer: parts of leaves can be set */
  bool imported;        /* an image leaves its default to another unit's variable */
} bundle_constant;

/* A leaf of one image, and where its value is. */
typedef struct bundle_leaf {
  uint32_t id;
  uint32_t size;
  size_t place; /* in values.bytes */
  size_t leaf;  /* in values.set */
  /* The constant, if the image has no default of it: its value is always set. Else NULL. */
  const bundle_constant *imported;
} bundle_leaf;

typedef struct bundle_image {
  specpi_image image;  /* from image_own */
  bundle_leaf *leaves; /* ascending by id */
  size_t leaf_count;
  /* Numbers of the images to link it with when it is built. See bundle_needed.c. */
  size_t *needed;
  size_t needed_count;
  /* Why it cannot be: a function that no image defines, and the image that calls it; */
  const specpi_property *missing; /* NULL: none */
  size_t missing_image;
  /* or a kernel or function that two of these images have. */
  const char *twice; /* NULL: none */
  size_t twice_images[2];
} bundle_image;

typedef struct bundle_entry {
  const char *name;
  size_t image;
} bundle_entry;

/* The types of all leaves of a layout, each a specpi_type; NULL until a value with a type comes. */
typedef struct bundle_types {
  _Atomic(unsigned char *) list;
} bundle_types;

/* The part shared by bundles that are made from one another. Never changes, except for types. */
typedef struct bundle_layout {
  references references;
  specpi_device device;
  bundle_image *images;
  size_t image_count;    /* the bundle's own */
  size_t needed_count;   /* after these: registered ones, which builds of them need */
  bundle_entry *kernels; /* by name */
  size_t kernel_count;
  bundle_constant *constants; /* by name */
  size_t constant_count;
  uint32_t *names;      /* hash table: numbers of constants, plus 1; 0 for none */
  size_t name_capacity; /* of names: a power of two, more than constant_count */
  bundle_leaf *leaves;  /* of all images */
  void *defaults;       /* copies of those that variables of the process have; NULL: none */
  size_t value_size;    /* bytes of all constants' values */
  size_t leaf_count;    /* leaves of all constants */
  bundle_types *types;
} bundle_layout;

/* Values of all constants of a layout: those that are set, else defaults, else zeros. */
typedef struct bundle_values {
  unsigned char *bytes; /* layout->value_size; the start of the block */
  bool *set;            /* layout->leaf_count */
} bundle_values;

struct specpi_bundle_object {
  references references;
  specpi_bundle_state state;
  bundle_layout *layout;
  pthread_mutex_t lock; /* of values, in state INPUT; they are constant in others */
  bundle_values values;
  bool *differs;      /* for each constant of a linked bundle: objects had different values */
  program **programs; /* for each image; NULL in state INPUT */
  /* The cl_program that an input bundle was imported from, with a reference; else NULL. */
  void *imported;
};

/* ---- bundle_layout.c ---- */

/*
 * The layout of count images, followed by needed others that they need. On success it takes over a
 * reference to each. object_of, which may be NULL, has for each image the number of the object
 * bundle that it comes from, for errors. Errors as specpiBundleCreate.
 */
specpi_result bundle_layout_create(specpi_device device, const specpi_image *images, size_t count,
                                   size_t needed, const size_t *object_of, bundle_layout **ret);
bundle_layout *bundle_layout_retain(bundle_layout *layout);
void bundle_layout_release(bundle_layout *layout);

/* NULL and SPECPI_ERROR_UNKNOWN_CONSTANT when there is none of that name. */
const bundle_constant *bundle_layout_find(const bundle_layout *layout, const char *name);

/* The same without an error. */
const bundle_constant *bundle_layout_look_up(const bundle_layout *layout, const char *name);

/*
 * Compares the type of a value with those of a constant, as far as images of the layout, or
 * registered ones with the same kernels, tell them. SPECPI_ERROR_INVALID_TYPE,
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result bundle_layout_check_type(const bundle_layout *layout, const bundle_constant *constant,
                                       specpi_type given);

/* The label of an image in errors: it has no name. */
typedef struct bundle_label {
  char text[192];
} bundle_label;

bundle_label bundle_label_of(const bundle_layout *layout, const size_t *object_of, size_t image);

/* ---- bundle_needed.c ---- */

/*
 * Adds to a list of images for a device, in malloc's memory and each with a reference, the
 * registered ones that they need: those which define functions that they, or these, call. Of
 * several the best for the device. SPECPI_ERROR_OUT_OF_MEMORY, SPECPI_ERROR_DRIVER; the list
 * has those that were found until then.
 */
specpi_result bundle_needed_add(specpi_device device, specpi_image **images, size_t *count);

/* Finds, for each image of a layout, what it is linked with. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result bundle_needed_resolve(bundle_layout *layout);
void bundle_needed_free(bundle_layout *layout);

/*
 * Checks that an image can be linked with the images that it needs. SPECPI_ERROR_BUILD_FAILED: no
 * image has a function; the message names it, its caller, and the caller's place.
 * SPECPI_ERROR_CONFLICT: two images define the same. where names those without the function in the
 * message: "no registered image".
 */
specpi_result bundle_needed_check(const bundle_layout *layout, const size_t *object_of,
                                  size_t image, const char *where);

/* ---- bundle_values.c ---- */

/* New values, all of them defaults. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result bundle_values_create(const bundle_layout *layout, bundle_values *ret);
void bundle_values_free(bundle_values *values);
void bundle_values_copy(const bundle_layout *layout, const bundle_values *from, bundle_values *to);

/*
 * The values of an image's constants, with others in their place; see bundle_get_source. lock,
 * which may be NULL, is held while from is read.
 */
specpi_result bundle_values_of_image(const bundle_layout *layout, const bundle_values *from,
                                     pthread_mutex_t *lock, size_t image, size_t count,
                                     const specpi_value *others, program_values *ret);

/*
 * The source of an image's build: its values as above, and the images that it needs with theirs.
 * Errors as bundle_needed_check, SPECPI_ERROR_OUT_OF_MEMORY, those of values as
 * specpiBundleSetMany.
 */
specpi_result bundle_source_of(const bundle_layout *layout, const bundle_values *from,
                               pthread_mutex_t *lock, size_t image, const char *options,
                               size_t count, const specpi_value *others, program_source *ret);

/* ---- bundle.c ---- */

/*
 * A new bundle, in that state, of a layout, which it retains. Its values are defaults, and it has
 * space for programs unless the state is INPUT.
 */
specpi_result bundle_create(bundle_layout *layout, specpi_bundle_state state, specpi_bundle *ret);

/*
 * Gives the images of a new executable bundle whose kernels were not known the names that the
 * programs have. SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY; the bundle is as before then.
 */
specpi_result bundle_learn_kernels(specpi_bundle bundle);

/* SPECPI_ERROR_INVALID_STATE unless the bundle is in the state that what is done to it needs. */
specpi_result bundle_require_state(specpi_bundle bundle, specpi_bundle_state state,
                                   const char *what);

#endif
