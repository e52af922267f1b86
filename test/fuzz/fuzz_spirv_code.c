/*
 * Reads any bytes as the SPIR-V of a program: its kernels and their arguments. Then it sets values
 * and makes a copy of the module, in which every value that was set is the default.
 */
#include "fuzz.h"

#include "../../plugins/code/spirv_code.h"
#include "../../plugins/code/spirv_types.h"

#include <string.h>

/* Finds all kernels by their names, and checks that each argument's size fits its kind. */
static void check_kernels(spirv_code *code, size_t size) {
  const spirv_kernel *kernel = NULL;
  size_t arguments = 0;
  FUZZ_CHECK(spirv_code_find_kernel(code, "", &kernel) == PI_SUCCESS);
  FUZZ_CHECK(code->kernel_count <= size / 16);
  for (size_t i = 0; i < code->kernel_count; i++) {
    FUZZ_CHECK(spirv_code_find_kernel(code, code->kernels[i].name, &kernel) == PI_SUCCESS);
    FUZZ_CHECK(kernel && strcmp(kernel->name, code->kernels[i].name) == 0);
    FUZZ_CHECK(kernel->argument_count <= size / 4);
    for (pi_uint32 j = 0; j < kernel->argument_count; j++) {
      const spirv_argument *argument = &kernel->arguments[j];
      FUZZ_CHECK(argument->kind <= SPIRV_ARGUMENT_SAMPLER);
      FUZZ_CHECK(argument->size == 0 || argument->kind == SPIRV_ARGUMENT_VALUE ||
                 argument->kind == SPIRV_ARGUMENT_POINTER);
      arguments += argument->size != 0;
    }
    if (arguments > size)
      break; /* otherwise many kernels of one function take too long */
  }
}

/* Describes the type of every argument within the buffer's size; names end in the module. */
static void check_types(const spirv_code *code) {
  spirv_words module;
  spirv_types types;
  FUZZ_CHECK(spirv_open(code->bytes, code->size, &module) == PI_SUCCESS);
  FUZZ_CHECK(spirv_types_read(module, &types) == PI_SUCCESS);
  spirv_types_name(&types, module);
  const size_t most = code->kernel_count < 16 ? code->kernel_count : 16;
  for (size_t i = 0; i < most; i++)
    for (pi_uint32 j = 0; j < code->kernels[i].argument_count && j < 64; j++) {
      const pi_uint32 id = code->kernels[i].arguments[j].type;
      char *text = malloc(100);
      FUZZ_CHECK(text);
      spirv_types_describe(&types, id, text, 100);
      FUZZ_CHECK(memchr(text, '\0', 100));
      free(text);
      const char *scalar = spirv_types_scalar(&types, id);
      FUZZ_CHECK(!scalar || *scalar);
    }
  spirv_types_free(&types);
}

static code_constants *constants_of(const spirv_code *code, code_constant **all, size_t *count) {
  code_constants *constants = NULL;
  FUZZ_CHECK(code_constants_read(code->bytes, code->size, &constants) == PI_SUCCESS);
  FUZZ_CHECK(code_constants_snapshot(constants, all, count) == PI_SUCCESS);
  return constants;
}

/*
 * Returns whether the constant's value is its default. If numbers and booleans share an id, the
 * first constant counts. If that is a boolean, its default is 1 for any value but 0.
 */
static bool is_default(const code_constant *one) {
  const bool is_equal = memcmp(one->default_value, one->value, sizeof one->value) == 0;
  return is_equal || (one->size == 1 && one->value[0] != 0 && one->default_value[0] == 1);
}

static void check_values(spirv_code *code) {
  static const unsigned char value[8] = {0x83, 2, 3, 4, 5, 6, 7, 8};
  code_constant *all;
  code_constant *now;
  size_t count;
  size_t same;
  spirv_code *made = NULL;
  code_constants *constants = constants_of(code, &all, &count);
  for (size_t i = 0; i < count; i++)
    if (all[i].size != 0)
      FUZZ_CHECK(code_constants_set(constants, all[i].id, all[i].size, value) == PI_SUCCESS);
  free(all);
  FUZZ_CHECK(code_constants_snapshot(constants, &all, &count) == PI_SUCCESS);
  FUZZ_CHECK(spirv_code_specialise(code, constants, &made) == PI_SUCCESS);
  FUZZ_CHECK(made->size == code->size);
  code_constants_free(constants);
  constants = constants_of(made, &now, &same);
  FUZZ_CHECK(same == count);
  for (size_t i = 0; i < count; i++) {
    FUZZ_CHECK(now[i].id == all[i].id && now[i].size == all[i].size);
    memcpy(all[i].default_value, now[i].default_value, sizeof now[i].default_value);
    FUZZ_CHECK(!all[i].is_set || is_default(&all[i]));
  }
  code_constants_free(constants);
  free(all);
  free(now);
  spirv_code_release(made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  spirv_code *code = NULL;
  code_constants *constants = NULL;
  if (spirv_code_create(data, size, &code) != PI_SUCCESS) {
    FUZZ_CHECK(!code);
    return 0;
  }
  check_kernels(code, size);
  check_types(code);
  const pi_result result = code_constants_read(code->bytes, code->size, &constants);
  code_constants_free(constants);
  if (result == PI_SUCCESS)
    check_values(code);
  spirv_code_release(code);
  return 0;
}
