/*
 * PTX images that describe themselves (docs/internals/ptx.md): their constants, the places of
 * values in the text, their kernels; and the text with values at the places.
 */
#ifndef CODE_PTX_IMAGE_H
#define CODE_PTX_IMAGE_H

#include <pi/pi.h>

/* The index of a missing argument; also padding's id, which no leaf has. */
#define PTX_NONE UINT32_MAX

/* X(NAME, name): a mode of constants in the code; name is the trailer's word. */
#define PTX_MODES(X)                                                                               \
  X(PATCH, "patch")                                                                                \
  X(EMULATE, "emulate")                                                                            \
  X(DEFAULT, "default")

/* PTX_PLAIN: text without a trailer. */
typedef enum ptx_image_mode {
#define PTX_MODE(NAME, name) PTX_##NAME,
  PTX_MODES(PTX_MODE)
#undef PTX_MODE
      PTX_PLAIN
} ptx_image_mode;

/* A value that is set as one. It is size bytes from at on in a block of values. */
typedef struct ptx_image_leaf {
  pi_uint32 id;
  pi_uint32 offset; /* in the constant */
  pi_uint32 size;   /* at least 1; in mode patch 1, 2, 4 or 8 */
  size_t at;
} ptx_image_leaf;

typedef struct ptx_image_constant {
  const char *name;   /* its symbolic id, any bytes but 0 */
  pi_uint32 position; /* of its bytes in a block of values */
  pi_uint32 size;
  pi_uint32 first_leaf; /* its leaves stand one after the other; padding is left out */
  pi_uint32 leaf_count;
} ptx_image_constant;

/* 2 * size digits in the text, from offset on. */
typedef struct ptx_image_place {
  pi_uint32 offset;
  pi_uint32 size;
  size_t at; /* of the leaf's bytes in a block of values */
} ptx_image_place;

typedef struct ptx_image_kernel {
  const char *name;
  pi_uint32 buffer_argument;  /* index of the pointer to a block of values, or PTX_NONE */
  pi_uint32 required_size[3]; /* work-items, 0 0 0 when any size will do */
  pi_uint32 sub_group;        /* work-items, 0 for those of a warp */
  pi_uint32 local_memory;     /* bytes of variables at the start of the dynamic shared memory */
} ptx_image_kernel;

/*
 * An image's description of itself. It never changes, so any thread may read it, and it does not
 * refer to the image's bytes.
 *
 * A block of values is default_size bytes: each leaf's at leaf.at, little endian. It is the content
 * of mode emulate's buffer, and the input of ptx_image_write.
 */
typedef struct ptx_image {
  ptx_image_mode mode;
  size_t text_size; /* bytes of PTX, without trailer and final zero bytes */
  /* Complete text without the entries for launches with an offset; text_size if none are apart. */
  size_t plain_size;
  pi_uint32 constant_count, leaf_count, default_size, place_count, kernel_count;
  ptx_image_constant *constants;
  ptx_image_leaf *leaves; /* ids ascend */
  unsigned char *defaults;
  ptx_image_place *places; /* offsets ascend */
  ptx_image_kernel *kernels;
  char *names;
} ptx_image;

/*
 * Reads an image of size bytes; the caller frees *ret with ptx_image_free. Text without a trailer
 * is an image of mode PTX_PLAIN without constants and kernels. Memory is proportional to size and
 * time to size times its logarithm, whatever the bytes are.
 *
 * PI_ERROR_INVALID_VALUE: image or ret is NULL, or size is 0. PI_ERROR_INVALID_BINARY: there is a
 * trailer, and it is damaged, does not fit the text, or is of another version; the message has the
 * line of the trailer. PI_ERROR_OUT_OF_HOST_MEMORY. *ret is untouched then.
 */
pi_result ptx_image_read(const void *image, size_t size, ptx_image **ret);

/*
 * Returns whether an image claims constants in mode patch. It looks at nothing else of the image,
 * so it only takes the time of a few words.
 */
bool ptx_image_is_patched(const void *image, size_t size);

/* Frees an image; NULL is fine. */
void ptx_image_free(ptx_image *image);

/* The leaf with this id; NULL when there is none, and for PTX_NONE. */
const ptx_image_leaf *ptx_image_find_leaf(const ptx_image *image, pi_uint32 id);

/* The hash of the last line of a trailer: FNV-1a of 64 bits. */
uint64_t ptx_image_hash(const void *bytes, size_t size);

/*
 * Copies the text of the image that was read, with the values of a block at the places, and ends it
 * with a zero byte: ret takes text_size + 1 bytes. Cannot fail.
 */
void ptx_image_write(const ptx_image *image, const void *bytes, const unsigned char *values,
                     char *ret);

#endif
