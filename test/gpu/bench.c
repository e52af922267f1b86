/*
 * gpu-bench FOLDER [KEPT]: what constants cost on the first NVIDIA GPU. FOLDER has three kernels in
 * three variants each: KERNEL.typed.ptx has the values in its source, KERNEL.patch.ptx gets them
 * written into its text, KERNEL.emulate.ptx reads them from a buffer. The variants take turns, and
 * the first one changes from round to round; ratios are those of a round, and the table has their
 * median. KEPT receives the texts as the driver gets them. Exit status as gpu-ptx.
 */
#include "cuda.h"
#include "image.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 101, VARIANTS = 3, ARGUMENTS_MAX = 8 };

static const char *const variants[VARIANTS] = {"typed", "patch", "emulate"};
static const char *const variant_texts[VARIANTS] = {"typed into the source", "patched into the PTX",
                                                    "read from a buffer"};

/* A constant's value, as it is in the source of the typed variant. */
typedef struct value {
  const char *name;
  const void *bytes;
  size_t size;
} value;

/* Arguments: the result, inputs of as many bytes, pieces of local memory. */
typedef struct workload {
  const char *name;
  const char *text;
  unsigned grid[2];
  unsigned block[2];
  unsigned result_count;
  unsigned input_count; /* numbers of each input */
  unsigned inputs;
  unsigned locals; /* pieces of local memory */
  unsigned local_size;
  unsigned launches; /* in a round */
  value values[2];
} workload;

static const int product_values[2] = {16, 2048};
static const struct {
  float weights[9], factor;
} filter_value = {{1, 0, -1, 2, 0, -2, 1, 0, -1}, 0.125f};
static const int filter_width = 8192;
static const struct {
  bool square, bend, turn, limit;
  float a, b, c;
} map_value = {true, false, false, true, 0.75f, 0.125f, 1.5f};
static const int map_count = 256;

static const workload workloads[] = {
    {.name = "product",
     .text = "blocked matrix product, 2048 x 2048, blocks of 16 x 16",
     .grid = {128, 128},
     .block = {16, 16},
     .result_count = 2048 * 2048,
     .input_count = 2048 * 2048,
     .inputs = 2,
     .locals = 2,
     .local_size = 1024,
     .launches = 4,
     .values = {{"block", &product_values[0], 4}, {"size", &product_values[1], 4}}},
    {.name = "filter",
     .text = "3x3 Sobel filter, 8192 x 8192 pixels",
     .grid = {256, 1024},
     .block = {32, 8},
     .result_count = 8192 * 8192,
     .input_count = 8194 * 8194,
     .inputs = 1,
     .launches = 8,
     .values = {{"filter", &filter_value, sizeof filter_value}, {"width", &filter_width, 4}}},
    {.name = "map",
     .text = "256 steps of an iterated map with 2 of 4 flags, 2^24 numbers",
     .grid = {65536, 1},
     .block = {256, 1},
     .result_count = 1 << 24,
     .input_count = 1 << 24,
     .inputs = 1,
     .launches = 4,
     .values = {{"map", &map_value, sizeof map_value}, {"count", &map_count, 4}}},
    {.name = "clamped",
     .text = "the same map, its limit by the clamp of libclc",
     .grid = {65536, 1},
     .block = {256, 1},
     .result_count = 1 << 24,
     .input_count = 1 << 24,
     .inputs = 1,
     .launches = 4,
     .values = {{"map", &map_value, sizeof map_value}, {"count", &map_count, 4}}},
};

typedef struct variant {
  gpu_image image;
  cuda_module module;
  cuda_function function;
  cuda_pointer buffer;
  void *arguments[ARGUMENTS_MAX];
  unsigned argument_count;
  float *result;
  double times[ROUNDS]; /* milliseconds of a launch */
} variant;

static cuda_pointer result;
static cuda_pointer inputs[2];
static uint32_t offsets[2];

