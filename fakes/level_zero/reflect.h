/*
 * The fake Level Zero driver's reader of SPIR-V modules, which runs before OpenCL. It finds kernels
 * with their arguments, specialization constants, imports and exports. For any bytes, it reads
 * nothing out of bounds, and its time and memory are proportional to the module's size.
 */
#ifndef SPECPI_TEST_FAKE_ZE_REFLECT_H
#define SPECPI_TEST_FAKE_ZE_REFLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fake_argument_kind {
  FAKE_ARGUMENT_BUFFER,  /* a pointer to global or constant memory */
  FAKE_ARGUMENT_LOCAL,   /* a pointer to local memory, set by its size */
  FAKE_ARGUMENT_IMAGE,   /* a ze_image_handle_t */
  FAKE_ARGUMENT_SAMPLER, /* a ze_sampler_handle_t */
  FAKE_ARGUMENT_VALUE,   /* a value of size bytes */
} fake_argument_kind;

typedef struct fake_argument {
  fake_argument_kind kind;
  size_t size;         /* for zeKernelSetArgumentValue; 0 for local memory, which takes any size */
  unsigned dimensions; /* of an image: 1, 2 or 3; 0 for a kind that Level Zero lacks */
  bool is_array;
  bool is_written;
} fake_argument;

typedef struct fake_entry {
  char *name;
  size_t argument_count;
  fake_argument *arguments;
} fake_entry;

/* All scalars with one SpecId. */
typedef struct fake_constant {
  uint32_t id;
  size_t size;   /* in bytes: 1, 2, 4 or 8; 1 for booleans */
  bool is_mixed; /* they differ in size, so that no value fits all */
} fake_constant;

/* A function or variable with linkage, except variables for built-in values. */
typedef struct fake_symbol {
  char *name;
  uint32_t target; /* id of the function or variable in the module */
  bool is_import;
  bool is_function;
  bool is_kernel; /* a kernel, or the function of the same name that the kernel calls */
} fake_symbol;

typedef struct fake_reflection {
  size_t entry_count;
  fake_entry *entries;  /* in the module's order */
  fake_entry **by_name; /* the same, sorted by name */
  size_t constant_count;
  fake_constant *constants; /* sorted by id, one per id */
  size_t symbol_count;
  fake_symbol *symbols; /* in the module's order */
} fake_reflection;

/*
 * Reads a module of size bytes. If it is damaged or contradicts itself, returns false with a
 * message and nothing to free.
 */
bool fake_reflect(const void *il, size_t size, fake_reflection *ret, char *message, size_t room);
/* Frees the result of fake_reflect. */
void fake_reflection_end(fake_reflection *reflection);

/* Finds a kernel; NULL if there is none. */
const fake_entry *fake_reflection_entry(const fake_reflection *reflection, const char *name);
/* Finds a constant; NULL if there is none. */
const fake_constant *fake_reflection_constant(const fake_reflection *reflection, uint32_t id);

/*
 * Returns a copy of the module in which exported functions other than kernels are marked as called
 * indirectly (SPV_INTEL_function_pointers), so that OpenCL keeps them and reports their addresses.
 * Returns NULL if there is no such function. *ret_size is the copy's size. The caller frees it.
 */
void *fake_reflection_keep_functions(const fake_reflection *reflection, const void *il, size_t size,
                                     size_t *ret_size);

#endif
