/*
 * PTX images that describe themselves (docs/ptx.md): their constants, the places of values in
 * the text, their kernels; and the text with values at the places.
 */
#ifndef PI_CODE_PTX_IMAGE_H
#define PI_CODE_PTX_IMAGE_H

#include <pi/pi.h>

/* The index of an argument that is not there; also padding's id, which no leaf has. */
#define PI_PTX_NONE UINT32_MAX

/* X(NAME, name): how the code has its constants; name is the trailer's word. */
#define PI_PTX_MODES(X)                                                                            \
  X(PATCH, "patch")                                                                                \
  X(EMULATE, "emulate")                                                                            \
  X(DEFAULT, "default")

/* PI_PTX_PLAIN: text without a trailer. */
typedef enum pi_ptx_mode {
#define PI_PTX_MODE(NAME, name) PI_PTX_##NAME,
  PI_PTX_MODES(PI_PTX_MODE)
#undef PI_PTX_MODE
      PI_PTX_PLAIN
} pi_ptx_mode;

/* What is set as one. Its bytes in a block of values are size bytes from at on. */
typedef struct pi_ptx_leaf {
  pi_uint32 id;
  pi_uint32 offset; /* in the constant */
  pi_uint32 size;   /* at least 1; in mode patch 1, 2, 4 or 8 */
  size_t at;
} pi_ptx_leaf;

typedef struct pi_ptx_constant {
  const char *name;   /* its symbolic id, any bytes but 0 */
  pi_uint32 position; /* of its bytes in a block of values */
  pi_uint32 size;
  pi_uint32 first_leaf; /* its leaves stand one after the other; padding is left out */
  pi_uint32 leaf_count;
} pi_ptx_constant;

/* 2 * size digits in the text, from offset on. */
typedef struct pi_ptx_place {
  pi_uint32 offset;
  pi_uint32 size;
  size_t at; /* of the leaf's bytes in a block of values */
} pi_ptx_place;

typedef struct pi_ptx_kernel {
  const char *name;
  pi_uint32 buffer_argument;  /* index of the pointer to a block of values, or PI_PTX_NONE */
  pi_uint32 required_size[3]; /* work-items, 0 0 0 when any size will do */
} pi_ptx_kernel;

/*
 * What an image says of itself. Nothing of it changes, so that any thread may read it; it does not
 * refer to the image's bytes.
 *
 * A block of values is default_size bytes: each leaf's at leaf.at, little endian. It is what the
 * buffer of mode emulate holds, and what pi_ptx_image_write takes.
 */
typedef struct pi_ptx_image {
  pi_ptx_mode mode;
  size_t text_size; /* bytes of PTX, without trailer and final zero bytes */
  /* Bytes of it that are whole without the entries for launches with an offset; text_size when it
   * is not known to have any apart. */
  size_t plain_size;
  pi_uint32 constant_count, leaf_count, default_size, place_count, kernel_count;
  pi_ptx_constant *constants;
  pi_ptx_leaf *leaves; /* ids ascend */
  unsigned char *defaults;
  pi_ptx_place *places; /* offsets ascend */
  pi_ptx_kernel *kernels;
  char *names;
} pi_ptx_image;

/*
 * Reads an image of size bytes; *ret receives what the caller frees with pi_ptx_image_free. Text
 * without a trailer is an image of mode PI_PTX_PLAIN without constants and kernels. Memory is
 * proportional to size and time to size times its logarithm, whatever the bytes are.
 *
 * PI_ERROR_INVALID_VALUE: image or ret is NULL, or size is 0. PI_ERROR_INVALID_BINARY: there is a
 * trailer, and it is damaged, does not fit the text, or is of another version; the sentence has the
 * line of the trailer. PI_ERROR_OUT_OF_HOST_MEMORY. *ret is untouched then.
 */
pi_result pi_ptx_image_read(const void *image, size_t size, pi_ptx_image **ret);

/* Frees what pi_ptx_image_read gave; NULL is fine. */
void pi_ptx_image_free(pi_ptx_image *image);

/* The leaf with this id; NULL when there is none, and for PI_PTX_NONE. */
const pi_ptx_leaf *pi_ptx_image_find_leaf(const pi_ptx_image *image, pi_uint32 id);

/* The hash of the last line of a trailer: FNV-1a of 64 bits. */
uint64_t pi_ptx_image_hash(const void *bytes, size_t size);

/*
 * Copies the text of the image that was read, with the values of a block at the places, and ends it
 * with a zero byte: ret has room for text_size + 1 bytes. Cannot fail.
 */
void pi_ptx_image_write(const pi_ptx_image *image, const void *bytes, const unsigned char *values,
                        char *ret);

#endif