static void put(variant *to, unsigned index, void *argument) {
  memmove(to->arguments + index + 1, to->arguments + index,
          (to->argument_count - index) * sizeof to->arguments[0]);
  to->arguments[index] = argument;
  to->argument_count++;
}

static void set_values(const workload *work, variant *it, unsigned char *block) {
  memcpy(block, it->image.info->defaults, it->image.info->default_size);
  if (it->image.info->constant_count == 0)
    return;
  for (size_t i = 0; i < 2; i++) {
    const pi_ptx_constant *to = gpu_image_constant(&it->image, work->values[i].name);
    if (to->size != work->values[i].size) {
      fprintf(stderr, "%s: %s has %u bytes\n", it->image.path, to->name, to->size);
      exit(1);
    }
    memcpy(block + to->position, work->values[i].bytes, to->size);
  }
}

static void keep(const char *folder, const workload *work, size_t index, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.%s.ptx", folder, work->name, variants[index]);
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
    fprintf(stderr, "%s cannot be written\n", path);
    exit(1);
  }
}

static void open_variant(const char *folder, const char *kept, const workload *work, size_t index,
                         variant *it) {
  char name[64];
  unsigned char block[256];
  *it = (variant){.module = NULL};
  snprintf(name, sizeof name, "%s.%s.ptx", work->name, variants[index]);
  it->image = gpu_image_open(folder, name);
  set_values(work, it, block);
  const char *text = gpu_image_build(&it->image, block);
  if (kept)
    keep(kept, work, index, text);
  it->module = cuda_load(text, it->image.path);
  if (!it->module)
    exit(1);
  CUDA_CALL(cuda.module_function(&it->function, it->module, "run"));
  put(it, it->argument_count, &result);
  for (unsigned i = 0; i < work->inputs; i++)
    put(it, it->argument_count, &inputs[i]);
  for (unsigned i = 0; i < work->locals; i++)
    put(it, it->argument_count, &offsets[i]);
  const pi_uint32 at = gpu_image_kernel(&it->image, "run")->buffer_argument;
  if (at != PI_PTX_NONE) {
    CUDA_CALL(cuda.memory_allocate(&it->buffer, sizeof block));
    CUDA_CALL(cuda.memory_write(it->buffer, block, sizeof block));
    put(it, at, &it->buffer);
  }
}

static void launch(const workload *work, variant *it) {
  CUDA_CALL(cuda.launch(it->function, work->grid[0], work->grid[1], 1, work->block[0],
                        work->block[1], 1, work->locals * work->local_size, NULL, it->arguments,
                        NULL));
}

static void compute(const workload *work, variant *it) {
  const size_t size = work->result_count * sizeof(float);
  it->result = malloc(size);
  CUDA_CALL(cuda.memory_set(result, 0xff, size));
  launch(work, it);
  CUDA_CALL(cuda.synchronize());
  CUDA_CALL(cuda.memory_read(it->result, result, size));
}

static double time_launches(const workload *work, variant *it) {
  cuda_event start;
  cuda_event end;
  float milliseconds;
  CUDA_CALL(cuda.event_create(&start, 0));
  CUDA_CALL(cuda.event_create(&end, 0));
  CUDA_CALL(cuda.event_record(start, NULL));
  for (unsigned i = 0; i < work->launches; i++)
    launch(work, it);
  CUDA_CALL(cuda.event_record(end, NULL));
  CUDA_CALL(cuda.event_synchronize(end));
  CUDA_CALL(cuda.event_elapsed(&milliseconds, start, end));
  CUDA_CALL(cuda.event_destroy(start));
  CUDA_CALL(cuda.event_destroy(end));
  return (double)milliseconds / work->launches;
}

