/*
 * Names of variables in a footer. At the end of a file a variable may be out of reach of any
 * qualified name: an unnamed namespace has no name, and other variables of the same name hide it or
 * make the name ambiguous. A shim is then a function with a name that nothing else has, in a place
 * where the variable can be named.
 */
#ifndef COMPILER_HOST_NAMING_H
#define COMPILER_HOST_NAMING_H

#include "variables.h"

#include <stdio.h>

/*
 * X(NAME): the ways, in the order in which they are tried.
 * DIRECT: by its qualified name.
 * SHIM: a shim in the variable's namespace returns it by its unqualified name. Where an unnamed
 * namespace holds the named one in which the shim is, another shim hands it on.
 * EXTERN: the same, but the shim declares the variable once more, in its block. Such a declaration
 * belongs to the variable of the innermost namespace, whichever other names are visible there. The
 * expression is a variable at run time only; it cannot be a template's argument.
 * ACCESS: for private members, and members of templates with private arguments: an explicit
 * instantiation may name them. The shim is a friend of the class template that is instantiated. In
 * the global namespace, by the qualified name.
 * ACCESS_INSIDE: the same in the variable's namespace, by the unqualified name.
 */
#define HOST_NAMINGS(X)                                                                            \
  X(DIRECT)                                                                                        \
  X(SHIM)                                                                                          \
  X(EXTERN)                                                                                        \
  X(ACCESS)                                                                                        \
  X(ACCESS_INSIDE)

typedef enum naming {
#define HOST_NAMING(NAME) NAMING_##NAME,
  HOST_NAMINGS(HOST_NAMING)
#undef HOST_NAMING
      NAMING_COUNT
} naming;

/* Namespaces, each on a line of its own: opened, and closed again. */
void naming_open(FILE *to, const scopes *in);
void naming_close(FILE *to, const scopes *in);

/* libclang's name of something without the words that it has for unnamed namespaces. */
const char *naming_speakable(unit *unit, const char *name);

/*
 * Writes what a naming declares, if anything; number makes its names unique. Returns the expression
 * that is the variable, valid in every namespace.
 */
const char *naming_write(unit *unit, FILE *to, const variable *which, naming how, size_t number);

/*
 * Finds for each variable the first naming with which libclang, at the end of the file and inside
 * the namespaces of the footer's function, comes upon the very same variable. *ret is an array of
 * as many as there are variables, which the caller frees. UNSUPPORTED: there is none; the message
 * has libclang's reason. OUT_OF_MEMORY, INTERNAL.
 */
host_result naming_choose(unit *unit, const variables *found, naming **ret);

#endif
