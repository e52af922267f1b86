#include "check.h"

#include "child.h"
#include "device.h"
#include "memory.h"
#include "ptx.h"
#include "records.h"

#include <stdarg.h>
#include <string.h>

static const char *sentence = "";
static const char *lowered;

const char *check_error(void) {
  return sentence;
}

const char *check_lowered(void) {
  return lowered;
}

bool check_fail(const char *format, ...) {
  char text[8192];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  sentence = memory_format("%s", text);
  return false;
}

const char *case_module(const test_case *of, const tools *with, size_t *size) {
  if (!of->in_c) {
    const char *text = case_write_ir(of);
    *size = strlen(text);
    return text;
  }
  const char *source = work_path("case.cl");
  const char *made = work_path("case.bc");
  const char *text = case_write_c(of);
  work_write(source, text, strlen(text));
  const char *const argv[] = {
      with->clang, "-x", "cl", "-cl-std=CL2.0", "-target", "spir64-unknown-unknown", "-Xclang",
      of->typed ? "-no-opaque-pointers" : "-opaque-pointers", of->optimised ? "-O2" : "-O0",
      /* The translator refuses vectors of pointers. */
      "-fno-slp-vectorize", "-fno-vectorize", "-w", "-emit-llvm", "-c", source, "-o", made, NULL};
  const char *said;
  if (!child_run(argv, &said)) {
    check_fail("%s", said);
    return NULL;
  }
  return work_read(made, size);
}

/* ---- Values and arguments of a launch ---- */

/* Collects the values that a runtime sets, in the order of the records. */
static size_t native_values(const test_case *of, specpi_compiler_output output,
                            device_value *values) {
  size_t count = 0;
  for (size_t i = 0; i < specpiCompilerOutputGetConstantCount(output); i++) {
    const specpi_compiler_constant *record = specpiCompilerOutputGetConstant(output, i);
    const constant *constant = records_find(of, record->name);
    for (size_t j = 0; j < record->descriptor_count; j++) {
      const specpi_compiler_descriptor *d = &record->descriptors[j];
      uint32_t leaf = 0;
      while (leaf < constant->leaves.count && constant->leaves.items[leaf].offset != d->offset)
        leaf++;
      if (d->id != SPECPI_COMPILER_PADDING && leaf < constant->leaves.count && constant->set[leaf])
        values[count++] = (device_value){d->id, d->size, constant->value + d->offset};
    }
  }
  return count;
}

/* Fills the buffer of constants like a runtime: with defaults and the host's values. */
static unsigned char *emulate_buffer(const test_case *of, specpi_compiler_output output,
                                     size_t *size) {
  const void *defaults = specpiCompilerOutputGetDefaults(output, size);
  unsigned char *bytes = memory_new(*size);
  if (*size != 0)
    memcpy(bytes, defaults, *size);
  for (size_t i = 0; i < specpiCompilerOutputGetConstantCount(output); i++) {
    const specpi_compiler_constant *record = specpiCompilerOutputGetConstant(output, i);
    const constant *constant = records_find(of, record->name);
    for (uint32_t j = 0; j < constant->leaves.count; j++) {
      const leaf *at = &constant->leaves.items[j];
      if (constant->set[j])
        memcpy(bytes + record->position + at->offset, constant->value + at->offset,
               scalars[at->scalar].size);
    }
  }
  return bytes;
}

static uint32_t buffer_argument(specpi_compiler_output output, const char *kernel) {
  for (size_t i = 0; i < specpiCompilerOutputGetKernelCount(output); i++) {
    const specpi_compiler_kernel *compiler_kernel = specpiCompilerOutputGetKernel(output, i);
    if (strcmp(compiler_kernel->name, kernel) == 0)
      return compiler_kernel->buffer_argument;
  }
  return UINT32_MAX;
}

/* Sets the kernel's arguments: those of the source, and a buffer if the compiler added one. */
static bool arguments_of(const test_case *of, specpi_compiler_output output, uint32_t kernel,
                         pi_mem out, pi_mem buffer, device_arguments *ret) {
  const kernel_facts *facts = &of->kernels[kernel];
  ret->count = 0;
  if (facts->has_buffer && facts->buffer_first)
    ret->items[ret->count++] = buffer;
  ret->items[ret->count++] = out;
  if (facts->has_number)
    ret->items[ret->count++] = NULL;
  if (facts->has_buffer && !facts->buffer_first)
    ret->items[ret->count++] = buffer;
  const uint32_t index = buffer_argument(output, memory_format("kernel%u", kernel));
  if (index == UINT32_MAX)
    return true;
  if (index > ret->count)
    return check_fail("kernel%u: the buffer is argument %u of %u", kernel, index, ret->count);
  if (index == ret->count)
    ret->count++;
  else if (ret->items[index] != buffer)
    return check_fail("kernel%u: argument %u is said to be the buffer, and is not", kernel, index);
  ret->items[index] = buffer;
  return true;
}

