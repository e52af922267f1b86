/* Which libsycl a command will use, and where it lies. */
#ifndef SPECPI_RUNTIME_H
#define SPECPI_RUNTIME_H

#include <stdbool.h>

/* The interface of a libsycl: plugins of our version of PI, or adapters of Unified Runtime. */
typedef enum runtime_kind { RUNTIME_PI, RUNTIME_UR } runtime_kind;

/* A SYCL runtime. Texts are the caller's. */
typedef struct runtime {
  char *directory; /* as found; absolute */
  char *name;      /* the file's name there, by which programs ask for it: libsycl.so.7 */
  runtime_kind kind;
} runtime;

/*
 * Finds the runtime for a command, an absolute path. In order: directory, if it is not NULL,
 * and nothing else then; what the dynamic linker resolves for the command (for a script,
 * for its interpreter); LD_LIBRARY_PATH; beside the command and its interpreter, and in
 * ../lib from there; the lib directories of VIRTUAL_ENV, CONDA_PREFIX and CMPLR_ROOT; what
 * ldconfig knows. Where the linker says which libsycl the command wants, only that one counts.
 *
 * False after an error that says what was searched.
 */
bool runtime_find(const char *directory, const char *command, runtime *ret);

/*
 * Calls visit with the runtimes that programs may find, the best of each directory: those of
 * LD_LIBRARY_PATH, of VIRTUAL_ENV, CONDA_PREFIX and CMPLR_ROOT, of the prefix in which specpi lies,
 * and ldconfig's. Each directory once.
 */
void runtime_list(void (*visit)(void *context, const runtime *runtime), void *context);

/* Returns whether a file of this name is a libsycl: libsycl.so.N or libsycl-preview.so.N. */
bool runtime_is_libsycl(const char *name);

#endif
