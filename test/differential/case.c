#include "case.h"

#include "../property/child.h"
#include "../property/memory.h"
#include "../property/random.h"

#include <inttypes.h>
#include <string.h>

void case_make(uint64_t seed, uint32_t index, test_case *ret) {
  /*
   * No sub-groups of 32: with these Intel's runtime lacks functions, splits work_group_broadcast
   * into two halves, and has atomic operations in divergent code whose results vary between runs.
   */
  static const uint32_t sizes[][2] = {{32, 8}, {32, 16}, {96, 8}, {96, 16}, {48, 16}, {24, 8}};
  generator from = random_start(~seed, index);
  const uint32_t *size = sizes[random_below(&from, sizeof sizes / sizeof sizes[0])];
  *ret = (test_case){.seed = seed, .index = index, .only = ALL_KERNELS};
  for (uint32_t i = 0; i < KERNELS; i++)
    ret->kernels[i] = (kernel){.seed = seed,
                               .index = index * KERNELS + i,
                               .group_size = size[0],
                               .sub_group_size = size[1]};
  ret->value_count = random_chance(&from, 50) ? CONSTANTS : 0;
  for (uint32_t i = 0; i < CONSTANTS; i++) {
    ret->numbers[i] = (int32_t)(random_bits(&from) >> 32 >> random_below(&from, 31));
    ret->values[i] = (device_value){.id = i, .size = sizeof ret->numbers[i]};
  }
}

const char *case_write(test_case *of) {
  text made;
  text_open(&made);
  for (uint32_t i = 0; i < CONSTANTS; i++)
    fprintf(made.file, "HELPER int constant%u(void) { return __spirv_SpecConstant(%u, %u); }\n", i,
            i, 7 * i + 1);
  for (uint32_t i = 0; i < KERNELS; i++)
    if (of->only == ALL_KERNELS || of->only == i)
      fputs(kernel_write(&of->kernels[i]), made.file);
  return text_close(&made);
}

const void *case_compile(test_case *of, const tools *with, size_t *size, const char **why) {
  const char *source = work_path("test.cl");
  const char *bitcode = work_path("test.bc");
  const char *module = work_path("test.spv");
  const char *text = case_write(of);
  const char *const compile[] = {with->clang,
                                 "-x",
                                 "cl",
                                 "-cl-std=CL2.0",
                                 "-target",
                                 "spir64-unknown-unknown",
                                 "-Xclang",
                                 "-finclude-default-header",
                                 "-Xclang",
                                 "-no-opaque-pointers",
                                 "-O1",
                                 "-Xclang",
                                 "-disable-llvm-passes",
                                 "-w",
                                 "-include",
                                 with->prelude,
                                 "-emit-llvm",
                                 "-c",
                                 source,
                                 "-o",
                                 bitcode,
                                 NULL};
  /* Without instcombine, which makes switches over integers of two bits, unknown to SPIR-V. */
  const char *const optimise[] = {
      with->opt, "-passes=function(sroa,early-cse,gvn,loop-mssa(licm),adce)",
      bitcode,   "-o",
      bitcode,   NULL};
  const char *const translate[] = {
      with->llvm_spirv, "--spirv-ext=+SPV_INTEL_subgroups", bitcode, "-o", module, NULL};
  work_write(source, text, strlen(text));
  if (!child_run(compile, why) || (of->index % 3 != 0 && !child_run(optimise, why)) ||
      !child_run(translate, why))
    return NULL;
  return work_read(module, size);
}

/* ---- Running ---- */

