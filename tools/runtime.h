/* Finds the libsycl that a command will use. */
#ifndef SPECPI_RUNTIME_H
#define SPECPI_RUNTIME_H

#include <stdbool.h>

/* The interface of a libsycl: PI plugins of version PI_VERSION_STRING, or adapters of UR. */
typedef enum runtime_kind { RUNTIME_PI, RUNTIME_UR } runtime_kind;

/* A SYCL runtime. The caller frees the strings. */
typedef struct runtime {
  char *directory; /* absolute */
  char *name;      /* file name, by which programs are linked to it, like libsycl.so.7 */
  runtime_kind kind;
} runtime;

/*
 * Finds the runtime for a command, given by its absolute path. If directory is not NULL it searches
 * that alone. Else it takes the first runtime from these places: the libsycl that the dynamic
 * linker finds for the command (or for a script's interpreter); LD_LIBRARY_PATH; the directories of
 * the command and its interpreter, and ../lib from there; the lib directories of VIRTUAL_ENV,
 * CONDA_PREFIX and CMPLR_ROOT; ldconfig's cache. If the command is linked to a libsycl, it takes
 * only one with that file name.
 *
 * Returns false after an error that lists the searched places.
 */
bool runtime_find(const char *directory, const char *command, runtime *ret);

/*
 * Calls visit with the runtimes that programs may find: the best one of each directory in
 * LD_LIBRARY_PATH, of VIRTUAL_ENV, CONDA_PREFIX and CMPLR_ROOT, of specpi's own prefix, and of
 * ldconfig's cache. It visits each directory once.
 */
void runtime_list(void (*visit)(void *context, const runtime *runtime), void *context);

/* Returns whether a file of this name is a libsycl: libsycl.so.N or libsycl-preview.so.N. */
bool runtime_is_libsycl(const char *name);

#endif
