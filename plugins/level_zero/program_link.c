/*
 * Programs: linking. A driver with ZE_experimental_module_program makes one module from all inputs.
 * Without it, and for native code, each input becomes a module, and zeModuleDynamicLink joins the
 * modules. A single input needs neither.
 *
 * The constants that an input was compiled with are in its SPIR-V as defaults. The extension also
 * takes values for each input, but Intel's driver (22.43) looks them up by id alone, so two inputs
 * that use the same id would get the same value.
 */
#include "program.h"

#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

/* An input as it was at the start of the link. */
typedef struct link_input {
  pi_program program;
  spirv_code *code;     /* a reference, if the program is compiled; else NULL */
  program_build *build; /* a reference, if the program is native code; else NULL */
  char *flags;          /* flags of the compilation and of the link */
} link_input;

typedef struct link_request {
  pi_context context;
  pi_uint32 count;
  link_input *inputs;
  build_outcome *outcome;
} link_request;

static void free_inputs(link_input *inputs, pi_uint32 count) {
  for (pi_uint32 i = 0; i < count; i++) {
    spirv_code_release(inputs[i].code);
    build_release(inputs[i].build);
    free(inputs[i].flags);
  }
  free(inputs);
}

/* Joins flags. library: adds the flag that Intel's compiler needs for a module that is linked with
 * others. */
static pi_result join_flags(const char *own, const char *link, bool library, char **ret) {
  static const char library_flag[] = "-library-compilation";
  const size_t room = strlen(own) + strlen(link) + sizeof library_flag + 3;
  char *flags = calloc(1, room);
  REQUIRE_MEMORY(flags, "%zu bytes of build options", room);
  const char *const parts[] = {own, link, library ? library_flag : ""};
  size_t used = 0;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    const size_t length = strlen(parts[i]);
    if (length == 0)
      continue;
    if (used != 0)
      flags[used++] = ' ';
    memcpy(flags + used, parts[i], length);
    used += length;
  }
  *ret = flags;
  return PI_SUCCESS;
}

/* Takes references to an input's code or build, and joins its flags with those of the link. */
static pi_result take_input(pi_program program, pi_uint32 index, const char *link_flags,
                            bool library, link_input *ret) {
  ret->program = program;
  if (program->loaded) {
    ret->build = program->loaded;
    build_retain(ret->build);
    return PI_SUCCESS;
  }
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&program->lock);
  if (program->compiled.code) {
    result = join_flags(program->compiled.flags, link_flags, library, &ret->flags);
    if (result == PI_SUCCESS) {
      ret->code = program->compiled.code;
      spirv_code_retain(ret->code);
    }
  }
  pthread_mutex_unlock(&program->lock);
  TRY(result);
  REQUIRE(ret->code, PI_ERROR_INVALID_OPERATION,
          "input program %u is not compiled (piProgramCompile), or is linked already", index);
  return PI_SUCCESS;
}

static module_input input_of(const link_input *input) {
  return (module_input){input->code->bytes, input->code->size, input->flags, NULL, 0};
}

/* Makes one module from all inputs. */
static pi_result link_as_one(const link_request *request, pi_uint32 root, build_log *log,
                             ze_module_handle_t *ret) {
  if (request->count == 1) {
    const module_input input = input_of(&request->inputs[0]);
    return module_create(request->context, root, ZE_MODULE_FORMAT_IL_SPIRV, &input, true,
                         PI_ERROR_LINK_PROGRAM_FAILURE, log, ret);
  }
  module_input *inputs = calloc(request->count, sizeof *inputs);
  REQUIRE_MEMORY(inputs, "%u inputs of a link", request->count);
  for (pi_uint32 i = 0; i < request->count; i++)
    inputs[i] = input_of(&request->inputs[i]);
  const pi_result result = module_create_linked(request->context, root, request->count, inputs,
                                                PI_ERROR_LINK_PROGRAM_FAILURE, log, ret);
  free(inputs);
  return result;
}

