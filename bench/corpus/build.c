/*
 * Compiles modules to PTX one after another. As in a plugin, the code generator's processes are
 * reused. Each line of stdin has two paths, "MODULE<tab>PTX", input and output. For each, a line on
 * stdout says "ok", or why there is no PTX.
 */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "../../plugins/base/error.h"
#include "../../plugins/base/read.h"
#include "../../plugins/code/codegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_MS = 120000 };

static bool write_file(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  const bool whole = fwrite(bytes, 1, size, file) == size;
  return fclose(file) == 0 && whole;
}

/* Builds one module. Returns the line to print: "ok" or the reason of the failure. */
static const char *build_file(codegen *generators, const char *gpu, const char *from,
                              const char *to) {
  const char *message = "ok";
  codegen_request request = {.gpu = gpu, .optimization = 3, .no_offset = true};
  char *module = read_file(from, &request.size);
  if (!module)
    return "the file cannot be read";
  request.module = module;
  codegen_answer answer;
  if (codegen_build(generators, &request, &answer) == PI_SUCCESS) {
    if (!write_file(to, answer.ptx, answer.size))
      message = "the PTX cannot be written";
    free(answer.ptx);
    free(answer.log);
  } else {
    plugin_error_last(&message);
  }
  free(module);
  return message;
}

int main(int argc, char **argv) {
  codegen *generators;
  char *line = NULL;
  size_t room = 0;
  if (argc != 3 || codegen_create(argv[1], LIMIT_MS, &generators) != PI_SUCCESS) {
    fprintf(stderr, "usage: bench-corpus-build CODEGEN GPU\n");
    return 2;
  }
  for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
    char *tab = strchr(line, '\t');
    if (!tab)
      break;
    line[length - 1] = '\0';
    *tab = '\0';
    puts(build_file(generators, argv[2], line, tab + 1));
    fflush(stdout);
  }
  free(line);
  codegen_free(generators);
  return 0;
}
