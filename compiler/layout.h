/*
 * The layout of a constant: its scalars with their offsets and defaults. The default's type may
 * differ from the constant's; the two are matched byte by byte, at the offsets of the data layout.
 */
#ifndef COMPILER_LAYOUT_H
#define COMPILER_LAYOUT_H

#include "../plugins/base/vector.h"
#include "error.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

typedef enum node_kind {
  NODE_SCALAR,    /* an integer of 1, 8, 16, 32 or 64 bits, half, float, double */
  NODE_AGGREGATE, /* its parts follow, each with its own parts */
  NODE_HOLE,      /* a structure's member that the default leaves undefined */
} node_kind;

/* A part of a constant. Nodes are in depth-first order. */
typedef struct node {
  node_kind kind;
  LLVMTypeRef type;
  uint32_t offset; /* bytes from the start of the constant */
  uint32_t size;   /* size in memory, in bytes */
  uint32_t id;     /* counted from 0 in the constant; 0 for aggregates, which have no id */
  uint32_t parts;  /* number of parts of an aggregate */
} node;

typedef struct layout {
  VECTOR(node) nodes;
  VECTOR(specpi_compiler_descriptor) descriptors; /* ids counted from 0 in the constant */
  uint32_t id_count;                              /* number of ids, including holes */
  uint32_t size;                                  /* size of the default in bytes */
} layout;

/* The bytes of a default; defined has a nonzero byte for each byte that belongs to a scalar. */
typedef struct image {
  unsigned char *bytes;
  unsigned char *defined;
  uint32_t size;
} image;

/*
 * Checks that a constant can have a type; on failure *why is the reason.
 * LIMIT, UNSUPPORTED_TYPE.
 */
specpi_compiler_result layout_check_type(LLVMTypeRef type, LLVMTargetDataRef data_layout,
                                         const char **why);

/*
 * Makes the image of a default, an unchecked constant of any type. The caller frees the image with
 * image_free. LIMIT, UNSUPPORTED_TYPE, INVALID_DEFAULT, with *why as above; OUT_OF_MEMORY, with
 * *why NULL.
 */
specpi_compiler_result image_make(LLVMValueRef value, LLVMTargetDataRef data_layout, image *ret,
                                  const char **why);
void image_free(image *image);

/* Returns the number of an aggregate's parts; 0 for other types. */
uint64_t layout_part_count(LLVMTypeRef type);

/*
 * Returns the bits of a number as an integer constant, so that a NaN keeps its payload. NULL if the
 * value is no number.
 */
LLVMValueRef layout_number_bits(LLVMValueRef value, LLVMTargetDataRef data_layout);

/* Returns the scalar at a node as a constant of its type. */
LLVMValueRef image_scalar(const image *image, const node *scalar);

/*
 * Makes the layout of a constant of a checked type with its default, whose image is at least as
 * large as the type. Marks elements in the image as defined that are zero because the default
 * leaves an element, or everything, undefined. The caller frees the layout with layout_free.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result layout_make(LLVMTypeRef type, LLVMTargetDataRef data_layout, image *from,
                                   layout *ret);
void layout_free(layout *layout);

/*
 * Returns whether two checked types are equal except for names of structures, because linking
 * modules changes these names.
 */
bool layout_types_match(LLVMTypeRef a, LLVMTypeRef b, LLVMTargetDataRef data_layout);

#endif
