/* specpi-spec-constants runs the pass on one module, for tests and for inspection. */
#include <specpi/compiler.h>

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: specpi-spec-constants [--mode=MODE] [--target=TARGET] [--emit=FORM|ptx|kernels]\n"
    "         [-O LEVEL] [--gpu-arch=GPU] [--library=BITCODE]... [--no-offset]\n"
    "         [--unit-id=ID] [-o OUT] FILE\n"
    "Lowers the specialization constants of an LLVM module. The second line is for ptx. With a\n"
    "unit's id the module is that of a C++ unit, whose kernels are made first; --emit=kernels is\n"
    "LLVM assembly of these, with their constants as they are.\n";

/* Limit of the number of libraries. */
#define LIBRARIES_MAX 16

typedef struct arguments {
  specpi_compiler_options options;
  specpi_compiler_form form;
  bool ptx;     /* write PTX instead of a form */
  bool kernels; /* write the kernels instead of a form */
  specpi_compiler_unit_options unit;
  specpi_compiler_code_options code;
  const char *libraries[LIBRARIES_MAX];
  const char *out; /* path, or NULL for standard output */
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
  ret->kernels = strcmp(name, "kernels") == 0;
  if (ret->ptx || ret->kernels)
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

static int parse_arguments(int count, char **values, arguments *ret) {
  static const struct option options[] = {
      {"mode", required_argument, NULL, 'm'},    {"target", required_argument, NULL, 't'},
      {"emit", required_argument, NULL, 'e'},    {"gpu-arch", required_argument, NULL, 'g'},
      {"library", required_argument, NULL, 'l'}, {"no-offset", no_argument, NULL, 'n'},
      {"unit-id", required_argument, NULL, 'u'}, {NULL, 0, NULL, 0}};
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
    case 'u':
      ret->unit.unit_id = optarg;
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
  if (optind != count - 1 || (ret->kernels && ret->unit.unit_id == NULL)) {
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

/* The objects that are made from the file, in this order. */
typedef struct made {
  specpi_compiler compiler;
  specpi_compiler_module unit; /* NULL if the file is not a C++ unit */
  specpi_compiler_module module;
  specpi_compiler_output output;
  void *text; /* text about the kernels */
} made;

static specpi_compiler_result read_module(const arguments *arguments, made *ret) {
  specpi_compiler_result result = specpiCompilerCreate(&ret->compiler);
  if (result != SPECPI_COMPILER_SUCCESS)
    return result;
  if (arguments->unit.unit_id == NULL)
    return specpiCompilerModuleReadFile(ret->compiler, arguments->file, &ret->module);
  result = specpiCompilerModuleReadFile(ret->compiler, arguments->file, &ret->unit);
  return result != SPECPI_COMPILER_SUCCESS
             ? result
             : specpiCompilerModuleMakeKernels(ret->unit, &arguments->unit, &ret->module);
}

static specpi_compiler_result run_mode(const arguments *arguments, made *ret, const void **data,
                                       size_t *size) {
  specpi_compiler_result result = read_module(arguments, ret);
  if (result != SPECPI_COMPILER_SUCCESS)
    return result;
  if (arguments->kernels) {
    result = specpiCompilerModuleWrite(ret->module, SPECPI_COMPILER_FORM_LL, &ret->text, size);
    *data = ret->text;
    return result;
  }
  result = specpiCompilerLower(ret->module, &arguments->options, &ret->output);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = arguments->ptx
                 ? specpiCompilerOutputGenerate(ret->output, &arguments->code, data, size)
                 : specpiCompilerOutputGetData(ret->output, arguments->form, data, size);
  return result;
}

int main(int count, char **values) {
  arguments arguments = {.code = {.optimization = 2}};
  int status = parse_arguments(count, values, &arguments);
  if (status != 0)
    return status;
  made all = {0};
  const void *data;
  size_t size;
  const specpi_compiler_result result = run_mode(&arguments, &all, &data, &size);
  for (size_t i = 0; i < specpiCompilerOutputGetWarningCount(all.output); i++)
    fprintf(stderr, "warning: %s\n", specpiCompilerOutputGetWarning(all.output, i));
  if (result != SPECPI_COMPILER_SUCCESS) {
    fprintf(stderr, "error: %s (%s)\n", specpiCompilerGetLastError(),
            specpiCompilerResultGetName(result));
    status = 1;
  } else {
    status = write_out(arguments.out, data, size);
  }
  free(all.text);
  specpiCompilerOutputRelease(all.output);
  specpiCompilerModuleRelease(all.module);
  specpiCompilerModuleRelease(all.unit);
  specpiCompilerRelease(all.compiler);
  return status;
}
