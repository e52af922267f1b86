/*
 * String attributes of global variables. LLVM's C API does not reach them, so they are read from
 * the module as text: the lines of the variables end with the number of a group, whose line has the
 * attributes.
 */
#ifndef COMPILER_GLOBAL_ATTRIBUTES_H
#define COMPILER_GLOBAL_ATTRIBUTES_H

#include "error.h"
#include "vector.h"

/* A group of attributes: its number, and the text between the braces of its line. */
typedef struct attribute_group {
  unsigned long number;
  const char *begin;
  const char *end;
} attribute_group;

/* Zero before global_attributes_read. */
typedef struct global_attributes {
  VECTOR(attribute_group) groups;
  VECTOR(const attribute_group *) variables; /* NULL for those without one */
} global_attributes;

/*
 * Reads the attributes of all global variables of a module from its text, which must stay as long
 * as they are needed. ret->variables has the variables first, in the module's order, and then its
 * aliases. global_attributes_free frees what was read, after a failure too. INTERNAL: the text is
 * not as LLVM writes it. OUT_OF_MEMORY.
 */
specpi_compiler_result global_attributes_read(const char *text, global_attributes *ret);
void global_attributes_free(global_attributes *all);

/*
 * The value of the string attribute of the variable with that index, in the order of the module;
 * *ret, size bytes and a NUL, is the caller's to free. NULL when it has no such attribute. An
 * attribute without a value has an empty one. OUT_OF_MEMORY.
 */
specpi_compiler_result global_attributes_get(const global_attributes *all, size_t variable,
                                             const char *name, char **ret, size_t *size);

#endif
