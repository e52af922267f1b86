/* Which variables get ids, and of which kind. */
#ifndef COMPILER_HOST_KINDS_H
#define COMPILER_HOST_KINDS_H

#include "unit.h"

/*
 * X(template): class templates, members of namespace sycl, whose variables get ids of a kind of the
 * same name although nothing marks them: those of runtimes whose headers are not ours.
 */
#define HOST_UNMARKED_KINDS(X)                                                                     \
  X("specialization_id")                                                                           \
  X("device_global")

/* The kind for which the footer has specialisations of HOST_ID_FUNCTION. */
#define HOST_CONSTANT_KIND "specialization_id"

/*
 * *ret becomes the kind of variables of the type: what the mark of its class or class template
 * says, the annotation "sycl-uid-kind=KIND" (sycl/detail/identifiable.hpp has the macro), or NULL
 * when they get no ids. UNSUPPORTED: the mark has no kind. OUT_OF_MEMORY.
 */
host_result kinds_find(unit *unit, CXType type, const char **ret);

#endif