/* Fills the inputs with numbers between -1 and 1 that are multiples of 1/64. */
static void fill_inputs(const workload *work) {
  const size_t size = work->input_count * sizeof(float);
  float *numbers = malloc(size);
  uint32_t state = 1;
  CUDA_CALL(cuda.memory_allocate(&result, work->result_count * sizeof(float)));
  for (unsigned i = 0; i < work->inputs; i++) {
    for (unsigned j = 0; j < work->input_count; j++)
      numbers[j] = ((float)(gpu_random(&state) % 129) - 64) / 64;
    CUDA_CALL(cuda.memory_allocate(&inputs[i], size));
    CUDA_CALL(cuda.memory_write(inputs[i], numbers, size));
  }
  free(numbers);
  for (unsigned i = 0; i < work->locals; i++)
    offsets[i] = i * work->local_size;
}

/* How many results are not those of the first variant. */
static unsigned differing(const workload *work, const variant *all, size_t index) {
  unsigned count = 0;
  for (unsigned i = 0; i < work->result_count; i++) {
    const float expected = all[0].result[i];
    const float got = all[index].result[i];
    count += !(fabsf(got - expected) <= 1e-4f * fmaxf(1.0f, fabsf(expected)));
  }
  return count;
}

static int by_value(const void *left, const void *right) {
  const double a = *(const double *)left;
  const double b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(const double *numbers, double *fastest, double *slowest) {
  double sorted[ROUNDS];
  memcpy(sorted, numbers, sizeof sorted);
  qsort(sorted, ROUNDS, sizeof sorted[0], by_value);
  *fastest = sorted[0];
  *slowest = sorted[ROUNDS - 1];
  return sorted[ROUNDS / 2];
}

static int print(const workload *work, const variant *all) {
  enum { ATTRIBUTE_LOCAL = 3, ATTRIBUTE_REGISTERS = 4 };
  int failed = 0;
  printf("\n%s\n  %-24s %10s %9s %9s %7s %10s %6s\n", work->text, "constants", "ms", "fastest",
         "slowest", "ratio", "registers", "stack");
  for (size_t i = 0; i < VARIANTS; i++) {
    double ratios[ROUNDS];
    double fastest;
    double slowest;
    int registers;
    int local;
    for (size_t j = 0; j < ROUNDS; j++)
      ratios[j] = all[i].times[j] / all[0].times[j];
    const double ratio = median(ratios, &fastest, &slowest);
    const double middle = median(all[i].times, &fastest, &slowest);
    CUDA_CALL(cuda.function_attribute(&registers, ATTRIBUTE_REGISTERS, all[i].function));
    CUDA_CALL(cuda.function_attribute(&local, ATTRIBUTE_LOCAL, all[i].function));
    const unsigned wrong = differing(work, all, i);
    printf("  %-24s %10.4f %9.4f %9.4f %7.3f %10d %6d%s\n", variant_texts[i], middle, fastest,
           slowest, ratio, registers, local, wrong ? "  WRONG" : "");
    failed += wrong != 0;
  }
  return failed;
}

static int measure(const char *folder, const char *kept, const workload *work) {
  static variant all[VARIANTS];
  fill_inputs(work);
  for (size_t i = 0; i < VARIANTS; i++) {
    open_variant(folder, kept, work, i, &all[i]);
    compute(work, &all[i]);
    time_launches(work, &all[i]);
  }
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < VARIANTS; i++) {
      variant *it = &all[(round + i) % VARIANTS];
      it->times[round] = time_launches(work, it);
    }
  const int failed = print(work, all);
  for (size_t i = 0; i < VARIANTS; i++) {
    CUDA_CALL(cuda.module_unload(all[i].module));
    if (all[i].buffer)
      CUDA_CALL(cuda.memory_free(all[i].buffer));
    gpu_image_close(&all[i].image);
    free(all[i].result);
  }
  CUDA_CALL(cuda.memory_free(result));
  for (unsigned i = 0; i < work->inputs; i++)
    CUDA_CALL(cuda.memory_free(inputs[i]));
  return failed;
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fputs("usage: gpu-bench FOLDER [KEPT]\n", stderr);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!cuda_open())
    return 77;
  printf("%d rounds, the median of each\n", ROUNDS);
  int failed = 0;
  for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
    failed += measure(argv[1], argc == 3 ? argv[2] : NULL, &workloads[i]);
  cuda_close();
  return failed != 0;
}