/* ---- Results of kernels ---- */

/*
 * Returns whether the values differ only because x86's calling convention returns the fourth and
 * later numbers of a structure through the x87, which turns signalling NaNs into quiet ones.
 */
static bool is_quieted(const use *by, scalar of, uint64_t found, uint64_t wanted) {
  const uint64_t quiet = of == SCALAR_FLOAT    ? UINT64_C(1) << 22
                         : of == SCALAR_DOUBLE ? UINT64_C(1) << 51
                                               : 0;
  const uint64_t infinity =
      of == SCALAR_FLOAT ? UINT64_C(0x7F800000) : UINT64_C(0x7FF0000000000000);
  return by->place == PLACE_RETURN && quiet != 0 && (wanted & infinity) == infinity &&
         found == (wanted | quiet);
}

static bool compare_region(const test_case *of, const region *at, specpi_compiler_mode mode,
                           const unsigned char *read, check_counts *counts) {
  const use *by = &of->uses[at->use];
  const constant *constant = &of->constants[by->constant];
  for (uint32_t i = 0; i < constant->leaves.count; i++) {
    const leaf *leaf = &constant->leaves.items[i];
    const uint32_t size = scalars[leaf->scalar].size;
    const unsigned char *wanted;
    if (!expect_leaf(of, by, mode, i, &wanted)) {
      counts->holes++;
      continue;
    }
    counts->leaves++;
    const unsigned char *found = read + at->offset + leaf->offset;
    if (memcmp(found, wanted, size) == 0)
      continue;
    uint64_t a = 0;
    uint64_t b = 0;
    memcpy(&a, found, size);
    memcpy(&b, wanted, size);
    if (is_quieted(by, leaf->scalar, a, b))
      continue;
    return check_fail("mode %s, kernel%u, use %u: constant '%s', %s at %u is 0x%0*llx, expected "
                      "0x%0*llx",
                      specpiCompilerModeGetName(mode), at->kernel, at->use, constant->name,
                      scalars[leaf->scalar].ir, leaf->offset, (int)(2 * size),
                      (unsigned long long)a, (int)(2 * size), (unsigned long long)b);
  }
  return true;
}

static bool run_kernels(const test_case *of, specpi_compiler_output output,
                        specpi_compiler_mode mode, pi_program program, pi_mem out, pi_mem buffer,
                        check_counts *counts) {
  for (uint32_t k = 0; k < of->kernel_count; k++) {
    device_arguments arguments = {0};
    if (!arguments_of(of, output, k, out, buffer, &arguments))
      return false;
    if (!device_launch(program, memory_format("kernel%u", k), &arguments))
      return check_fail("mode %s, kernel%u: %s", specpiCompilerModeGetName(mode), k,
                        device_error());
  }
  unsigned char *read = memory_new(of->output_size);
  if (!device_read(out, of->output_size, read))
    return check_fail("%s", device_error());
  for (uint32_t i = 0; i < of->region_count; i++)
    if (!compare_region(of, &of->regions[i], mode, read, counts))
      return false;
  counts->programs++;
  return true;
}

/* Returns the output's initial bytes, which stay where no kernel writes. */
static unsigned char *unwritten(const test_case *of) {
  unsigned char *bytes = memory_new(of->output_size);
  memset(bytes, 0xA5, of->output_size);
  return bytes;
}