/* Copies an input's native code for a root device into a new module of the link's own. */
static pi_result copy_native(const link_request *request, pi_uint32 root, const link_input *input,
                             build_log *log, ze_module_handle_t *ret) {
  const ze_module_handle_t module = build_modules(input->build, root)[0];
  REQUIRE(module, PI_ERROR_INVALID_BINARY,
          "an input program has no binary for device %u of the context", root);
  size_t size = 0;
  ZE_TRY(ModuleGetNativeBinary, module, &size, NULL);
  unsigned char *bytes = malloc(size + 1);
  REQUIRE_MEMORY(bytes, "%zu bytes of native code", size);
  const module_input copy = {bytes, size, request->outcome->compiled.flags, NULL, 0};
  pi_result result = ZE_CALL(ModuleGetNativeBinary, module, &size, bytes);
  if (result == PI_SUCCESS)
    result = module_create(request->context, root, ZE_MODULE_FORMAT_NATIVE, &copy, false,
                           PI_ERROR_LINK_PROGRAM_FAILURE, log, ret);
  free(bytes);
  return result;
}

/* Makes a module for each input and joins them. The build destroys the modules, also on failure. */
static pi_result link_as_parts(const link_request *request, pi_uint32 root, build_log *log,
                               ze_module_handle_t *modules) {
  for (pi_uint32 i = 0; i < request->count; i++) {
    const link_input *link_input = &request->inputs[i];
    if (link_input->build) {
      TRY(copy_native(request, root, link_input, log, &modules[i]));
      continue;
    }
    const module_input input = input_of(link_input);
    TRY(module_create(request->context, root, ZE_MODULE_FORMAT_IL_SPIRV, &input, false,
                      PI_ERROR_LINK_PROGRAM_FAILURE, log, &modules[i]));
  }
  return module_link(request->count, modules, PI_ERROR_LINK_PROGRAM_FAILURE, log);
}

static bool has_native(pi_uint32 count, const pi_program *programs) {
  bool any = false;
  for (pi_uint32 i = 0; i < count; i++)
    any = any || programs[i]->loaded;
  return any;
}

static pi_result make_build(const link_request *request, bool as_one, program_build *build) {
  build_outcome *outcome = request->outcome;
  for (pi_uint32 i = 0; i < request->count; i++)
    if (request->inputs[i].code) {
      spirv_code_retain(request->inputs[i].code);
      build->driver.codes[build->driver.code_count++] = request->inputs[i].code;
    }
  for (pi_uint32 root = 0; root < build->driver.roots; root++) {
    if (!outcome->asked[root])
      continue;
    ze_module_handle_t *modules = build_modules(build, root);
    TRY(as_one ? link_as_one(request, root, &outcome->log, modules)
               : link_as_parts(request, root, &outcome->log, modules));
  }
  return PI_SUCCESS;
}

static pi_result link_inputs(const link_request *request, bool as_one) {
  program_build *build;
  TRY(build_open(request->context, as_one ? 1 : request->count, request->count, &build));
  const pi_result result = make_build(request, as_one, build);
  if (result == PI_SUCCESS)
    request->outcome->build = build;
  else
    build_release(build);
  return result;
}

static pi_result take_and_link(link_request *request, const pi_program *programs) {
  const bool native = has_native(request->count, programs);
  const bool as_one =
      !native && (request->count == 1 || request->context->platform->driver.has_module_program);
  request->inputs = calloc(request->count, sizeof *request->inputs);
  REQUIRE_MEMORY(request->inputs, "%u inputs of a link", request->count);
  for (pi_uint32 i = 0; i < request->count; i++)
    TRY(take_input(programs[i], i, request->outcome->compiled.flags, !as_one, &request->inputs[i]));
  return link_inputs(request, as_one);
}

pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              build_outcome *outcome) {
  link_request request = {.context = linked->context, .count = count, .outcome = outcome};
  const pi_result result = take_and_link(&request, programs);
  if (request.inputs)
    free_inputs(request.inputs, count);
  return result;
}
