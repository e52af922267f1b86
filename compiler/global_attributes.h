/*
 * String attributes of global variables. LLVM's C API cannot read them, so they are read from the
 * module's text: a variable's line ends with the number of an attribute group, and the group's line
 * has the attributes.
 */
#ifndef COMPILER_GLOBAL_ATTRIBUTES_H
#define COMPILER_GLOBAL_ATTRIBUTES_H

#include "../plugins/base/vector.h"
#include "error.h"

/* A group of attributes: its number, and the text between the braces of its line. */
typedef struct attribute_group {
  uint64_t number;
  const char *begin;
  const char *end;
} attribute_group;

/* Must be zeroed before global_attributes_read. */
typedef struct global_attributes {
  VECTOR(attribute_group) groups;
  VECTOR(const attribute_group *) variables; /* the group of each variable, or NULL */
} global_attributes;

/*
 * Reads the attributes of all global variables from a module's text, which must outlive *ret.
 * ret->variables has the variables in the module's order, followed by its aliases. The caller frees
 * *ret with global_attributes_free, also after a failure. INTERNAL: the text is not in LLVM's form.
 * OUT_OF_MEMORY.
 */
specpi_compiler_result global_attributes_read(const char *text, global_attributes *ret);
void global_attributes_free(global_attributes *all);

/*
 * Reads the value of a string attribute of the variable with an index in the module's order. *ret
 * has *size bytes and a NUL, and the caller frees it; NULL if there is no such attribute. An
 * attribute without a value has an empty value. OUT_OF_MEMORY.
 */
specpi_compiler_result global_attributes_get(const global_attributes *all, size_t variable,
                                             const char *name, char **ret, size_t *size);

#endif
