/*
 * Programs: creation, lifetime, native handles. What code says of itself is read in program_code.c,
 * constants are set in constants.c, builds are in build.c and program_build.c, queries in
 * program_info.c.
 */
#include "program.h"

#include "checks.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

pi_result program_new(pi_context context, program_kind kind, pi_program *ret) {
  pi_program program = calloc(1, sizeof *program);
  code_info *info = program ? code_new() : NULL;
  if (!info || constants_create(&program->constants) != PI_SUCCESS) {
    code_release(info);
    free(program);
    return pi_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a program");
  }
  program->info = info;
  pthread_mutex_init(&program->build_lock, NULL);
  pthread_mutex_init(&program->lock, NULL);
  pi_handle_init(&program->handle, PI_HANDLE_PROGRAM);
  program->kind = kind;
  program->status = PI_PROGRAM_BUILD_STATUS_NONE;
  program->type = PI_PROGRAM_BINARY_TYPE_NONE;
  program->context = context;
  context_retain(context);
  *ret = program;
  return PI_SUCCESS;
}

void program_release(pi_program program) {
  if (!pi_handle_release(&program->handle))
    return;
  if (program->build)
    native_forget(program->build->module, &program->handle);
  build_release(program->build);
  native_release_origin(program->origin);
  free(program->code);
  pi_ptx_image_free(program->image);
  code_release(program->info);
  free(program->blocks);
  for (size_t i = 0; i < program->global_count; i++) {
    free(program->globals[i].id);
    free(program->globals[i].name);
  }
  free(program->globals);
  pi_constants_free(program->constants);
  free(program->compiled);
  free(program->options);
  free(program->log);
  pthread_mutex_destroy(&program->build_lock);
  pthread_mutex_destroy(&program->lock);
  context_release(program->context);
  free(program);
}

static bool has_device(const void *context, pi_device device) {
  const struct pi_context_object *of = context;
  return device == of->devices[0];
}

pi_devices program_devices(pi_context context) {
  return (pi_devices){context, has_device};
}

pi_result program_hold_build(pi_program program, cuda_build **ret) {
  pthread_mutex_lock(&program->lock);
  cuda_build *build = program->build;
  if (build)
    build_retain(build);
  pthread_mutex_unlock(&program->lock);
  PI_REQUIRE_BUILT(build);
  *ret = build;
  return PI_SUCCESS;
}

pi_result piProgramCreate(pi_context context, const void *il, size_t length,
                          pi_program *res_program) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(il);
  PI_REQUIRE(length != 0, PI_ERROR_INVALID_VALUE, "length is 0");
  REQUIRE_POINTER(res_program);
  return program_new_from_code(context, il, length, PI_ERROR_INVALID_VALUE, res_program);
}

pi_result piProgramCreateWithBinary(pi_context context, pi_uint32 num_devices,
                                    const pi_device *device_list, const size_t *lengths,
                                    const unsigned char **binaries, size_t num_metadata_entries,
                                    const pi_device_binary_property *metadata,
                                    pi_int32 *binary_status, pi_program *ret_program) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(ret_program);
  const pi_binaries all = {num_devices, device_list,          lengths,
                           binaries,    num_metadata_entries, metadata};
  const pi_devices devices = program_devices(context);
  /* There is one, then: the context has no second device. */
  PI_TRY(pi_check_binaries(&devices, &all));
  pi_program program = NULL;
  pi_result result =
      program_new_from_code(context, binaries[0], lengths[0], PI_ERROR_INVALID_BINARY, &program);
  /* The one output of a failure: which binary it was. */
  if (binary_status && (result == PI_SUCCESS || result == PI_ERROR_INVALID_BINARY))
    *binary_status = (pi_int32)result;
  PI_TRY(result);
  result = program_read_metadata(program, num_metadata_entries, metadata);
  if (result != PI_SUCCESS) {
    program_release(program);
    return result;
  }
  *ret_program = program;
  return PI_SUCCESS;
}

pi_result piProgramRetain(pi_program program) {
  REQUIRE_PROGRAM(program);
  program_retain(program);
  return PI_SUCCESS;
}

pi_result piProgramRelease(pi_program program) {
  REQUIRE_PROGRAM(program);
  program_release(program);
  return PI_SUCCESS;
}

/*
 * The CUmodule of the latest build, which it belongs to: it goes when the program and its kernels
 * do, or are built again.
 */
pi_result piextProgramGetNativeHandle(pi_program program, pi_native_handle *native_handle) {
  REQUIRE_PROGRAM(program);
  REQUIRE_POINTER(native_handle);
  CUmodule module = NULL;
  pi_result result = PI_SUCCESS;
  /* Another build takes the note back, and must find it. */
  pthread_mutex_lock(&program->lock);
  if (program->build) {
    module = program->build->module;
    result = native_remember(module, &program->handle);
  }
  pthread_mutex_unlock(&program->lock);
  PI_TRY(result);
  PI_REQUIRE_BUILT(module);
  *native_handle = (pi_native_handle)(void *)module;
  return PI_SUCCESS;
}

/* Makes a new program share the build of origin, which module came from. */
static pi_result share(pi_program made, CUmodule module, pi_program origin) {
  cuda_build *build;
  PI_TRY(program_hold_build(origin, &build));
  made->build = build;
  PI_REQUIRE(build->module == module, PI_ERROR_INVALID_PROGRAM,
             "native_handle is the module of a program that was built again since");
  PI_REQUIRE(build->context->driver.context == made->context->driver.context,
             PI_ERROR_INVALID_CONTEXT, "native_handle is a module of another context");
  code_release(made->info);
  made->info = origin->info;
  code_retain(made->info);
  return PI_SUCCESS;
}

/* The build of a program around module; a failure leaves the handle and its reference as they are.
 */
static pi_result take_module(pi_program made, CUmodule module, bool is_owned) {
  pi_handle *origin = native_find(module, PI_HANDLE_PROGRAM, is_owned);
  if (!origin)
    return build_adopt(made->context, module, is_owned, &made->build);
  made->origin = origin;
  const pi_result result = share(made, module, (pi_program)(void *)origin);
  if (result != PI_SUCCESS && is_owned)
    made->origin = NULL;
  return result;
}

/*
 * A CUmodule has no count of references, so that who owns it unloads it, once. One that came from
 * piextProgramGetNativeHandle stays its build's, which the new program shares.
 */
pi_result piextProgramCreateWithNativeHandle(pi_native_handle native_handle, pi_context context,
                                             bool plugin_owns_native_handle, pi_program *program) {
  PI_REQUIRE(native_handle, PI_ERROR_INVALID_PROGRAM, "native_handle is 0");
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(program);
  pi_program made;
  PI_TRY(program_new(context, PROGRAM_NATIVE, &made));
  const pi_result result = take_module(made, (CUmodule)native_handle, plugin_owns_native_handle);
  if (result != PI_SUCCESS) {
    program_release(made);
    return result;
  }
  made->status = PI_PROGRAM_BUILD_STATUS_SUCCESS;
  made->type = PI_PROGRAM_BINARY_TYPE_EXECUTABLE;
  *program = made;
  return PI_SUCCESS;
}
