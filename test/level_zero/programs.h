/* Programs for the tests of the Level Zero plugin, from the modules of the conformance suite. */
#ifndef SPECPI_TEST_LEVEL_ZERO_PROGRAMS_H
#define SPECPI_TEST_LEVEL_ZERO_PROGRAMS_H

#include "world.h"

/* X(name): test/conformance/kernels/name.cl or name.spvasm. */
#define MODULES(X)                                                                                 \
  X(arguments)                                                                                     \
  X(basic)                                                                                         \
  X(extreme_ids)                                                                                   \
  X(global_variable)                                                                               \
  X(group_decoration)                                                                              \
  X(images)                                                                                        \
  X(link_main)                                                                                     \
  X(link_part)                                                                                     \
  X(positions)                                                                                     \
  X(scalars)

#define MODULE(name) MODULE_##name,
typedef enum module_index { MODULES(MODULE) MODULE_COUNT } module_index;
#undef MODULE

typedef struct module_bytes {
  const unsigned char *bytes;
  size_t size;
} module_bytes;

module_bytes module_of(module_index index);

pi_program new_program(module_index index);
pi_program built_program(module_index index);
void build(pi_program program);
void compile(pi_program program);
/* Links a program of two compiled inputs. */
pi_program linked_program(pi_program first, pi_program second);

pi_kernel new_kernel(pi_program program, const char *name);
pi_kernel built_kernel(module_index index, const char *name); /* of a program of its own */

void set32(pi_program program, pi_uint32 id, pi_uint32 value);

void set_buffer(pi_kernel kernel, pi_uint32 index, pi_mem buffer);
void launch(pi_kernel kernel, size_t items);

/* Returns the first number written by a kernel whose only argument is a buffer. */
pi_uint32 number_of_kernel(pi_kernel kernel);
/* The same for the kernel with that name in the program's latest build. */
pi_uint32 number_of(pi_program program, const char *name);

/* Returns the build log, which the caller frees. */
char *log_of(pi_program program);

/* Returns the program's binary for the first device of w's context; the caller frees it. */
unsigned char *binary_of(pi_program program, size_t *size);

#endif
