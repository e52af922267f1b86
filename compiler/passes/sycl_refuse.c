/* Error messages about code that kernels reach: kernel, function, reason, and source position. */
#define _GNU_SOURCE /* vasprintf */
#include "sycl_unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records the error message for a place; root is the kernel, or NULL. Returns false when memory is
 * exhausted. */
static bool record_error(const sycl_place *at, const sycl_kernel *root, specpi_compiler_result code,
                         const char *why, const char *end) {
  char *kernel = root != NULL ? sycl_readable_kernel(root->name) : strdup("");
  char *function = sycl_readable_name(at->function);
  char *where = sycl_readable_place(at->unit, root != NULL ? root->function : NULL, at->function,
                                    at->instruction);
  const bool done = kernel != NULL && function != NULL && where != NULL;
  if (done)
    compiler_error(code, "%s%s%sfunction '%s'%s%s%s", root != NULL ? "kernel '" : "", kernel,
                   root != NULL ? "': " : "", function, why, where, end);
  free(where);
  free(function);
  free(kernel);
  return done;
}

specpi_compiler_result sycl_refuse(const sycl_place *at, specpi_compiler_result code,
                                   const char *end, const char *format, ...) {
  const sycl_kernel *root;
  COMPILER_TRY(sycl_find_kernel(at->unit, at->function, &root));
  char *why = NULL;
  va_list arguments;
  va_start(arguments, format);
  const int size = vasprintf(&why, format, arguments);
  va_end(arguments);
  if (size < 0)
    return compiler_error_memory();
  const bool done = record_error(at, root, code, why, end);
  free(why);
  return done ? code : compiler_error_memory();
}
