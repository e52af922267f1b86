/* Programs: what the driver does of building, compiling and linking. */
#include "program.h"

#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret) {
  return jit_read_options(options, refused, &ret->options);
}

void driver_compilation_end(struct driver_compilation *it) {
  free(it->values);
}

pi_result driver_program_build(pi_program program, bool is_explicit, build_outcome *it) {
  (void)is_explicit;
  unsigned char *values;
  PI_TRY(constants_copy_values(program->constants, &values));
  return build_new(program, values, &it->compiled.options, PI_ERROR_BUILD_PROGRAM_FAILURE, &it->log,
                   &it->build);
}

/*
 * The driver compiles what it links, and gives no objects out. So that code which cannot be
 * compiled is refused here all the same it is compiled here, too.
 */
pi_result driver_program_compile(pi_program program, bool is_explicit, build_outcome *it) {
  (void)is_explicit;
  jit_input input = {0};
  unsigned char *values;
  PI_TRY(constants_copy_values(program->constants, &values));
  pi_result result = cuda_enter(program->context);
  if (result == PI_SUCCESS)
    result = build_input(program, values, &input);
  if (result == PI_SUCCESS)
    result = jit_link(&input, 1, &it->compiled.options, PI_ERROR_COMPILE_PROGRAM_FAILURE, &it->log,
                      NULL, NULL);
  free(input.bytes);
  if (result == PI_SUCCESS)
    it->compiled.values = values;
  else
    free(values);
  return result;
}

/* ---- Linking ---- */

/* The values that an input counts; the caller frees them. */
static pi_result take_input_values(pi_program program, pi_uint32 index, unsigned char **ret) {
  const bool is_object = !program->form->is_built && !program->form->is_compiled &&
                         !(program_is_cubin(program) && cubin_is_linked(program->driver.code));
  unsigned char *values;
  PI_TRY(constants_copy_values(program->constants, &values));
  pthread_mutex_lock(&program->lock);
  const unsigned char *compiled = program->compiled.values;
  const bool is_taken = compiled || is_object;
  if (compiled)
    memcpy(values, compiled, constants_values_size(program->constants));
  pthread_mutex_unlock(&program->lock);
  if (!is_taken)
    free(values);
  PI_REQUIRE(is_taken, PI_ERROR_INVALID_OPERATION,
             "input program %u is not compiled (piProgramCompile), or is linked already", index);
  *ret = values;
  return PI_SUCCESS;
}

/* Adds the kernels and blocks of an input to the linked program. */
static pi_result add_input(pi_program linked, const struct pi_program_object *input,
                           const unsigned char *values) {
  size_t *places = calloc(input->driver.block_count + 1, sizeof *places);
  PI_REQUIRE(places, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu blocks of constants",
             input->driver.block_count);
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < input->driver.block_count && result == PI_SUCCESS; i++)
    result = program_add_block(linked, input->driver.blocks[i].size,
                               values + input->driver.blocks[i].at, &places[i]);
  for (size_t k = 0; k < input->driver.info->count && result == PI_SUCCESS; k++) {
    const code_kernel *kernel = &input->driver.info->kernels[k];
    result = code_copy_kernel(linked->driver.info, kernel);
    for (size_t i = 0; i < input->driver.block_count && result == PI_SUCCESS; i++)
      if (input->driver.blocks[i].at == kernel->values_at)
        linked->driver.info->kernels[linked->driver.info->count - 1].values_at = places[i];
  }
  free(places);
  return result;
}

/* The inputs as the driver takes them, and what they say of themselves in the linked program. */
static pi_result take_inputs(pi_program linked, pi_uint32 count, const pi_program *programs,
                             jit_input *inputs) {
  for (pi_uint32 i = 0; i < count; i++) {
    unsigned char *values = NULL;
    PI_TRY(take_input_values(programs[i], i, &values));
    pi_result result = build_input(programs[i], values, &inputs[i]);
    if (result == PI_SUCCESS)
      result = add_input(linked, programs[i], values);
    free(values);
    PI_TRY(result);
  }
  code_sort(linked->driver.info);
  return PI_SUCCESS;
}

/* The driver's part: inputs to a cubin, and that to a module. */
static pi_result link_inputs(pi_program linked, const jit_input *inputs, size_t count,
                             build_outcome *it) {
  PI_TRY(cuda_enter(linked->context));
  PI_TRY(jit_link(inputs, count, &it->compiled.options, PI_ERROR_LINK_PROGRAM_FAILURE, &it->log,
                  &linked->driver.code, &linked->driver.code_size));
  PI_TRY(cubin_check(linked->driver.code, linked->driver.code_size));
  PI_TRY(cubin_merge_kernels(linked->driver.code, linked->driver.code_size, linked->driver.info));
  unsigned char *values;
  PI_TRY(constants_copy_values(linked->constants, &values));
  return build_new(linked, values, &it->compiled.options, PI_ERROR_LINK_PROGRAM_FAILURE, &it->log,
                   &it->build);
}

pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              build_outcome *it) {
  linked->driver.info = code_new();
  jit_input *inputs = calloc(count, sizeof *inputs);
  pi_result result = PI_SUCCESS;
  if (!inputs || !linked->driver.info)
    result = pi_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u inputs of a link", count);
  if (result == PI_SUCCESS)
    result = take_inputs(linked, count, programs, inputs);
  if (result == PI_SUCCESS)
    result = link_inputs(linked, inputs, count, it);
  for (pi_uint32 i = 0; inputs && i < count; i++)
    free(inputs[i].bytes);
  free(inputs);
  return result;
}
