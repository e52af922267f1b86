/* specpi-wrap wraps files as device images, for tests and for inspection. */
#include "../../plugins/base/read.h"

#include <specpi/compiler.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: specpi-wrap -o OUT [--register] [--symbol=NAME] IMAGE...\n"
    "Makes an object file with device images. Each IMAGE is FILE and what follows it:\n"
    "  [--target=TARGET] [--format=NUMBER] [--properties=FILE.prop] [--kernel=NAME]...\n"
    "  [--compile-options=TEXT] [--link-options=TEXT]\n";

enum { IMAGES_MAX = 1024, KERNELS_MAX = 8192 };

typedef struct arguments {
  const char *out;
  specpi_compiler_wrap_options options;
  specpi_compiler_image images[IMAGES_MAX];
  size_t count;
  const char *kernels[KERNELS_MAX]; /* kernels of all images, one image after the other */
  size_t kernel_count;
} arguments;

static int fail_file(const char *path) {
  perror(path);
  return 1;
}

static int fail_call(void) {
  fprintf(stderr, "error: %s\n", specpiCompilerGetLastError());
  return 1;
}

static int add_image(arguments *arguments, const char *path) {
  size_t size;
  char *bytes = arguments->count == IMAGES_MAX ? NULL : read_file(path, &size);
  if (bytes == NULL)
    return fail_file(path);
  arguments->images[arguments->count++] =
      (specpi_compiler_image){.target = "spir64",
                              .data = bytes,
                              .size = size,
                              .kernels = arguments->kernels + arguments->kernel_count};
  return 0;
}

static int add_properties(specpi_compiler_image *image, const char *path) {
  size_t size;
  char *text = read_file(path, &size);
  if (text == NULL)
    return fail_file(path);
  const bool is_read = specpiCompilerPropertiesRead(SPECPI_COMPILER_PROPERTY_FORM_TEXT, text, size,
                                                    &image->properties) == SPECPI_COMPILER_SUCCESS;
  free(text);
  return is_read ? 0 : fail_call();
}

/* Applies an option to the image before it. */
static int set_argument(arguments *arguments, int option, const char *value) {
  if (arguments->count == 0) {
    fputs(usage, stderr);
    return 2;
  }
  specpi_compiler_image *image = &arguments->images[arguments->count - 1];
  switch (option) {
  case 't':
    image->target = value;
    return 0;
  case 'f':
    image->format = (specpi_compiler_image_format)strtol(value, NULL, 10);
    return 0;
  case 'p':
    return add_properties(image, value);
  case 'k':
    if (arguments->kernel_count == KERNELS_MAX)
      return 2;
    arguments->kernels[arguments->kernel_count++] = value;
    image->kernel_count++;
    return 0;
  case 'c':
    image->compile_options = value;
    return 0;
  case 'l':
    image->link_options = value;
    return 0;
  default:
    fputs(usage, stderr);
    return 2;
  }
}

static int parse_arguments(int count, char **values, arguments *arguments) {
  static const struct option options[] = {{"register", no_argument, NULL, 'r'},
                                          {"symbol", required_argument, NULL, 's'},
                                          {"target", required_argument, NULL, 't'},
                                          {"format", required_argument, NULL, 'f'},
                                          {"properties", required_argument, NULL, 'p'},
                                          {"kernel", required_argument, NULL, 'k'},
                                          {"compile-options", required_argument, NULL, 'c'},
                                          {"link-options", required_argument, NULL, 'l'},
                                          {NULL, 0, NULL, 0}};
  int option;
  /* With "-", getopt_long returns other arguments in order, as option 1. */
  while ((option = getopt_long(count, values, "-o:", options, NULL)) != -1) {
    int status = 0;
    if (option == 1)
      status = add_image(arguments, optarg);
    else if (option == 'o')
      arguments->out = optarg;
    else if (option == 'r')
      arguments->options.registers = true;
    else if (option == 's')
      arguments->options.symbol = optarg;
    else
      status = set_argument(arguments, option, optarg);
    if (status != 0)
      return status;
  }
  if (arguments->out == NULL) {
    fputs(usage, stderr);
    return 2;
  }
  return 0;
}

static int wrap_files(const arguments *arguments) {
  specpi_compiler compiler = NULL;
  void *bytes = NULL;
  size_t size;
  int status = 0;
  if (specpiCompilerCreate(&compiler) != SPECPI_COMPILER_SUCCESS ||
      specpiCompilerWrap(compiler, arguments->count, arguments->images, &arguments->options, &bytes,
                         &size) != SPECPI_COMPILER_SUCCESS) {
    status = fail_call();
  } else {
    FILE *out = fopen(arguments->out, "wb");
    if (out == NULL || fwrite(bytes, 1, size, out) != size)
      status = 1;
    if (out != NULL && fclose(out) != 0)
      status = 1;
    if (status != 0)
      perror(arguments->out);
  }
  free(bytes);
  specpiCompilerRelease(compiler);
  return status;
}

int main(int count, char **values) {
  static arguments arguments;
  int status = parse_arguments(count, values, &arguments);
  if (status == 0)
    status = wrap_files(&arguments);
  for (size_t i = 0; i < arguments.count; i++) {
    free((void *)arguments.images[i].data);
    specpiCompilerPropertiesRelease(arguments.images[i].properties);
  }
  return status;
}