static bool run(const test_case *of, specpi_compiler_output output, specpi_compiler_mode mode,
                const void *spirv, size_t size, check_counts *counts) {
  device_value *values = memory_new(CONSTANTS_MAX * LEAVES_MAX * sizeof *values);
  const size_t count = mode == SPECPI_COMPILER_MODE_NATIVE ? native_values(of, output, values) : 0;
  size_t buffer_size = 0;
  const unsigned char *bytes =
      mode == SPECPI_COMPILER_MODE_EMULATE ? emulate_buffer(of, output, &buffer_size) : NULL;
  pi_program program;
  if (!device_build(spirv, size, values, count, &program))
    return check_fail("mode %s: %s", specpiCompilerModeGetName(mode), device_error());
  pi_mem out = NULL;
  pi_mem buffer = NULL;
  bool good = device_buffer(unwritten(of), of->output_size, &out);
  good = good && device_buffer(bytes, buffer_size, &buffer);
  if (!good)
    check_fail("%s", device_error());
  good = good && run_kernels(of, output, mode, program, out, buffer, counts);
  if (buffer != NULL)
    device_release_buffer(buffer);
  if (out != NULL)
    device_release_buffer(out);
  device_release(program);
  return good;
}

static bool translate(const test_case *of, specpi_compiler_output output, const tools *with,
                      const void **spirv, size_t *size) {
  const char *bitcode = work_path("lowered.bc");
  const char *made = work_path("lowered.spv");
  const void *data;
  if (specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_BC, &data, size) !=
      SPECPI_COMPILER_SUCCESS)
    return check_fail("%s", specpiCompilerGetLastError());
  work_write(bitcode, data, *size);
  const char *said;
  const char *const extension =
      of->has_elements ? "--spirv-ext=+SPV_INTEL_variable_length_array" : NULL;
  const char *const to_spirv[] = {
      with->llvm_spirv, "--spirv-max-version=1.3", bitcode, "-o", made, extension, NULL};
  if (!child_run(to_spirv, &said))
    return check_fail("%s", said);
  const char *const validate[] = {with->spirv_val, made, NULL};
  if (!child_run(validate, &said))
    return check_fail("%s", said);
  *spirv = work_read(made, size);
  return true;
}

static void keep_lowered(specpi_compiler_output output) {
  const void *data;
  size_t size;
  if (specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_LL, &data, &size) ==
      SPECPI_COMPILER_SUCCESS)
    lowered = memory_format("%s", (const char *)data);
}

static bool check_mode(const test_case *of, const tools *with, specpi_compiler_module module,
                       specpi_compiler_mode mode, bool nvptx, check_counts *counts) {
  specpi_compiler_output output;
  const specpi_compiler_options options = {.mode = mode, .target = nvptx ? "nvptx64" : NULL};
  lowered = NULL;
  if (specpiCompilerLower(module, &options, &output) != SPECPI_COMPILER_SUCCESS)
    return check_fail("mode %s: %s", specpiCompilerModeGetName(mode), specpiCompilerGetLastError());
  const void *spirv = NULL;
  size_t size = 0;
  /* Only DPC++'s translator supports an alloca whose size is read from the buffer. */
  const bool left = of->has_elements && mode == SPECPI_COMPILER_MODE_EMULATE && !nvptx;
  const bool good = records_check(of, output, mode, counts) &&
                    (nvptx ? ptx_check(of, output, mode, with, counts)
                           : left || (translate(of, output, with, &spirv, &size) &&
                                      run(of, output, mode, spirv, size, counts)));
  if (!good)
    keep_lowered(output);
  specpiCompilerOutputRelease(output);
  return good;
}

bool case_check(const test_case *of, const tools *with, const char *data, size_t size,
                check_counts *counts) {
  /* SPIR-V is run; PTX is only assembled. */
  static const struct {
    specpi_compiler_mode mode;
    bool nvptx;
  } ways[] = {{SPECPI_COMPILER_MODE_NATIVE, false},  {SPECPI_COMPILER_MODE_EMULATE, false},
              {SPECPI_COMPILER_MODE_DEFAULT, false}, {SPECPI_COMPILER_MODE_PATCH, true},
              {SPECPI_COMPILER_MODE_EMULATE, true},  {SPECPI_COMPILER_MODE_DEFAULT, true}};
  specpi_compiler compiler;
  if (specpiCompilerCreate(&compiler) != SPECPI_COMPILER_SUCCESS)
    property_die("%s", specpiCompilerGetLastError());
  specpi_compiler_module module;
  bool good = true;
  if (specpiCompilerModuleRead(compiler, "the case", data, size, &module) !=
      SPECPI_COMPILER_SUCCESS)
    good = check_fail("%s", specpiCompilerGetLastError());
  else {
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && good; i++)
      good = check_mode(of, with, module, ways[i].mode, ways[i].nvptx, counts);
    specpiCompilerModuleRelease(module);
  }
  specpiCompilerRelease(compiler);
  return good;
}
