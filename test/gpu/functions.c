/*
 * Launches kernels and compares their results with those of the CPU device: cases.txt has the
 * launches, expected.txt the results.
 */
#include "checks.h"
#include "cuda.h"
#include "image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of cases.txt. */
typedef struct launch_case {
  char kernel[64];
  unsigned global[3];
  unsigned local[3];
  char type[8];
  unsigned in_count;
  unsigned out_count;
  unsigned local_bytes;
  double tolerance;
} launch_case;

/* Reads N[,N[,N]]; missing sizes are 1. */
static void read_sizes(const char *text, unsigned *ret) {
  for (int i = 0; i < 3; i++) {
    char *end;
    ret[i] = (unsigned)strtoul(text, &end, 10);
    if (end == text)
      ret[i] = 1;
    text = *end == ',' ? end + 1 : end;
  }
}

/* Reads the words of a line; returns false if their number is wrong. */
static bool read_words(char *line, launch_case *ret) {
  enum { KERNEL, GLOBAL, LOCAL, TYPE, IN, OUT, BYTES, TOLERANCE, COUNT };
  char *words[COUNT];
  char *rest = line;
  for (int i = 0; i < COUNT; i++) {
    words[i] = strtok_r(i == 0 ? line : NULL, " \n", &rest);
    if (!words[i])
      return false;
  }
  snprintf(ret->kernel, sizeof ret->kernel, "%s", words[KERNEL]);
  snprintf(ret->type, sizeof ret->type, "%s", words[TYPE]);
  read_sizes(words[GLOBAL], ret->global);
  read_sizes(words[LOCAL], ret->local);
  ret->in_count = (unsigned)strtoul(words[IN], NULL, 10);
  ret->out_count = (unsigned)strtoul(words[OUT], NULL, 10);
  ret->local_bytes = (unsigned)strtoul(words[BYTES], NULL, 10);
  ret->tolerance = strtod(words[TOLERANCE], NULL);
  return true;
}

/* Reads the next case of the file; returns false at its end. */
static bool next_case(FILE *file, launch_case *ret) {
  char line[256];
  while (fgets(line, sizeof line, file)) {
    if (line[0] == '#')
      continue;
    if (read_words(line, ret))
      return true;
    fputs("cases.txt has a line of too few words\n", stderr);
    exit(1);
  }
  return false;
}

static size_t size_of(const launch_case *test) {
  return strcmp(test->type, "f64") == 0 ? 8 : 4;
}

/* Returns the element of a buffer as a number. */
static double element(const launch_case *test, const void *data, size_t i) {
  float single;
  double twice;
  int32_t integer;
  if (strcmp(test->type, "f64") == 0) {
    memcpy(&twice, (const char *)data + 8 * i, 8);
    return twice;
  }
  if (strcmp(test->type, "f32") == 0) {
    memcpy(&single, (const char *)data + 4 * i, 4);
    return (double)single;
  }
  memcpy(&integer, (const char *)data + 4 * i, 4);
  return (double)integer;
}

static void fill(const launch_case *test, void *data) {
  for (unsigned i = 0; i < test->in_count; i++) {
    const float single = (float)i;
    const double twice = (double)i;
    if (strcmp(test->type, "f64") == 0)
      memcpy((char *)data + 8 * (size_t)i, &twice, 8);
    else if (strcmp(test->type, "f32") == 0)
      memcpy((char *)data + 4 * (size_t)i, &single, 4);
    else
      memcpy((char *)data + 4 * (size_t)i, &i, 4);
  }
}

/* Compares with the numbers in a line of expected.txt; returns the number of wrong ones. */
static int compare(const launch_case *test, const void *data, char *line, const char *path) {
  int wrong = 0;
  char *next = line;
  for (unsigned i = 0; i < test->out_count; i++) {
    char *end;
    const double expected = strtod(next, &end);
    if (end == next) {
      fprintf(stderr, "expected.txt has only %u numbers for %s\n", i, test->kernel);
      return 1;
    }
    next = end;
    const double got = element(test, data, i);
    const double allowed = test->tolerance * fmax(1.0, fabs(expected));
    if (got == expected || fabs(got - expected) <= allowed || (isnan(got) && isnan(expected)))
      continue;
    if (wrong++ < 8)
      fprintf(stderr, "%s: %s gives %.17g for number %u, and the CPU %.17g\n", path, test->kernel,
              got, i, expected);
  }
  return wrong;
}

