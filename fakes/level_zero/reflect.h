/*
 * The fake Level Zero driver's reader of a SPIR-V module, before OpenCL sees it: kernels with
 * their arguments, specialization constants, names that it imports and exports. Whatever the bytes
 * are, it reads nothing beyond them, and its time and memory grow with the module's size.
 */
#ifndef SPECPI_TEST_FAKE_ZE_REFLECT_H
#define SPECPI_TEST_FAKE_ZE_REFLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum fake_argument_kind {
  FAKE_ARGUMENT_BUFFER,  /* a pointer to global or constant memory */
  FAKE_ARGUMENT_LOCAL,   /* a pointer to a group's local memory, of which only the size is given */
  FAKE_ARGUMENT_IMAGE,   /* a ze_image_handle_t */
  FAKE_ARGUMENT_SAMPLER, /* a ze_sampler_handle_t */
  FAKE_ARGUMENT_VALUE,   /* size bytes */
} fake_argument_kind;

typedef struct fake_argument {
  fake_argument_kind kind;
  size_t size;         /* of what zeKernelSetArgumentValue takes; 0 for local memory: any */
  unsigned dimensions; /* of an image: 1, 2, 3; 0: one of a kind that Level Zero has not */
  bool is_array;
  bool is_written;
} fake_argument;

typedef struct fake_entry {
  char *name;
  size_t argument_count;
  fake_argument *arguments;
} fake_entry;

/* The scalars that have a SpecId. */
typedef struct fake_constant {
  uint32_t id;
  size_t size;   /* bytes: 1, 2, 4, 8; 1 for booleans */
  bool is_mixed; /* others of the id have another size: no value fits all */
} fake_constant;

/* A function or variable with linkage, without those that stand for built-in values. */
typedef struct fake_symbol {
  char *name;
  uint32_t target; /* the function's or variable's id in the module */
  bool is_import;
  bool is_function;
  bool is_kernel; /* or the function that a kernel of its name calls */
} fake_symbol;

typedef struct fake_reflection {
  size_t entry_count;
  fake_entry *entries;  /* in the module's order */
  fake_entry **by_name; /* the same */
  size_t constant_count;
  fake_constant *constants; /* by id, each once */
  size_t symbol_count;
  fake_symbol *symbols; /* in the module's order */
} fake_reflection;

/*
 * Reads a module of size bytes. False, with a message of at most space bytes in message and nothing
 * to give up, when it is not well framed or says what cannot be true.
 */
bool fake_reflect(const void *il, size_t size, fake_reflection *ret, char *message, size_t room);
/* Gives up what fake_reflect has made. */
void fake_reflection_end(fake_reflection *reflection);

/* NULL when there is none. */
const fake_entry *fake_reflection_entry(const fake_reflection *reflection, const char *name);
/* NULL when there is none. */
const fake_constant *fake_reflection_constant(const fake_reflection *reflection, uint32_t id);

/*
 * A copy of the module in which exported functions that are no kernels are marked as called
 * indirectly (SPV_INTEL_function_pointers), so that OpenCL keeps them and tells their addresses.
 * *ret_size is the copy's size; NULL when there is no such function. The caller frees it.
 */
void *fake_reflection_keep_functions(const fake_reflection *reflection, const void *il, size_t size,
                                     size_t *ret_size);

#endif
