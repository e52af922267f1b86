/*
 * A case: a module with random constants, their uses in kernels, and the values that the host sets.
 * Two writers produce its text, as LLVM assembly and as OpenCL C.
 */
#ifndef PROPERTY_CASE_H
#define PROPERTY_CASE_H

#include "types.h"

#include <specpi/compiler.h>

enum { ELEMENTS_MAX = 16 };
enum { LEVELS_MAX = 3 }; /* functions between the kernel and a use's function */
enum { CONSTANTS_MAX = 8, USES_MAX = 24, KERNELS_MAX = 3, REGIONS_MAX = USES_MAX * KERNELS_MAX };

/* A default: its text in the module, and its bytes. */
typedef struct default_value {
  const char *type; /* LLVM's type of the default, which may differ from the constant's */
  const char *text;
  uint32_t size;
  unsigned char *bytes;
  unsigned char *defined; /* for each byte 1 if it has a defined value */
} default_value;

typedef struct constant {
  const char *name;
  const type *type;
  leaf_list leaves;
  bool legacy;   /* read by SYCL 1.2.1's function, which has no default */
  bool elements; /* an integer from 1 to ELEMENTS_MAX, which is also the size of an alloca */
  uint32_t default_count;
  default_value defaults[2]; /* the module's first use has the first one */
  bool set_any;
  bool set[LEAVES_MAX]; /* leaves that the host sets */
  unsigned char *value; /* the host's bytes, of the default's size */
  /* The compiler's expected holes and ids, from the first default. */
  bool hole[LEAVES_MAX];
  uint32_t ids[LEAVES_MAX]; /* from 0 in each constant; unused for holes */
} constant;

/* The function that reads the constant, and the one that writes the value to the output. */
typedef enum use_place {
  PLACE_KERNEL,    /* the kernel reads and writes it */
  PLACE_HELPER,    /* a function reads and writes it */
  PLACE_RETURN,    /* a function reads it and returns it to the kernel */
  PLACE_POINTER,   /* a function reads it and stores it through the kernel's pointer */
  PLACE_PARAMETER, /* the kernel reads it and passes it to a function that writes it */
  PLACE_COUNT
} use_place;

/* Returns whether the kernel itself reads the constant. */
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
  uint32_t levels; /* functions between the kernel and the use's function */
  use_store store;
  bool by_pointer;   /* the value is returned through an sret parameter */
  bool name_in_slot; /* the name goes through a stack slot, as in unoptimised code */
  bool default_in_slot;
  bool elements;    /* the value goes through an alloca of as many elements */
  bool pass_buffer; /* the use has the kernel's buffer as an argument, if there is one */
  bool in_kernel[KERNELS_MAX];
} use;

typedef struct kernel_facts {
  bool has_buffer;   /* the kernel already has the runtime's argument for the buffer */
  bool buffer_first; /* the buffer is the first argument; otherwise the last */
  bool has_number;   /* the kernel has an unused argument */
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
  bool in_c;      /* written as OpenCL C, otherwise as LLVM assembly */
  bool optimised; /* compiled by clang with -O2, otherwise with -O0 */
  bool typed;     /* pointers have element types */
  struct_list structs;
  uint32_t constant_count;
  constant constants[CONSTANTS_MAX];
  uint32_t use_count;
  use uses[USES_MAX];
  uint32_t kernel_count;
  kernel_facts kernels[KERNELS_MAX];
  bool has_elements; /* a use has elements */
  uint32_t region_count;
  region regions[REGIONS_MAX];
  uint32_t output_size;
} test_case;

/* Makes case index of a seed. Its memory lives until memory_free_all. */
void case_make(uint64_t seed, uint32_t index, test_case *ret);

/* Returns the bits of a random number, often of an extreme one. */
uint64_t case_bits(generator *from, scalar of);

/* Make a random default of a type, in LLVM's assembly or in OpenCL C. */
void default_make_ir(generator *from, const type *of, default_value *ret);
void default_make_c(generator *from, const type *of, default_value *ret);
/* Makes a number of elements, of an integer type. */
void default_make_elements(generator *from, const type *of, default_value *ret);
/* Makes a default of zeros, which SYCL 1.2.1's functions have. */
void default_make_zero(const type *of, default_value *ret);

/* Finds the holes and the ids that the first default makes. */
void expect_ids(constant *constant);

/* Returns whether the value of a use's leaf is defined, and then its bytes in *ret. */
bool expect_leaf(const test_case *of, const use *by, specpi_compiler_mode mode, uint32_t leaf,
                 const unsigned char **ret);

/* Return the module's text. */
const char *case_write_ir(const test_case *of);
const char *case_write_c(const test_case *of);

/* Returns a readable list of the values that the host sets. */
const char *case_describe(const test_case *of);

#endif
