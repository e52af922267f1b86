/* The forms of code that CUDA takes, and programs of each. What their code says is read elsewhere.
 */
#include "code.h"
#include "program.h"

#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

/*
 * X(NAME, origin, fixed, is_compiled, is_built, read): the forms. PTX becomes the one of its
 * trailer's mode when that is read; the order of these is that of pi_ptx_mode.
 */
#define CUDA_FORMS(X)                                                                              \
  X(PTX_PATCH, "created from PTX", NULL, true, false, program_read_ptx)                            \
  X(PTX_EMULATE, "created from PTX", NULL, true, false, program_read_ptx)                          \
  X(PTX_DEFAULT, "created from PTX",                                                               \
    "its PTX was compiled in mode default, with all defaults built in", true, false,               \
    program_read_ptx)                                                                              \
  X(PTX_PLAIN, "created from PTX",                                                                 \
    "its PTX does not say where its constants are (it has no //!specpi trailer)", true, false,     \
    program_read_ptx)                                                                              \
  X(CUBIN, "created from a cubin",                                                                 \
    "it was created from a cubin, which has its constants built in", false, false,                 \
    program_read_cubin)                                                                            \
  X(FATBIN, "created from a fat binary",                                                           \
    "it was created from a fat binary, which does not tell of its constants", false, false, NULL)

enum {
#define CUDA_FORM(NAME, ...) FORM_##NAME,
  CUDA_FORMS(CUDA_FORM)
#undef CUDA_FORM
};

static const code_form forms[] = {
#define CUDA_FORM(NAME, ...) {__VA_ARGS__},
    CUDA_FORMS(CUDA_FORM)
#undef CUDA_FORM
};

const code_form driver_linked_form = {
    "linked", "it was linked, and has the constants that its parts were compiled with",
    .is_built = true};
const code_form program_module_form = {
    "created from a CUmodule", "it was created from a CUmodule, which has its constants built in",
    .is_built = true};

/* What the code is; refused is the failure for what CUDA does not take. */
static pi_result recognise(pi_context context, const void *bytes, size_t size, pi_result refused,
                           const code_form **ret) {
  char text[64];
  const cuda_code code = cuda_code_read(bytes, size);
  cuda_code_describe(&code, text, sizeof text);
  const cuda_target target = {10 * context->devices[0]->driver.major +
                                  context->devices[0]->driver.minor,
                              cuda_ptx_version()};
  switch (code.kind) {
  case CUDA_CODE_PTX:
    *ret = &forms[FORM_PTX_PLAIN];
    return PI_SUCCESS;
  case CUDA_CODE_CUBIN:
    PI_REQUIRE(cuda_code_rank(&code, &target) != 0, PI_ERROR_INVALID_BINARY,
               "the code is %s, which the device of sm_%d does not run", text, target.capability);
    *ret = &forms[FORM_CUBIN];
    return PI_SUCCESS;
  case CUDA_CODE_FATBIN:
    *ret = &forms[FORM_FATBIN];
    return PI_SUCCESS;
  case CUDA_CODE_DAMAGED:
    return pi_error(PI_ERROR_INVALID_BINARY,
                    "the code is damaged: it begins like PTX, a cubin or a fat binary, and its "
                    "header is not one");
  case CUDA_CODE_SPIRV:
  case CUDA_CODE_BITCODE:
    return pi_error(refused,
                    "the code is %s, which CUDA does not take: compile it to PTX, with specpi-cc "
                    "--target=nvptx64",
                    text);
  default:
    return pi_error(refused, "the code is %s; CUDA takes PTX, cubins and fat binaries", text);
  }
}

static pi_result read_code(pi_program program, const void *code, size_t size, pi_result refused) {
  PI_TRY(recognise(program->context, code, size, refused, &program->form));
  struct driver_program *its = &program->driver;
  its->code = malloc(size);
  PI_REQUIRE(its->code, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of code", size);
  memcpy(its->code, code, size);
  its->code_size = size;
  its->info = code_new();
  PI_REQUIRE(its->info, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a program");
  if (program->form->read)
    PI_TRY(program->form->read(program));
  if (its->image)
    program->form = &forms[FORM_PTX_PATCH + its->image->mode];
  return PI_SUCCESS;
}

pi_result driver_program_read(pi_program program, const void *code, size_t size) {
  return read_code(program, code, size, PI_ERROR_INVALID_VALUE);
}

/* There is one binary: the context has no second device. */
pi_result driver_program_load(pi_program program, const pi_binaries *all, pi_int32 *status) {
  const pi_result result =
      read_code(program, all->bytes[0], all->lengths[0], PI_ERROR_INVALID_BINARY);
  /* The one output of a failure: which binary it was. */
  if (status && (result == PI_SUCCESS || result == PI_ERROR_INVALID_BINARY))
    *status = (pi_int32)result;
  PI_TRY(result);
  return program_read_metadata(program, all->metadata_count, all->metadata);
}

bool program_is_cubin(pi_program program) {
  return program->form == &forms[FORM_CUBIN] || program->form == &driver_linked_form;
}

bool program_tells_kernels(pi_program program) {
  return program->form->is_compiled || program->form == &driver_linked_form;
}
