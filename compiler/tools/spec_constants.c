/* specpi-spec-constants: runs the pass on one module, for tests and for looking at it. */
#include <specpi/compiler.h>

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: specpi-spec-constants [--mode=MODE] [--target=TARGET] [--emit=FORM|ptx]\n"
    "         [-O LEVEL] [--gpu-arch=GPU] [--library=BITCODE]... [--no-offset]\n"
    "         [-o OUT] FILE\n"
    "Lowers the specialization constants of an LLVM module. The second line is for ptx.\n";

/* That many libraries can be given. */
#define LIBRARIES_MAX 16

typedef struct arguments {
  specpi_compiler_options options;
  specpi_compiler_form form;
  bool ptx; /* in place of a form */
  specpi_compiler_code_options code;
  const char *libraries[LIBRARIES_MAX];
  const char *out; /* NULL: standard output */
  const char *file;
} arguments;

static int parse_mode(const char *name, specpi_compiler_mode *ret) {
  for (int i = 0; i < SPECPI_COMPILER_MODE_COUNT; i++)
    if (strcmp(specpiCompilerModeGetName((specpi_compiler_mode)i), name) == 0) {
      *ret = (specpi_compiler_mode)i;
      return 0;
    }
  fprintf(stderr, "specpi-spec-constants: there is no mode '%s'\n", name);
  return 2;
}

static int parse_form(const char *name, arguments *ret) {
  ret->ptx = strcmp(name, "ptx") == 0;
  if (ret->ptx)
    return 0;
  for (int i = 0; i < SPECPI_COMPILER_FORM_COUNT; i++)
    if (strcmp(specpiCompilerFormGetName((specpi_compiler_form)i), name) == 0) {
      ret->form = (specpi_compiler_form)i;
      return 0;
    }
  fprintf(stderr, "specpi-spec-constants: there is no form '%s'\n", name);
  return 2;
}

static int parse_level(const char *text, unsigned *ret) {
  if (text[0] >= '0' && text[0] <= '9' && text[1] == '\0') {
    *ret = (unsigned)(text[0] - '0');
    return 0;
  }
  fprintf(stderr, "specpi-spec-constants: there is no optimisation level '%s'\n", text);
  return 2;
}

static int add_library(const char *path, arguments *ret) {
  if (ret->code.library_count == LIBRARIES_MAX) {
    fprintf(stderr, "specpi-spec-constants: there are more than %d libraries\n", LIBRARIES_MAX);
    return 2;
  }
  ret->libraries[ret->code.library_count++] = path;
  ret->code.libraries = ret->libraries;
  return 0;
}

static int parse(int count, char **values, arguments *ret) {
  static const struct option options[] = {{"mode", required_argument, NULL, 'm'},
                                          {"target", required_argument, NULL, 't'},
                                          {"emit", required_argument, NULL, 'e'},
                                          {"gpu-arch", required_argument, NULL, 'g'},
                                          {"library", required_argument, NULL, 'l'},
                                          {"no-offset", no_argument, NULL, 'n'},
                                          {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(count, values, "o:O:", options, NULL)) != -1) {
    int status = 0;
    switch (option) {
    case 'm':
      status = parse_mode(optarg, &ret->options.mode);
      break;
    case 't':
      ret->options.target = optarg;
      break;
    case 'e':
      status = parse_form(optarg, ret);
      break;
    case 'g':
      ret->code.gpu = optarg;
      break;
    case 'l':
      status = add_library(optarg, ret);
      break;
    case 'n':
      ret->code.no_offset = true;
      break;
    case 'O':
      status = parse_level(optarg, &ret->code.optimization);
      break;
    case 'o':
      ret->out = optarg;
      break;
    default:
      fputs(usage, stderr);
      return 2;
    }
    if (status != 0)
      return status;
  }
  if (optind != count - 1) {
    fputs(usage, stderr);
    return 2;
  }
  ret->file = values[optind];
  return 0;
}

static int write_out(const char *path, const void *data, size_t size) {
  FILE *file = path != NULL ? fopen(path, "wb") : stdout;
  if (file == NULL || fwrite(data, 1, size, file) != size || (path != NULL && fclose(file) != 0) ||
      (path == NULL && fflush(file) != 0)) {
    perror(path != NULL ? path : "standard output");
    return 1;
  }
  return 0;
}

static specpi_compiler_result run(const arguments *it, specpi_compiler *compiler,
                                  specpi_compiler_module *module, specpi_compiler_output *output,
                                  const void **data, size_t *size) {
  specpi_compiler_result result = specpiCompilerCreate(compiler);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = specpiCompilerModuleReadFile(*compiler, it->file, module);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = specpiCompilerLower(*module, &it->options, output);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = it->ptx ? specpiCompilerOutputGenerate(*output, &it->code, data, size)
                     : specpiCompilerOutputGetData(*output, it->form, data, size);
  return result;
}

int main(int count, char **values) {
  arguments it = {.code = {.optimization = 2}};
  int status = parse(count, values, &it);
  if (status != 0)
    return status;
  specpi_compiler compiler = NULL;
  specpi_compiler_module module = NULL;
  specpi_compiler_output output = NULL;
  const void *data;
  size_t size;
  const specpi_compiler_result result = run(&it, &compiler, &module, &output, &data, &size);
  for (size_t i = 0; i < specpiCompilerOutputGetWarningCount(output); i++)
    fprintf(stderr, "warning: %s\n", specpiCompilerOutputGetWarning(output, i));
  if (result != SPECPI_COMPILER_SUCCESS) {
    fprintf(stderr, "error: %s (%s)\n", specpiCompilerGetLastError(),
            specpiCompilerResultGetName(result));
    status = 1;
  } else {
    status = write_out(it.out, data, size);
  }
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(module);
  specpiCompilerRelease(compiler);
  return status;
}
