/* The parts of a bundle. Only the source files of bundles include this. */
#ifndef SPECPI_BUNDLE_OBJECT_H
#define SPECPI_BUNDLE_OBJECT_H

#include "bundle.h"
#include "error.h"

#include <pthread.h>
#include <stdatomic.h>

/* A constant of a bundle, which stands for the constants of this name in all its images. */
typedef struct bundle_constant {
  specpi_constant seen; /* the description that specpiBundleGetConstants returns */
  size_t place;         /* offset of the value in values.bytes */
  size_t first_leaf;    /* index of the first leaf in values.set, padding not counted */
  size_t leaf_count;    /* padding not counted */
  bool has_bytes;       /* an image reads it from a buffer: parts of leaves can be set */
  bool imported;        /* an image takes the default from another unit's variable */
} bundle_constant;

/* A leaf of one image, and the place of its value. */
typedef struct bundle_leaf {
  uint32_t id;
  uint32_t size;
  size_t place; /* offset in values.bytes */
  size_t leaf;  /* index in values.set */
  /*
   * The constant, if the image lacks its default, so that builds always set the value; else NULL.
   */
  const bundle_constant *imported;
} bundle_leaf;

typedef struct bundle_image {
  specpi_image image;  /* from image_own */
  bundle_leaf *leaves; /* ascending by id */
  size_t leaf_count;
  /* Numbers of the images to link it with in a build. See bundle_needed.c. */
  size_t *needed;
  size_t needed_count;
  /*
   * Reasons why it cannot be linked: a function that no image defines, and the image that calls it;
   */
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

/* The types of all leaves of a layout, each a specpi_type; NULL until a typed value is set. */
typedef struct bundle_types {
  _Atomic(unsigned char *) list;
} bundle_types;

/* The part that a bundle shares with the bundles made from it. Only types ever changes. */
typedef struct bundle_layout {
  references references;
  specpi_device device;
  bundle_image *images;
  size_t image_count;    /* number of the bundle's own images */
  size_t needed_count;   /* number of registered images after these, which their builds need */
  bundle_entry *kernels; /* sorted by name */
  size_t kernel_count;
  bundle_constant *constants; /* sorted by name */
  size_t constant_count;
  uint32_t *names;      /* hash table by name: 1 + the index of a constant; 0: empty */
  size_t name_capacity; /* size of names: a power of two, more than constant_count */
  bundle_leaf *leaves;  /* the leaves of all images */
  void *defaults;       /* copies of defaults from variables of the process; NULL: none */
  size_t value_size;    /* bytes of the values of all constants */
  size_t leaf_count;    /* number of leaves of all constants */
  bundle_types *types;
} bundle_layout;

/* Values of all constants of a layout: the value that was set, or else the default, or else 0. */
typedef struct bundle_values {
  unsigned char *bytes; /* layout->value_size bytes, at the start of the block */
  bool *set;            /* layout->leaf_count elements: whether the leaf is set */
} bundle_values;

struct specpi_bundle_object {
  references references;
  specpi_bundle_state state;
  bundle_layout *layout;
  pthread_mutex_t lock; /* protects values in state INPUT; in other states they never change */
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

/* Finds a constant; NULL, and SPECPI_ERROR_UNKNOWN_CONSTANT as error, if there is none. */
const bundle_constant *bundle_layout_find(const bundle_layout *layout, const char *name);

/* The same without recording an error. */
const bundle_constant *bundle_layout_look_up(const bundle_layout *layout, const char *name);

/*
 * Checks the type of a value against a constant's types, as far as images of the layout, or
 * registered ones with the same kernels, record them. SPECPI_ERROR_INVALID_TYPE,
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result bundle_layout_check_type(const bundle_layout *layout, const bundle_constant *constant,
                                       specpi_type given);

/* The label of an image in errors, because images have no names. */
typedef struct bundle_label {
  char text[192];
} bundle_label;

bundle_label bundle_label_of(const bundle_layout *layout, const size_t *object_of, size_t image);

/* ---- bundle_needed.c ---- */

/*
 * Adds the registered images that images need to a list of images for a device: those that define
 * functions which the images, or the added ones, call. If several define a function, it is the best
 * one for the device. The list comes from malloc and has a reference to each image.
 * SPECPI_ERROR_OUT_OF_MEMORY, SPECPI_ERROR_DRIVER; the list then has the images found so far.
 */
specpi_result bundle_needed_add(specpi_device device, specpi_image **images, size_t *count);

/* Finds the images that each image of a layout is linked with. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result bundle_needed_resolve(bundle_layout *layout);
void bundle_needed_free(bundle_layout *layout);

/*
 * Checks that an image can be linked with the images that it needs. SPECPI_ERROR_BUILD_FAILED: no
 * image defines a function; the message names the function, its caller, and the caller's place.
 * SPECPI_ERROR_CONFLICT: two images define the same kernel or function. where starts the message
 * about a missing function: "no registered image".
 */
specpi_result bundle_needed_check(const bundle_layout *layout, const size_t *object_of,
                                  size_t image, const char *where);

/* ---- bundle_values.c ---- */

/* Makes values that are all defaults. SPECPI_ERROR_OUT_OF_MEMORY. */
specpi_result bundle_values_create(const bundle_layout *layout, bundle_values *ret);
void bundle_values_free(bundle_values *values);
void bundle_values_copy(const bundle_layout *layout, const bundle_values *from, bundle_values *to);

/*
 * The values of an image's constants in the list from, some replaced by others; see
 * bundle_get_source. If lock is not NULL, it is held while from is read.
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
 * A new bundle in that state with a layout, which it retains. Its values are defaults, and it has
 * space for programs unless the state is INPUT.
 */
specpi_result bundle_create(bundle_layout *layout, specpi_bundle_state state, specpi_bundle *ret);

/*
 * Adds kernel names from the programs to images of a new executable bundle whose kernels were not
 * known before the build. SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY: the bundle is unchanged.
 */
specpi_result bundle_learn_kernels(specpi_bundle bundle);

/* SPECPI_ERROR_INVALID_STATE: the bundle is not in the required state. */
specpi_result bundle_require_state(specpi_bundle bundle, specpi_bundle_state state,
                                   const char *what);

#endif
