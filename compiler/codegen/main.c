/* specpi-codegen translates SPIR-V to PTX, as a server for plugins or as a command for people. */
#include "../../plugins/base/digits.h"
#include "../../plugins/base/error.h"
#include "../../plugins/base/nearest.h"
#include "../../plugins/base/read.h"
#include "../../plugins/code/codegen.h"
#include "../../plugins/code/spirv_part.h"
#include "about.h"
#include "serve.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_MAX 1024

static const char usage[] =
    "usage: specpi-codegen [--gpu=GPU] [--set=ID=HEX]... [--kernel=NAME] [-O LEVEL]\n"
    "         [--no-offset] [--libdevice=FILE] [--time-limit=SECONDS] [-o OUT] FILE\n"
    "Makes PTX of a SPIR-V module, or of LLVM bitcode for spir64: for sm_80 unless another GPU is\n"
    "given, at level 2 unless 0 to 3 is; of all kernels, or of the one of SPIR-V that --kernel\n"
    "names. --set gives the specialization constant ID a value, its\n"
    "bytes in the order of memory, e.g. --set=7=2a000000. libdevice is that of a CUDA\n"
    "toolkit, unless another one is given, or none with --libdevice=. Without -o the text goes to\n"
    "stdout. specpi-codegen --version says what it is made of and whether there is a libdevice.\n";

typedef struct arguments {
  codegen_request request;
  codegen_value values[VALUES_MAX];
  unsigned char bytes[VALUES_MAX][8];
  pi_uint32 limit_ms;
  const char *kernel; /* NULL: all */
  const char *out;
  const char *file;
} arguments;

static int complain(const char *what, const char *given) {
  fprintf(stderr, "specpi-codegen: %s: '%s'\n", what, given);
  return 2;
}

#define WRONG_SET "--set wants ID=HEX, of 1 to 8 bytes"

static int add_value(const char *text, arguments *to) {
  const size_t at = to->request.value_count;
  const char *hex = text;
  uint64_t id;
  if (at == VALUES_MAX || !digits_read(&hex, NULL, UINT32_MAX, &id) || *hex != '=')
    return complain(WRONG_SET, text);
  const size_t digits = strlen(++hex);
  if (digits == 0 || digits > 16 || digits % 2 != 0 ||
      !digits_read_hex(hex, digits / 2, to->bytes[at]))
    return complain(WRONG_SET, text);
  to->values[at] = (codegen_value){(pi_uint32)id, (pi_uint32)(digits / 2), to->bytes[at]};
  to->request.value_count++;
  return 0;
}

static int take_option(int option, const char *text, arguments *to) {
  uint64_t number;
  switch (option) {
  case 'g':
    to->request.gpu = text;
    return 0;
  case 's':
    return add_value(text, to);
  case 'O':
    if (!digits_are(text, 3, &number))
      return complain("-O wants 0 to 3", text);
    to->request.optimization = (pi_uint32)number;
    return 0;
  case 't':
    if (!digits_are(text, 86400, &number))
      return complain("--time-limit wants seconds", text);
    to->limit_ms = (pi_uint32)number * 1000;
    return 0;
  case 'n':
    to->request.no_offset = true;
    return 0;
  case 'l':
    to->request.libdevice = text;
    return 0;
  case 'k':
    to->kernel = text;
    return 0;
  case 'o':
    to->out = text;
    return 0;
  default:
    return 2;
  }
}

static int parse_arguments(int count, char **values, arguments *ret) {
  static const struct option options[] = {{"gpu", required_argument, NULL, 'g'},
                                          {"set", required_argument, NULL, 's'},
                                          {"time-limit", required_argument, NULL, 't'},
                                          {"no-offset", no_argument, NULL, 'n'},
                                          {"libdevice", required_argument, NULL, 'l'},
                                          {"kernel", required_argument, NULL, 'k'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(count, values, "ho:O:V", options, NULL)) != -1) {
    if (option == 'h') {
      fputs(usage, stdout);
      exit(0);
    }
    if (option == 'V')
      exit(about_print());
    if (option == '?')
      nearest_option("specpi-codegen", values[optind - 1], options);
    const int status = take_option(option, optarg, ret);
    if (status != 0)
      return status;
  }
  if (optind != count - 1) {
    fprintf(stderr, "specpi-codegen: one FILE is wanted, %d are given; --help lists the options\n",
            count - optind);
    return 2;
  }
  ret->file = values[optind];
  return 0;
}

static int write_file(const char *path, const codegen_answer *answer) {
  FILE *file = path ? fopen(path, "wb") : stdout;
  if (!file || fwrite(answer->ptx, 1, answer->size, file) != answer->size || fflush(file) != 0)
    return complain(strerror(errno), path ? path : "stdout");
  if (path && fclose(file) != 0)
    return complain(strerror(errno), path);
  return 0;
}

static int tell_failure(const arguments *given) {
  const char *message;
  plugin_error_last(&message);
  fprintf(stderr, "specpi-codegen: %s: %s\n", given->file, message);
  return 1;
}

/* Builds in a separate process, as plugins do, so that a crash becomes an error message. */
static int build_file(const arguments *given) {
  codegen generators;
  codegen_answer answer;
  char *program = serve_own_path();
  if (!program)
    return complain(strerror(errno), "specpi-codegen");
  codegen_open(&generators, program, given->limit_ms);
  const pi_result result = codegen_build(&generators, &given->request, &answer);
  codegen_close(&generators);
  free(program);
  if (result != PI_SUCCESS)
    return tell_failure(given);
  fputs(answer.log, stderr);
  const int status = write_file(given->out, &answer);
  free(answer.ptx);
  free(answer.log);
  return status;
}

int main(int argc, char **argv) {
  static arguments given = {.request = {.gpu = "sm_80", .optimization = 2}, .limit_ms = 60000};
  if (argc == 2 && strcmp(argv[1], "--serve") == 0)
    return serve_process();
  given.request.values = given.values;
  const int status = parse_arguments(argc, argv, &given);
  if (status != 0)
    return status;
  char *module = read_file(given.file, &given.request.size);
  if (!module)
    return complain(strerror(errno), given.file);
  given.request.module = module;
  void *part = NULL;
  const bool is_found = !given.kernel || spirv_part(module, given.request.size, given.kernel, &part,
                                                    &given.request.size) == PI_SUCCESS;
  if (part)
    given.request.module = part;
  const int built = is_found ? build_file(&given) : tell_failure(&given);
  free(part);
  free(module);
  return built;
}
