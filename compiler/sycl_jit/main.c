/*
 * specpi-sycl-jit compiles the device code of a SYCL source with the library of libsycl's wheel.
 * specpi-cc starts it as a separate process, because that third-party library contains LLVM.
 */
#define _POSIX_C_SOURCE 200809L
#include "../error.h"
#include "captures.h"
#include "images.h"

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

/* Reads a file's text, and adds a NUL. The caller may free it. Returns NULL with errno on failure.
 */
static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t size = 0;
  if (file == NULL)
    return NULL;
  const ssize_t length = getdelim(&text, &size, '\0', file);
  const bool whole = !ferror(file);
  fclose(file);
  if (length < 0 && whole)
    return strdup(""); /* the file is empty */
  return whole ? text : NULL;
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
    jit_images_write(&made, out);
  return complain(source->path);
}

/* Returns whether the integration header, which the compiler has written, has tables of kernels. A
 * source without kernels has none. */
static bool has_tables(const jit_source *source) {
  static const char option[] = "-fsycl-int-header=";
  bool found = false;
  for (size_t i = 0; i < source->option_count; i++)
    if (strncmp(source->options[i], option, sizeof option - 1) == 0) {
      char *text = read_text(source->options[i] + sizeof option - 1);
      found = text != NULL && strstr(text, "kernel_names[]") != NULL;
      free(text);
    }
  return found;
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
      .text = read_text(argv[2]),
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
  if (status == 0 && *captures &&
      jit_captures_write(&made, has_tables(&source), captures) != SPECPI_COMPILER_SUCCESS)
    status = complain(source.path);
  if (status == 0 && jit_images_write(&made, argv[3]) != SPECPI_COMPILER_SUCCESS)
    status = repeat_with_lines(argv[1], &source, argv[3]);
  fflush(NULL);
  _exit(status); /* skips the library's destructors, which take long */
}
