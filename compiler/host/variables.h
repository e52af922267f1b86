/* The variables of a unit that have ids, and the types that are ids. */
#ifndef COMPILER_HOST_VARIABLES_H
#define COMPILER_HOST_VARIABLES_H

#include "../../plugins/base/vector.h"
#include "unit.h"

/* The template whose specialisations the footer has, a member of sycl::detail. */
#define HOST_ID_FUNCTION "get_spec_constant_symbolic_ID_impl"

/* The function that registers a variable, and the one that takes it back. */
#define HOST_REGISTER_FUNCTION "__register_uniquely_identifiable_object"
#define HOST_UNREGISTER_FUNCTION "__unregister_uniquely_identifiable_object"

/* A namespace that something is in. */
typedef struct scope {
  const char *name; /* NULL: unnamed */
  bool is_inline;
} scope;

typedef VECTOR(scope) scopes;

/* A variable; strings are the unit's. */
typedef struct variable {
  const char *id;
  const char *mangled; /* its name in object files */
  const char *name;    /* as people write it, unnamed namespaces included */
  const char *kind;
  const char *type;    /* canonical, with const */
  const char *simple;  /* the name without any scope */
  const char *classes; /* the classes it is in, "A::B<int>", or NULL */
  scopes scopes;       /* the namespaces it is in, outermost first */
  bool is_internal;
  bool is_constant; /* of HOST_CONSTANT_KIND */
  bool is_defined;  /* by this unit */
  bool is_private;  /* it, or a class that it is in, is private or protected */
  const char *file;
  unsigned line, column;
} variable;

/* A name that a lambda may capture. */
typedef struct capture {
  const char *name; /* the unit's */
  bool is_pack;     /* of a pack of parameters */
} capture;

/* The variables of a unit; zero before variables_find. */
typedef struct variables {
  VECTOR(variable) list;
  VECTOR(CXType) ids;           /* types that name constants, each once */
  VECTOR(capture) captures;     /* by name, some several times */
  CXCursorSet captured;         /* the variables that have these names */
  VECTOR(const char *) lambdas; /* "KERNEL FUNCTION COUNT: NAME... ", of kernels and in these */
  bool has_function;            /* HOST_ID_FUNCTION is declared, in these namespaces */
  scopes function;
  bool has_register;    /* HOST_REGISTER_FUNCTION is declared */
  const char *warnings; /* as host_text has them */
} variables;

/* Returns whether the header and the footer register the variables. */
bool variables_are_registered(const variables *found);

/*
 * Finds the variables: those that the text declares, and members of class templates in what the
 * text and the functions that it makes of templates refer to. variables_release frees what was
 * found, after a failure too. UNSUPPORTED, OUT_OF_MEMORY, INTERNAL.
 */
host_result variables_find(unit *unit, variables *ret);
void variables_release(variables *found);

#endif
