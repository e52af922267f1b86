/* specpi-wrap wraps files as device images, for tests and for inspection. */
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

typedef struct file {
  void *bytes;
  size_t size;
} file;

typedef struct arguments {
  const char *out;
  specpi_compiler_wrap_options options;
  specpi_compiler_image images[IMAGES_MAX];
  size_t count;
  const char *kernels[KERNELS_MAX]; /* kernels of all images, one image after the other */
  size_t kernel_count;
} arguments;

/* Reads a whole file; the caller frees its bytes. */
static int read_file(const char *path, file *ret) {
  FILE *from = fopen(path, "rb");
  long size = -1;
  if (from != NULL && fseek(from, 0, SEEK_END) == 0 && (size = ftell(from)) >= 0 &&
      fseek(from, 0, SEEK_SET) == 0)
    ret->bytes = malloc((size_t)size + 1);
  ret->size = (size_t)size;
  const int good = ret->bytes != NULL && fread(ret->bytes, 1, ret->size, from) == ret->size;
  if (from != NULL)
    fclose(from);
  if (!good)
    perror(path);
  return good ? 0 : 1;
}

static int fail_call(void) {
  fprintf(stderr, "error: %s\n", specpiCompilerGetLastError());
  return 1;
}

static int add_image(arguments *arguments, const char *path) {
  file read = {NULL, 0};
  if (arguments->count == IMAGES_MAX || read_file(path, &read) != 0) {
    free(read.bytes);
    return 1;
  }
  arguments->images[arguments->count++] =
      (specpi_compiler_image){.target = "spir64",
                              .data = read.bytes,
                              .size = read.size,
                              .kernels = arguments->kernels + arguments->kernel_count};
  return 0;
}

static int add_properties(specpi_compiler_image *image, const char *path) {
  file read = {NULL, 0};
  int status = read_file(path, &read);
  if (status == 0 &&
      specpiCompilerPropertiesRead(SPECPI_COMPILER_PROPERTY_FORM_TEXT, read.bytes, read.size,
                                   &image->properties) != SPECPI_COMPILER_SUCCESS)
    status = fail_call();
  free(read.bytes);
  return status;
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
