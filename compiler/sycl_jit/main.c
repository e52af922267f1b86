/*
 * specpi-sycl-jit compiles the device code of a SYCL source with the library of libsycl's wheel.
 * specpi-cc starts it as a separate process, because that third-party library contains LLVM.
 */
#define _POSIX_C_SOURCE 200809L
#include "../../plugins/base/read.h"
#include "../error.h"
#include "captures.h"
#include "images.h"
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char usage[] =
    "usage: specpi-sycl-jit LIBRARY FILE OUT CAPTURES [OPTION...]\n"
    "Compiles the SYCL source FILE for devices with LIBRARY, a libsycl-jit.so, and OPTIONs of\n"
    "clang. Makes OUT.table and the files that it lists: SPIR-V, property sets, kernels' names.\n"
    "CAPTURES is a header of what lambdas capture, for a host's compiler that is not clang; none "
    "is\n"
    "made where it is empty.\n";

/* Limits of time and memory that no source needs; they stop a compiler that does not end. */
enum { SECONDS_MAX = 3600 };
#define MEMORY_MAX ((rlim_t)32 << 30)

static void limit(int what, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(what, &limit) != 0 || (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= value))
    return;
  limit.rlim_cur = value;
  setrlimit(what, &limit);
}

static int complain(const char *file) {
  fprintf(stderr, "specpi-cc: %s: %s\n", file, specpiCompilerGetLastError());
  return 1;
}

/* Compiles a source, and prints the compiler's messages. Returns nonzero on errors. */
static int compile_source(const char *library, const jit_source *source, jit_result *ret) {
  if (jit_compile(library, source, ret) != SPECPI_COMPILER_SUCCESS)
    return complain(source->path);
  if (ret->log != NULL && *ret->log)
    fprintf(stderr, "%s%s", ret->log, ret->log[strlen(ret->log) - 1] == '\n' ? "" : "\n");
  return ret->error != 0;
}

/* Compiles a source with a kind of debug information, which does not change optimisation. */
static int compile_source_with(const char *library, jit_source source, const char *kind,
                               jit_result *ret) {
  const char **options = calloc(source.option_count + 2, sizeof *options);
  if (options == NULL)
    return complain(source.path);
  memcpy(options, source.options, source.option_count * sizeof *options);
  options[source.option_count++] = "-Xclang";
  options[source.option_count++] = kind;
  source.options = options;
  return compile_source(library, &source, ret);
}

/* Compiles again with line numbers, which images normally lack, so that the error message has them.
 */
static int repeat_with_lines(const char *library, const jit_source *source, const char *out) {
  jit_result made;
  if (compile_source_with(library, *source, "-debug-info-kind=line-tables-only", &made) == 0)
    jit_images_write(&made, "", out);
  return complain(source->path);
}

/* Returns the value of an option that begins with a text; "" if it is not given. */
static const char *value_of(const jit_source *source, const char *option) {
  for (size_t i = 0; i < source->option_count; i++)
    if (strncmp(source->options[i], option, strlen(option)) == 0)
      return source->options[i] + strlen(option);
  return "";
}

/* Returns the suffix of names.h, "_" and the unit's id; the caller frees it. Exits without memory.
 */
static char *make_suffix(const jit_source *source) {
  const char *id = value_of(source, "-fsycl-unique-prefix=");
  char *suffix = malloc(strlen(id) + 2);
  if (suffix == NULL)
    exit(1);
  sprintf(suffix, "%s%s", *id ? "_" : "", id);
  for (char *at = suffix; *at; at++)
    if (strchr("-.", *at) != NULL)
      *at = '_';
  return suffix;
}

/*
 * Completes the integration header, which the compiler has written. *has_tables receives whether it
 * has tables of kernels; that of a source without kernels has none.
 */
static specpi_compiler_result mend_header(const jit_source *source, const char *suffix,
                                          bool *has_tables) {
  const char *path = value_of(source, "-fsycl-int-header=");
  char *text = *path ? read_file(path, NULL) : NULL;
  *has_tables = text != NULL && strstr(text, "kernel_names[]") != NULL;
  const specpi_compiler_result result =
      *has_tables ? jit_names_write_header(text, suffix, path) : SPECPI_COMPILER_SUCCESS;
  free(text);
  return result;
}

/* Writes all files but the footer, which needs nothing. Returns nonzero on errors. */
static int write_files(const char *library, const jit_source *source, const jit_result *made,
                       const char *out, const char *captures) {
  char *suffix = make_suffix(source);
  bool has_tables;
  int status = 0;
  if (mend_header(source, suffix, &has_tables) != SPECPI_COMPILER_SUCCESS ||
      (*captures &&
       jit_captures_write(made, has_tables, suffix, captures) != SPECPI_COMPILER_SUCCESS))
    status = complain(source->path);
  else if (jit_images_write(made, suffix, out) != SPECPI_COMPILER_SUCCESS)
    status = repeat_with_lines(library, source, out);
  free(suffix);
  return status;
}

int main(int argc, char **argv) {
  enum { FIRST_OPTION = 5 };
  if (argc < FIRST_OPTION) {
    fputs(usage, argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
    return 2;
  }
  limit(RLIMIT_CPU, SECONDS_MAX);
  limit(RLIMIT_AS, MEMORY_MAX);
  const jit_source source = {
      .path = argv[2],
      .text = read_file(argv[2], NULL),
      .options = (const char *const *)argv + FIRST_OPTION,
      .option_count = (size_t)(argc - FIRST_OPTION),
  };
  if (source.text == NULL) {
    fprintf(stderr, "specpi-cc: %s: %s\n", argv[2], strerror(errno));
    return 1;
  }
  const char *captures = argv[4];
  jit_result made;
  int status = *captures ? compile_source_with(argv[1], source, "-debug-info-kind=limited", &made)
                         : compile_source(argv[1], &source, &made);
  if (status == 0)
    status = write_files(argv[1], &source, &made, argv[3], captures);
  fflush(NULL);
  _exit(status); /* skips the library's destructors, which take long */
}