static bool run_kernel(const test_case *of, uint32_t which, pi_program program, pi_mem in,
                       results *ret) {
  const kernel *kernel = &of->kernels[which];
  uint64_t(*items)[COLUMNS] = ret->kernels[which].items;
  uint32_t *counters = ret->kernels[which].counters;
  generator from = random_start(of->seed + 1, kernel->index);
  memset(items, 0, sizeof ret->kernels[which].items);
  for (uint32_t i = 0; i < COUNTERS; i++)
    counters[i] = (uint32_t)random_bits(&from);
  device_arguments arguments = {.count = 3, .global = ITEMS, .local = kernel->group_size};
  arguments.items[2] = in;
  if (!device_buffer(items, sizeof ret->kernels[which].items, &arguments.items[0]))
    return false;
  bool good = device_buffer(counters, sizeof ret->kernels[which].counters, &arguments.items[1]);
  if (good) {
    good = device_launch(program, memory_format("kernel%u", kernel->index), &arguments) &&
           device_read(arguments.items[0], sizeof ret->kernels[which].items, items) &&
           device_read(arguments.items[1], sizeof ret->kernels[which].counters, counters);
    device_release_buffer(arguments.items[1]);
  }
  device_release_buffer(arguments.items[0]);
  return good;
}

bool case_run(const test_case *of, const void *module, size_t size, results *ret,
              const char **why) {
  static uint64_t numbers[INPUTS];
  generator from = random_start(of->seed + 2, of->index);
  device_value values[CONSTANTS];
  pi_program program;
  pi_mem in;
  for (uint32_t i = 0; i < INPUTS; i++)
    numbers[i] = random_bits(&from) >> (random_chance(&from, 30) ? random_below(&from, 64) : 0);
  for (uint32_t i = 0; i < CONSTANTS; i++) {
    values[i] = of->values[i];
    values[i].value = &of->numbers[i];
  }
  memset(ret, 0, sizeof *ret);
  bool good = device_build(module, size, values, of->value_count, &program);
  if (good) {
    good = device_buffer(numbers, sizeof numbers, &in);
    if (good) {
      for (uint32_t i = 0; i < KERNELS && good; i++)
        if (of->only == ALL_KERNELS || of->only == i)
          good = run_kernel(of, i, program, in, ret);
      device_release_buffer(in);
    }
    device_release(program);
  }
  if (!good)
    *why = memory_format("%s: %s", device_name(), device_error());
  return good;
}

const char *case_compare(const test_case *of, const results *wanted, const results *found,
                         uint32_t *kernel) {
  for (*kernel = 0; *kernel < KERNELS; ++*kernel) {
    const uint32_t name = of->kernels[*kernel].index;
    for (uint32_t i = 0; i < ITEMS; i++)
      for (uint32_t j = 0; j < COLUMNS; j++) {
        const uint64_t a = wanted->kernels[*kernel].items[i][j];
        const uint64_t b = found->kernels[*kernel].items[i][j];
        if (a != b)
          return memory_format("kernel%u, item %u, column %u: 0x%" PRIx64 ", wanted 0x%" PRIx64,
                               name, i, j, b, a);
      }
    for (uint32_t i = 0; i < COUNTERS; i++) {
      const uint32_t a = wanted->kernels[*kernel].counters[i];
      const uint32_t b = found->kernels[*kernel].counters[i];
      if (a != b)
        return memory_format("kernel%u, counter %u: 0x%x, wanted 0x%x", name, i, b, a);
    }
  }
  return NULL;
}

/* ---- Shrinking ---- */

/* Leaves out count parts from first on if the case still fails without them; returns whether so. */
static bool leave_out(test_case *test, kernel *of, uint32_t first, uint32_t count,
                      bool (*fails)(test_case *, const void *), const void *data) {
  unsigned char before[PARTS_MAX];
  memcpy(before, of->without, sizeof before);
  bool changed = false;
  for (uint32_t i = first; i < first + count && i < PARTS_MAX; i++) {
    changed = changed || !of->without[i];
    of->without[i] = 1;
  }
  if (changed && fails(test, data))
    return true;
  memcpy(of->without, before, sizeof before);
  return false;
}

void case_shrink(test_case *test, bool (*fails)(test_case *, const void *), const void *data) {
  kernel *of = &test->kernels[test->only];
  case_write(test);
  const uint32_t parts = of->parts;
  for (uint32_t count = parts / 2; count > 0; count /= 2)
    for (uint32_t first = 0; first < parts; first += count)
      leave_out(test, of, first, count, fails, data);
}
