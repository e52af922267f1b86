/*
 * Random types and the offsets of their scalars, which are computed here from the rules of SPIR's
 * data layout, to be compared with LLVM's.
 */
#ifndef PROPERTY_TYPES_H
#define PROPERTY_TYPES_H

#include "random.h"

#include <stdio.h>

/* X(NAME, LLVM's name, OpenCL C's name, LLVM's integer of the same size, bytes). */
#define SCALARS(X)                                                                                 \
  X(BOOL, "i1", "bool", "i8", 1)                                                                   \
  X(I8, "i8", "char", "i8", 1)                                                                     \
  X(I16, "i16", "short", "i16", 2)                                                                 \
  X(I32, "i32", "int", "i32", 4)                                                                   \
  X(I64, "i64", "long", "i64", 8)                                                                  \
  X(HALF, "half", "half", "i16", 2)                                                                \
  X(FLOAT, "float", "float", "i32", 4)                                                             \
  X(DOUBLE, "double", "double", "i64", 8)

typedef enum scalar {
#define SCALAR(NAME, ir, c, integer, size) SCALAR_##NAME,
  SCALARS(SCALAR)
#undef SCALAR
      SCALAR_COUNT
} scalar;

typedef struct scalar_facts {
  const char *ir;
  const char *c;
  const char *integer;
  uint32_t size;
} scalar_facts;

extern const scalar_facts scalars[SCALAR_COUNT];

typedef enum type_kind { TYPE_SCALAR, TYPE_VECTOR, TYPE_ARRAY, TYPE_STRUCT } type_kind;

enum { MEMBERS_MAX = 6, LEAVES_MAX = 96 };

typedef struct type {
  type_kind kind;
  scalar scalar;  /* for a scalar or a vector */
  uint32_t count; /* number of parts */
  bool packed;
  const char *name;                      /* a structure's name in C; LLVM's is longer */
  const struct type *parts[MEMBERS_MAX]; /* vectors and arrays only have parts[0] */
  uint32_t offsets[MEMBERS_MAX];
  uint32_t size; /* in bytes, with padding at the end; the stride of elements */
  uint32_t alignment;
  uint32_t stored; /* bytes that a store writes */
} type;

/* A scalar of a type. */
typedef struct leaf {
  uint32_t offset;
  scalar scalar;
} leaf;

typedef struct leaf_list {
  uint32_t count;
  leaf items[LEAVES_MAX];
} leaf_list;

/* Structures of a module, in the order in which they can be defined. */
typedef struct struct_list {
  uint32_t count;
  const type *items[256];
} struct_list;

/* Returns a random type with at most LEAVES_MAX leaves. With in_c OpenCL C can express it. */
const type *type_random(generator *from, struct_list *structs, bool in_c);

/* Returns a random integer type of at least a byte. */
const type *type_integer(generator *from);

/* Returns the type of a part, and its offset. */
const type *type_part(const type *of, uint32_t index, uint32_t *offset);

void type_leaves(const type *of, leaf_list *ret);

/* Returns the type in LLVM's assembly, until memory_free_all. */
const char *type_ir(const type *of);

/* Writes the definitions of structures. */
void type_define_ir(FILE *to, const struct_list *structs);
void type_define_c(FILE *to, const struct_list *structs);

/* Returns a declaration of an object in OpenCL C, without the semicolon. */
const char *type_c(const type *of, const char *object);

#endif
