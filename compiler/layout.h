/*
 * The layout of a constant: which scalars it has, where, and what their defaults are. The
 * type of the default need not be that of the constant; the two are matched byte by
 * byte, at the offsets that the data layout gives.
 */
#ifndef COMPILER_LAYOUT_H
#define COMPILER_LAYOUT_H

#include "error.h"
#include "vector.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

typedef enum node_kind {
  NODE_SCALAR,    /* an integer of 1, 8, 16, 32 or 64 bits, half, float, double */
  NODE_AGGREGATE, /* its parts follow, each with all that is below it */
  NODE_HOLE,      /* a member of a structure for which the default has nothing */
} node_kind;

/* One part of a constant, in depth-first order. */
typedef struct node {
  node_kind kind;
  LLVMTypeRef type;
  uint32_t offset; /* bytes from the beginning of the constant */
  uint32_t size;   /* bytes it is stored in */
  uint32_t id;     /* counted from 0 in the constant; 0 for an aggregate, which has none */
  uint32_t parts;  /* how many parts an aggregate has */
} node;

typedef struct layout {
  VECTOR(node) nodes;
  VECTOR(specpi_compiler_descriptor) descriptors; /* ids counted from 0 in the constant */
  uint32_t id_count;                              /* holes included */
  uint32_t size;                                  /* bytes of the default */
} layout;

/* The bytes of a default, and which of them hold (a part of) a scalar. */
typedef struct image {
  unsigned char *bytes;
  unsigned char *defined;
  uint32_t size;
} image;

/*
 * Returns whether a constant can have the type: why points to the reason otherwise.
 * LIMIT, UNSUPPORTED_TYPE.
 */
specpi_compiler_result layout_check_type(LLVMTypeRef type, LLVMTargetDataRef data_layout,
                                         const char **why);

/*
 * Stores a default, a constant of any type, of which nothing was checked. The caller
 * frees the image with image_free. LIMIT, UNSUPPORTED_TYPE, INVALID_DEFAULT, OUT_OF_MEMORY, with
 * why as above; it stays NULL for OUT_OF_MEMORY.
 */
specpi_compiler_result image_make(LLVMValueRef value, LLVMTargetDataRef data_layout, image *ret,
                                  const char **why);
void image_free(image *image);

/* The number of an aggregate's parts; 0 for another type. */
uint64_t layout_part_count(LLVMTypeRef type);

/*
 * The bits of a number as an integer constant: those of a float as they stand, so that a NaN keeps
 * its payload. NULL for what is no number.
 */
LLVMValueRef layout_number_bits(LLVMValueRef value, LLVMTargetDataRef data_layout);

/* The scalar at a node as a constant of its type. */
LLVMValueRef image_scalar(const image *image, const node *scalar);

/*
 * Lays a constant of a checked type out over its default, and marks what is zero because
 * the default leaves an element, or everything, undefined. The image is not smaller than
 * the type. The caller frees the layout with layout_free. OUT_OF_MEMORY.
 */
specpi_compiler_result layout_make(LLVMTypeRef type, LLVMTargetDataRef data_layout, image *from,
                                   layout *ret);
void layout_free(layout *layout);

/*
 * Returns whether two checked types are the same but for the names of their structures, which
 * linking modules changes.
 */
bool layout_types_match(LLVMTypeRef a, LLVMTypeRef b, LLVMTargetDataRef data_layout);

#endif
