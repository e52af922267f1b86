/* Programs: SPIR-V, whose constants and kernels ../code reads. A build has a copy of the code. */
#include "../objects/program.h"

#include "../checks/build_options.h"
#include "../objects/driver.h"
#include "fail.h"

#include <stdlib.h>
#include <string.h>

const code_form *const driver_forms[] = {&code_form_spirv, NULL};

pi_result driver_check_code(pi_context context, const code_head *head) {
  return PI_SUCCESS;
}

/* Native code is SPIR-V, too: the code of a build. The first binary serves all devices. */
pi_result driver_program_load(pi_program program, const binary_array *all, pi_int32 *status) {
  static const code_form form = {
      .origin = "created from native code",
      .fixed = "it was created from native code, which has its constants built in"};
  spirv_code **code = &program->code.spirv;
  code_set_form(&program->code, &form);
  for (pi_uint32 i = 0; i < all->count; i++) {
    const pi_result result =
        *code ? PI_SUCCESS : spirv_code_create(all->bytes[i], all->lengths[i], code);
    if (status)
      status[i] = result == PI_SUCCESS ? PI_SUCCESS : PI_ERROR_INVALID_BINARY;
    REQUIRE(result == PI_SUCCESS, PI_ERROR_INVALID_BINARY, "binary %u of %u is no native code", i,
            all->count);
  }
  return PI_SUCCESS;
}

/* There is no compiler: refuses only options that every compiler would refuse. */
pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret) {
  TRY(check_options(options, refused));
  REQUIRE(!strstr(options, "--"), refused, "the options are \"%s\"", options);
  return PI_SUCCESS;
}

void driver_compilation_end(struct driver_compilation *compilation) {
  spirv_code_release(compilation->code);
}

/* ---- Builds ---- */

static pi_result open_build(pi_context context, pi_uint32 count, program_build **ret) {
  TRY(null_may(NULL_BUILD));
  program_build *build;
  TRY(build_create(context, &build));
  build->driver.codes = calloc(count, sizeof(spirv_code *));
  if (!build->driver.codes)
    build_release(build);
  REQUIRE(build->driver.codes, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  build->driver.count = count;
  *ret = build;
  return PI_SUCCESS;
}

void driver_build_destroy(program_build *build) {
  for (pi_uint32 i = 0; i < build->driver.count; i++)
    spirv_code_release(build->driver.codes[i]);
  free(build->driver.codes);
}

/* The values of the constants become the defaults of the build's own copy of the code. */
pi_result driver_program_build(pi_program program, build_outcome *outcome) {
  TRY(open_build(program->context, 1, &outcome->build));
  return spirv_code_specialise(program->code.spirv, program->code.constants,
                               &outcome->build->driver.codes[0]);
}

pi_result driver_program_compile(pi_program program, build_outcome *outcome) {
  TRY(null_may(NULL_BUILD));
  return spirv_code_specialise(program->code.spirv, program->code.constants,
                               &outcome->compiled.code);
}

pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              build_outcome *outcome) {
  TRY(open_build(linked->context, count, &outcome->build));
  for (pi_uint32 i = 0; i < count; i++) {
    const pi_program program = programs[i];
    spirv_code *code = program->compiled.code ? program->compiled.code : program->code.spirv;
    REQUIRE(code && (program->compiled.code || program->code.form != &code_form_spirv),
            PI_ERROR_INVALID_OPERATION, "input program %u is not compiled, or is linked", i);
    spirv_code_retain(code);
    outcome->build->driver.codes[i] = code;
  }
  return PI_SUCCESS;
}

pi_result driver_build_name_kernels(pi_program program, program_build *build, kernel_names *names) {
  for (pi_uint32 i = 0; i < build->driver.count; i++) {
    spirv_code *code = build->driver.codes[i];
    const spirv_kernel *none;
    TRY(spirv_code_find_kernel(code, "", &none)); /* makes it read all kernels */
    for (size_t k = 0; k < code->kernel_count; k++)
      TRY(kernel_names_add(names, code->kernels[k].name));
  }
  return PI_SUCCESS;
}

pi_result driver_build_binary(pi_program program, program_build *build, pi_uint32 root,
                              unsigned char *place, size_t *size) {
  const spirv_code *code = build->driver.codes[0];
  if (place)
    memcpy(place, code->bytes, code->size);
  *size = code->size;
  return PI_SUCCESS;
}

pi_result driver_build_find_function(program_build *build, pi_uint32 root, const char *name,
                                     bool *is_there, pi_uint64 *ret) {
  const spirv_kernel *found = NULL;
  for (pi_uint32 i = 0; i < build->driver.count && !found; i++)
    TRY(spirv_code_find_kernel(build->driver.codes[i], name, &found));
  *is_there = found;
  *ret = 0;
  return PI_SUCCESS;
}
