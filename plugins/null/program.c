/* Programs: SPIR-V, whose constants and kernels the shared part reads. A build is that code. */
#include "../objects/program.h"

#include "../code/select_image.h"
#include "../code/spirv_code.h"
#include "../objects/driver.h"
#include "../objects/handle_checks.h"
#include "fail.h"

#include <stdlib.h>
#include <string.h>

static const code_form spirv_form = {.origin = "created from SPIR-V", .is_compiled = true};
static const code_form binary_form = {
    .origin = "created from native code",
    .fixed = "it was created from native code, which has its constants built in"};
const code_form driver_linked_form = {
    .origin = "linked",
    .fixed = "it was linked, and has the constants that its parts were compiled with",
    .is_built = true};

pi_result driver_program_read(pi_program program, const void *code, size_t size) {
  program->form = &spirv_form;
  PI_TRY(spirv_code_create(code, size, &program->driver.code));
  const spirv_code *copy = program->driver.code;
  return spirv_declare_constants(copy->bytes, copy->size, program->constants);
}

/* What is native here is SPIR-V as well: what a build has. All devices take the same. */
pi_result driver_program_load(pi_program program, const pi_binaries *all, pi_int32 *status) {
  program->form = &binary_form;
  for (pi_uint32 i = 0; i < all->count; i++) {
    const pi_result result =
        program->driver.code
            ? PI_SUCCESS
            : spirv_code_create(all->bytes[i], all->lengths[i], &program->driver.code);
    if (status)
      status[i] = result == PI_SUCCESS ? PI_SUCCESS : PI_ERROR_INVALID_BINARY;
    PI_REQUIRE(result == PI_SUCCESS, PI_ERROR_INVALID_BINARY, "binary %u of %u is no native code",
               i, all->count);
  }
  return PI_SUCCESS;
}

void driver_program_destroy(pi_program program) {
  spirv_code_release(program->driver.code);
}

bool driver_program_is_for(pi_program program, pi_uint32 root) {
  return true;
}

/* There is no compiler behind it, and all compilers refuse these. */
pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret) {
  PI_TRY(pi_check_options(options, refused));
  PI_REQUIRE(!strstr(options, "--"), refused, "the options are \"%s\"", options);
  return PI_SUCCESS;
}

void driver_compilation_end(struct driver_compilation *it) {
  spirv_code_release(it->code);
}

/* ---- Builds ---- */

static pi_result open_build(pi_context context, pi_uint32 count, program_build **ret) {
  PI_TRY(null_may(NULL_BUILD));
  program_build *build;
  PI_TRY(build_create(context, &build));
  build->driver.codes = calloc(count, sizeof(spirv_code *));
  if (!build->driver.codes)
    build_release(build);
  PI_REQUIRE(build->driver.codes, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
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
pi_result driver_program_build(pi_program program, bool is_explicit, build_outcome *it) {
  PI_TRY(open_build(program->context, 1, &it->build));
  return spirv_code_specialise(program->driver.code, program->constants,
                               &it->build->driver.codes[0]);
}

pi_result driver_program_compile(pi_program program, bool is_explicit, build_outcome *it) {
  PI_TRY(null_may(NULL_BUILD));
  return spirv_code_specialise(program->driver.code, program->constants, &it->compiled.code);
}

pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              build_outcome *it) {
  PI_TRY(open_build(linked->context, count, &it->build));
  for (pi_uint32 i = 0; i < count; i++) {
    const pi_program program = programs[i];
    spirv_code *code = program->compiled.code ? program->compiled.code : program->driver.code;
    PI_REQUIRE(code && (program->compiled.code || program->form != &spirv_form),
               PI_ERROR_INVALID_OPERATION, "input program %u is not compiled, or is linked", i);
    spirv_code_retain(code);
    it->build->driver.codes[i] = code;
  }
  return PI_SUCCESS;
}

pi_result driver_build_name_kernels(pi_program program, program_build *build, kernel_names *names) {
  for (pi_uint32 i = 0; i < build->driver.count; i++) {
    spirv_code *code = build->driver.codes[i];
    const spirv_kernel *none;
    PI_TRY(spirv_code_find_kernel(code, "", &none)); /* which reads all */
    for (size_t k = 0; k < code->kernel_count; k++)
      PI_TRY(kernel_names_add(names, code->kernels[k].name));
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

pi_native_handle driver_build_native(program_build *build) {
  return (pi_native_handle)build;
}

/* All that there are are ours. */
pi_result driver_program_adopt(pi_context context, pi_native_handle native, bool is_owned,
                               pi_program *ret) {
  const pi_program ours = (pi_program)(void *)registry_find(PI_HANDLE_PROGRAM, native, is_owned);
  PI_REQUIRE(ours, PI_ERROR_INVALID_PROGRAM, "0x%zx is no program of the null driver",
             (size_t)native);
  *ret = ours;
  return PI_SUCCESS;
}

pi_result piextDeviceSelectBinary(pi_device device, pi_device_binary *binaries,
                                  pi_uint32 num_binaries, pi_uint32 *selected_binary_ind) {
  REQUIRE_DEVICE(device);
  PI_TRY(pi_check_select_image(binaries, num_binaries, selected_binary_ind));
  return pi_select_image(binaries, num_binaries, NULL, PI_DEVICE_BINARY_TARGET_SPIRV64,
                         selected_binary_ind);
}
