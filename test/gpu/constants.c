/*
 * Sets constants and reads them in kernels. The leaves come from the patched image, because in mode
 * emulate a constant is one leaf, and in mode default there are no leaves.
 */
#include "checks.h"
#include "cuda.h"
#include "image.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_SIZE = 4096, POISON = 0xa5, BLOCK_MAX = 4096, ROUNDS = 8 };

/* A module under test, and the memory that its kernels read and write. */
typedef struct subject {
  gpu_image *image;
  gpu_image *leaves; /* the patched image, whose leaves are scalars */
  cuda_module module;
  cuda_pointer result;
  cuda_pointer buffer;
  uint32_t random;
  int compared;
  int failed;
} subject;

/* Launches one work-item of a kernel. Its arguments are the result and any buffer of constants. */
static void run(subject *subject, const char *name, unsigned char *ret) {
  cuda_function function;
  CUDA_CALL(cuda.module_function(&function, subject->module, name));
  const pi_uint32 index = gpu_image_kernel(subject->image, name)->buffer_argument;
  void *arguments[2] = {&subject->result, &subject->buffer};
  if (index == 0) {
    arguments[0] = &subject->buffer;
    arguments[1] = &subject->result;
  }
  CUDA_CALL(cuda.memory_set(subject->result, POISON, RESULT_SIZE));
  CUDA_CALL(cuda.launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
  CUDA_CALL(cuda.synchronize());
  CUDA_CALL(cuda.memory_read(ret, subject->result, RESULT_SIZE));
}

static bool is_flag(const ptx_image_constant *constant, const ptx_image_leaf *leaf) {
  return strncmp(constant->name, "flag", 4) == 0 && leaf->size == 1;
}

static void report(subject *subject, const char *name, unsigned offset, unsigned size,
                   const unsigned char *got, const unsigned char *expected) {
  subject->compared++;
  if (memcmp(got, expected, size) == 0)
    return;
  subject->failed++;
  fprintf(stderr, "%s: %s at offset %u is", subject->image->path, name, offset);
  for (unsigned i = 0; i < size; i++)
    fprintf(stderr, " %02x", got[i]);
  fputs(" and not", stderr);
  for (unsigned i = 0; i < size; i++)
    fprintf(stderr, " %02x", expected[i]);
  fputc('\n', stderr);
}

/* Compares the output of copy_NAME with a block of values laid out as the patched image's. */
static void compare(subject *subject, const ptx_image_constant *constant,
                    const unsigned char *values) {
  char name[128];
  unsigned char got[RESULT_SIZE];
  snprintf(name, sizeof name, "copy_%s", constant->name);
  run(subject, name, got);
  for (pi_uint32 i = 0; i < constant->leaf_count; i++) {
    const ptx_image_leaf *leaf = &subject->leaves->info->leaves[constant->first_leaf + i];
    unsigned char expected[8];
    memcpy(expected, values + leaf->at, leaf->size);
    if (is_flag(constant, leaf))
      expected[0] = expected[0] != 0;
    report(subject, constant->name, leaf->offset, leaf->size, got + leaf->offset, expected);
  }
}

/* Compares the constant "used": a count and eight numbers. */
static void compare_used(subject *subject, const unsigned char *values) {
  const ptx_image_constant *used = gpu_image_constant(subject->leaves, "used");
  uint32_t numbers[9];
  uint32_t expected[9] = {0};
  unsigned char got[RESULT_SIZE];
  memcpy(numbers, values + used->position, sizeof numbers);
  for (uint32_t i = 0; i < numbers[0]; i++) {
    expected[i] = numbers[1 + i];
    expected[numbers[0]] += numbers[1 + i];
  }
  run(subject, "sum_used", got);
  for (uint32_t i = 0; i <= numbers[0]; i++)
    report(subject, "sum_used", 4 * i, 4, got + 4 * (size_t)i, (const unsigned char *)&expected[i]);
}

static void compare_all(subject *subject, const unsigned char *values) {
  const ptx_image *info = subject->leaves->info;
  for (pi_uint32 i = 0; i < info->constant_count; i++)
    if (strcmp(info->constants[i].name, "used") != 0)
      compare(subject, &info->constants[i], values);
  compare_used(subject, values);
}

/* Passes the module a block of values laid out as the patched image's; returns false on error. */
static bool set(subject *subject, const unsigned char *values) {
  if (subject->image->info->mode == PTX_EMULATE) {
    unsigned char block[BLOCK_MAX] = {0};
    for (pi_uint32 i = 0; i < subject->leaves->info->constant_count; i++) {
      const ptx_image_constant *from = &subject->leaves->info->constants[i];
      const ptx_image_constant *to = gpu_image_constant(subject->image, from->name);
      memcpy(block + to->position, values + from->position, from->size);
    }
    CUDA_CALL(cuda.memory_write(subject->buffer, block, subject->image->info->default_size));
    return true;
  }
  cuda_module module = cuda_load(gpu_image_build(subject->image, values), subject->image->path);
  if (!module)
    return false;
  CUDA_CALL(cuda.module_unload(subject->module));
  subject->module = module;
  return true;
}

/* A bool by itself is true with any bit; in a structure it is a byte of memory, 0 or 1. */
static bool is_byte_of_bool(const subject *subject, const ptx_image_constant *constant,
                            const ptx_image_leaf *leaf) {
  return is_flag(constant, leaf) &&
         (subject->image->info->mode == PTX_EMULATE || constant->size > 1);
}

/* Draws a leaf's value for a round: all bits, none, a signalling NaN with a payload, or others. */
static void draw(subject *subject, const ptx_image_constant *constant, const ptx_image_leaf *leaf,
                 int round, unsigned char *to) {
  static const unsigned char nans[3][8] = {
      {0x01, 0x7d}, {0x23, 0x01, 0xa0, 0xff}, {0x67, 0x45, 0x23, 0x01, 0, 0, 0xf4, 0x7f}};
  for (pi_uint32 i = 0; i < leaf->size; i++)
    to[i] = round == 0 ? 0xff : round == 1 ? 0 : (unsigned char)(gpu_random(&subject->random) >> 7);
  if (round == 2 && leaf->size > 1)
    memcpy(to, nans[leaf->size / 4], leaf->size);
  if (is_byte_of_bool(subject, constant, leaf))
    to[0] &= 1;
  if (strcmp(constant->name, "used") == 0 && leaf->offset == 0) {
    memset(to, 0, 4);
    to[0] = (unsigned char)(round == 0 ? 8 : round == 1 ? 0 : gpu_random(&subject->random) % 9);
  }
}

/* Sets every leaf alone, with defaults around it; then all leaves together. */
static void set_and_compare(subject *subject) {
  const ptx_image *info = subject->leaves->info;
  unsigned char values[BLOCK_MAX];
  for (pi_uint32 i = 0; i < info->constant_count; i++) {
    const ptx_image_constant *constant = &info->constants[i];
    for (pi_uint32 j = 0; j < constant->leaf_count; j++) {
      const ptx_image_leaf *leaf = &info->leaves[constant->first_leaf + j];
      memcpy(values, info->defaults, info->default_size);
      draw(subject, constant, leaf, 3, values + leaf->at);
      if (!set(subject, values)) {
        subject->failed++;
        return;
      }
      if (strcmp(constant->name, "used") == 0)
        compare_used(subject, values);
      else
        compare(subject, constant, values);
    }
  }
  for (int round = 0; round < ROUNDS; round++) {
    memcpy(values, info->defaults, info->default_size);
    for (pi_uint32 i = 0; i < info->constant_count; i++)
      for (pi_uint32 j = 0; j < info->constants[i].leaf_count; j++) {
        const ptx_image_leaf *leaf = &info->leaves[info->constants[i].first_leaf + j];
        draw(subject, &info->constants[i], leaf, round, values + leaf->at);
      }
    if (!set(subject, values)) {
      subject->failed++;
      return;
    }
    compare_all(subject, values);
  }
}

/* Checks the defaults in the file, then sets other values and checks those. */
static int check_image(gpu_image *image, gpu_image *leaves) {
  subject subject = {.image = image, .leaves = leaves, .random = 1};
  CUDA_CALL(cuda.memory_allocate(&subject.result, RESULT_SIZE));
  CUDA_CALL(cuda.memory_allocate(&subject.buffer, BLOCK_MAX));
  subject.module = cuda_load(image->text, image->path);
  if (!subject.module)
    return 1;
  if (image->info->default_size != 0)
    CUDA_CALL(cuda.memory_write(subject.buffer, image->info->defaults, image->info->default_size));
  compare_all(&subject, leaves->info->defaults);
  const int defaults = subject.compared;
  if (image->info->mode != PTX_DEFAULT)
    set_and_compare(&subject);
  printf("%s %s: %d leaves with their defaults, %d with values, %d wrong\n",
         subject.failed ? "FAILED" : "passed", image->path, defaults, subject.compared - defaults,
         subject.failed);
  CUDA_CALL(cuda.module_unload(subject.module));
  CUDA_CALL(cuda.memory_free(subject.result));
  CUDA_CALL(cuda.memory_free(subject.buffer));
  return subject.failed;
}

int check_constants(const char *directory) {
  static const char *const levels[] = {"O0", "O2"};
  static const char *const modes[] = {"patch", "emulate", "default"};
  int failed = 0;
  for (size_t level = 0; level < 2; level++) {
    char name[64];
    snprintf(name, sizeof name, "constants.patch.%s.ptx", levels[level]);
    gpu_image leaves = gpu_image_open(directory, name);
    for (size_t mode = 0; mode < 3; mode++) {
      snprintf(name, sizeof name, "constants.%s.%s.ptx", modes[mode], levels[level]);
      gpu_image image = gpu_image_open(directory, name);
      failed += check_image(&image, &leaves);
      gpu_image_close(&image);
    }
    gpu_image_close(&leaves);
  }
  return failed;
}
