/* The namespaces and classes that a declaration is in. */
#ifndef COMPILER_HOST_SCOPES_H
#define COMPILER_HOST_SCOPES_H

#include "variables.h"

/* The kind of scope between the declaration and its namespaces. */
typedef enum surrounding {
  SURROUNDING_NAMESPACE,
  SURROUNDING_CLASS,
  SURROUNDING_TEMPLATE, /* a template, whose parameters are open */
  SURROUNDING_FUNCTION,
} surrounding;

surrounding scopes_surrounding(CXCursor declaration);

/* Returns whether a declaration has that name, without its namespaces. */
bool scopes_is_named(CXCursor declaration, const char *name);

/* Appends the namespaces, outermost first. OUT_OF_MEMORY. */
host_result scopes_read(unit *unit, CXCursor declaration, scopes *ret);

/* The last part of a qualified name, whose template arguments may be qualified, too. */
const char *scopes_last_part(const char *name);

/*
 * The classes, outermost first, with "::" between them and the arguments of those that are made of
 * templates; NULL when there is none. *is_private is set when one of them is not public.
 */
const char *scopes_classes(unit *unit, CXCursor declaration, bool *is_private);

/*
 * Returns whether the namespaces, but for inline ones, are sycl or cl::sycl, and then these, NULL
 * at the end.
 */
bool scopes_in_sycl(const scopes *all, const char *then);

/* Returns whether the first of them is sycl, or they begin with cl::sycl. */
bool scopes_begin_in_sycl(const scopes *all);

#endif