static cuda_result launch(const launch_case *test, cuda_function function, const unsigned *local,
                          cuda_pointer in, cuda_pointer out) {
  uint32_t offset = 0; /* of local memory in the launch's shared memory */
  void *arguments[3] = {&in, &out, &offset};
  return cuda.launch(function, test->global[0] / local[0], test->global[1] / local[1],
                     test->global[2] / local[2], local[0], local[1], local[2], test->local_bytes,
                     NULL, arguments, NULL);
}

/*
 * Checks the required work-group size in the trailer, and that the driver refuses a larger group.
 * A smaller group is not checked, because drivers run it: they only limit the number of work-items.
 */
static int check_required(const launch_case *test, const gpu_image *image, cuda_function function) {
  const unsigned large[3] = {test->local[0] * 2, test->local[1], test->local[2]};
  const ptx_image_kernel *kernel = gpu_image_kernel(image, test->kernel);
  if (kernel->required_size[0] == 0)
    return 0;
  if (memcmp(kernel->required_size, test->local, sizeof test->local) != 0) {
    fprintf(stderr, "%s: the trailer has other sizes for %s\n", image->path, test->kernel);
    return 1;
  }
  if (launch(test, function, large, 0, 0) != 0)
    return 0;
  fprintf(stderr, "%s: %s runs in groups that are too large\n", image->path, test->kernel);
  return 1;
}

static int check_case(const launch_case *test, const gpu_image *image, cuda_module module,
                      char *line) {
  const size_t in_size = test->in_count * size_of(test);
  const size_t out_size = test->out_count * size_of(test);
  void *data = calloc(1, in_size > out_size ? in_size : out_size);
  cuda_pointer in;
  cuda_pointer out;
  cuda_function function;
  CUDA_CALL(cuda.module_function(&function, module, test->kernel));
  CUDA_CALL(cuda.memory_allocate(&in, in_size));
  CUDA_CALL(cuda.memory_allocate(&out, out_size));
  fill(test, data);
  CUDA_CALL(cuda.memory_write(in, data, in_size));
  CUDA_CALL(cuda.memory_set(out, 0, out_size));
  int failed = check_required(test, image, function);
  CUDA_CALL(launch(test, function, test->local, in, out));
  CUDA_CALL(cuda.synchronize());
  CUDA_CALL(cuda.memory_read(data, out, out_size));
  failed += compare(test, data, line, image->path);
  printf("%s %s: %s: %u numbers, %d wrong\n", failed ? "FAILED" : "passed", image->path,
         test->kernel, test->out_count, failed);
  CUDA_CALL(cuda.memory_free(in));
  CUDA_CALL(cuda.memory_free(out));
  free(data);
  return failed;
}

static FILE *open_file(const char *directory, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "%s cannot be opened\n", path);
    exit(1);
  }
  return file;
}

/* Runs every case, with the line of expected.txt that starts with its kernel's name. */
static int check_image(const char *directory, const gpu_image *image) {
  cuda_module module = cuda_load(image->text, image->path);
  if (!module)
    return 1;
  FILE *cases = open_file(directory, "cases.txt");
  FILE *expected = open_file(directory, "expected.txt");
  int failed = 0;
  launch_case test;
  char *line = NULL;
  size_t size = 0;
  while (next_case(cases, &test)) {
    const size_t length = strlen(test.kernel);
    if (getline(&line, &size, expected) < 0 || strncmp(line, test.kernel, length) != 0) {
      fprintf(stderr, "expected.txt has no line for %s\n", test.kernel);
      exit(1);
    }
    failed += check_case(&test, image, module, line + length);
  }
  free(line);
  fclose(cases);
  fclose(expected);
  CUDA_CALL(cuda.module_unload(module));
  return failed;
}

int check_functions(const char *directory) {
  static const char *const names[] = {"functions.O0.ptx", "functions.O2.ptx"};
  int failed = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    gpu_image image = gpu_image_open(directory, names[i]);
    failed += check_image(directory, &image);
    gpu_image_close(&image);
  }
  return failed;
}
