/*
 * PTX images with a trailer (docs/internals/ptx.md). The trailer lists the constants, the places in
 * the text where values are, and the kernels. ptx_image_write puts other values into the places.
 */
#ifndef CODE_PTX_IMAGE_H
#define CODE_PTX_IMAGE_H

#include <pi/pi.h>

/* Index of an argument that a kernel lacks. Also the id of padding, which no leaf has. */
#define PTX_NONE UINT32_MAX

/* X(NAME, name): how the code holds its constants; name is the word in the trailer. */
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

/* A part of a constant that is set separately, by its id. */
typedef struct ptx_image_leaf {
  pi_uint32 id;
  pi_uint32 offset; /* in the constant */
  pi_uint32 size;   /* at least 1; in mode patch 1, 2, 4 or 8 */
  size_t at;        /* offset in a block of values */
} ptx_image_leaf;

typedef struct ptx_image_constant {
  const char *name;   /* symbolic id: any bytes except 0 */
  pi_uint32 position; /* offset in a block of values */
  pi_uint32 size;
  pi_uint32 first_leaf; /* index of its first leaf; the others follow it */
  pi_uint32 leaf_count;
} ptx_image_constant;

/* A place in the text: 2 * size hexadecimal digits from offset on. */
typedef struct ptx_image_place {
  pi_uint32 offset;
  pi_uint32 size;
  size_t at; /* offset of the leaf's value in a block of values */
} ptx_image_place;

typedef struct ptx_image_kernel {
  const char *name;
  pi_uint32 buffer_argument;  /* index of the pointer to a block of values, or PTX_NONE */
  pi_uint32 required_size[3]; /* work-group size; 0 0 0: any size */
  pi_uint32 sub_group;        /* sub-group size; 0: a warp's */
  pi_uint32 local_memory;     /* bytes of variables at the start of the dynamic shared memory */
} ptx_image_kernel;

/*
 * The content of an image's trailer. It is immutable, so any thread may read it, and does not point
 * into the image.
 *
 * A block of values has default_size bytes; the value of each leaf is at leaf.at, little endian. In
 * mode emulate a block is the content of the kernels' buffer. ptx_image_write takes a block, too.
 */
typedef struct ptx_image {
  ptx_image_mode mode;
  size_t text_size; /* bytes of PTX, without trailer and final zero bytes */
  /*
   * Bytes of PTX before the kernels' variants for launches with an offset; they are a complete
   * text. text_size if the trailer does not say where the variants start.
   */
  size_t plain_size;
  pi_uint32 constant_count, leaf_count, default_size, place_count, kernel_count;
  ptx_image_constant *constants;
  ptx_image_leaf *leaves; /* in ascending order of ids */
  unsigned char *defaults;
  ptx_image_place *places; /* in ascending order of offsets */
  ptx_image_kernel *kernels;
  char *names;
} ptx_image;

/*
 * Reads the trailer of an image of size bytes. The caller frees *ret with ptx_image_free. Text
 * without a trailer gives an image of mode PTX_PLAIN without constants and kernels. For any n bytes
 * the memory is O(n) and the time is O(n log n).
 *
 * PI_ERROR_INVALID_VALUE: image or ret is NULL, or size is 0. PI_ERROR_INVALID_BINARY: the trailer
 * is damaged, does not fit the text, or has another version; the message names the trailer's line.
 * PI_ERROR_OUT_OF_HOST_MEMORY. An error leaves *ret unchanged.
 */
pi_result ptx_image_read(const void *image, size_t size, ptx_image **ret);

/*
 * Returns whether the head of an image's trailer announces constants in mode patch. Reads only a
 * few words of the image, so it takes little time.
 */
bool ptx_image_is_patched(const void *image, size_t size);

/* Frees an image, which may be NULL. */
void ptx_image_free(ptx_image *image);

/* Returns the leaf with this id; NULL if there is none. */
const ptx_image_leaf *ptx_image_find_leaf(const ptx_image *image, pi_uint32 id);

/* Returns the hash that is in the last line of a trailer: FNV-1a of 64 bits. */
uint64_t ptx_image_hash(const void *bytes, size_t size);

/*
 * Copies the text of an image, writes a block of values into its places, and appends a zero byte.
 * bytes is the image that was read. ret has space for text_size + 1 bytes.
 */
void ptx_image_write(const ptx_image *image, const void *bytes, const unsigned char *values,
                     char *ret);

#endif
