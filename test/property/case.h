/*
 * A case: a module's worth of random constants, where and how kernels use them, and what the
 * host sets. Two writers make its text, as LLVM assembly and as OpenCL C.
 */
#ifndef PROPERTY_CASE_H
#define PROPERTY_CASE_H

#include "types.h"

#include <specpi/compiler.h>

enum { ELEMENTS_MAX = 16 };
enum { LEVELS_MAX = 3 }; /* functions between the kernel and the one of a use */
enum { CONSTANTS_MAX = 8, USES_MAX = 24, KERNELS_MAX = 3, REGIONS_MAX = USES_MAX * KERNELS_MAX };

/* A default as the module has it, and as the host knows it. */
typedef struct default_value {
  const char *type; /* its type in LLVM; it need not be the constant's */
  const char *text;
  uint32_t size;
  unsigned char *bytes;
  unsigned char *defined; /* which of the bytes belong to a number that is given */
} default_value;

typedef struct constant {
  const char *name;
  const type *type;
  leaf_list leaves;
  bool legacy;   /* used through the older function, which has no default */
  bool elements; /* an integer from 1 to ELEMENTS_MAX, a number of elements in memory, too */
  uint32_t default_count;
  default_value defaults[2]; /* the first one is that of the first use in the module */
  bool set_any;
  bool set[LEAVES_MAX]; /* what the host sets */
  unsigned char *value; /* the host's bytes, as many as the default has */
  /* As the compiler must see it, from the first default. */
  bool hole[LEAVES_MAX];
  uint32_t ids[LEAVES_MAX]; /* counted from 0 in the constant; of holes nothing */
} constant;

/* Where the function that gives the constant is called, and who writes the value. */
typedef enum use_place {
  PLACE_KERNEL,    /* in the kernel, which writes it */
  PLACE_HELPER,    /* in a function that writes it */
  PLACE_RETURN,    /* in a function that returns it */
  PLACE_POINTER,   /* in a function that stores it where the kernel says */
  PLACE_PARAMETER, /* in the kernel, which gives it to a function that writes it */
  PLACE_COUNT
} use_place;

/* Returns whether a place is in the kernel. */
bool place_is_kernel(use_place place);

/* The way in which the kernel writes the scalars of the value. */
typedef enum use_store {
  STORE_LEAVES, /* each is extracted from the value */
  STORE_WHOLE,  /* all at once */
  STORE_MEMORY, /* each is loaded from a variable that has the value */
  STORE_COUNT
} use_store;

typedef struct use {
  uint32_t constant;
  uint32_t default_index;
  use_place place;
  uint32_t levels; /* that many functions are between the kernel and the place's */
  use_store store;
  bool by_pointer;   /* the function has a struct-return parameter */
  bool name_in_slot; /* as unoptimised code has it */
  bool default_in_slot;
  bool elements;    /* the kernel has the value go through memory of as many elements */
  bool pass_buffer; /* the kernel's buffer, where the kernel has one */
  bool in_kernel[KERNELS_MAX];
} use;

typedef struct kernel_facts {
  bool has_buffer;   /* the runtime's argument is there already */
  bool buffer_first; /* else last */
  bool has_number;   /* an argument of no interest */
} kernel_facts;

/* The output of one use in one kernel. */
typedef struct region {
  uint32_t use;
  uint32_t kernel;
  uint32_t offset;
} region;

typedef struct test_case {
  uint64_t seed;
  uint32_t index;
  bool in_c;      /* written as OpenCL C */
  bool optimised; /* clang's optimiser has seen it */
  bool typed;     /* pointers have element types */
  struct_list structs;
  uint32_t constant_count;
  constant constants[CONSTANTS_MAX];
  uint32_t use_count;
  use uses[USES_MAX];
  uint32_t kernel_count;
  kernel_facts kernels[KERNELS_MAX];
  bool has_elements; /* a use does */
  uint32_t region_count;
  region regions[REGIONS_MAX];
  uint32_t output_size;
} test_case;

/* Makes case index of a seed; what it points to lives until memory_free_all. */
void case_make(uint64_t seed, uint32_t index, test_case *ret);

/* Random bits of a number. */
uint64_t case_bits(generator *from, scalar of);

/* A default of a type, in LLVM's assembly or in OpenCL C. */
void default_make_ir(generator *from, const type *of, default_value *ret);
void default_make_c(generator *from, const type *of, default_value *ret);
/* A number of elements, of an integer type. */
void default_make_elements(generator *from, const type *of, default_value *ret);
/* All zero, as those of the older functions are. */
void default_make_zero(const type *of, default_value *ret);

/* Finds the holes and the ids that the first default makes. */
void expect_ids(constant *constant);

/* Returns whether a leaf of a region is known, and then its bytes. */
bool expect_leaf(const test_case *of, const use *by, specpi_compiler_mode mode, uint32_t leaf,
                 const unsigned char **ret);

/* The module's text. */
const char *case_write_ir(const test_case *of);
const char *case_write_c(const test_case *of);

/* A text for people: the values that the host sets. */
const char *case_describe(const test_case *of);

#endif
