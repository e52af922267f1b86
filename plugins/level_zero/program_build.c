/* Programs: building and compiling. */
#include "program.h"

#include "../objects/driver.h"

#include <stdlib.h>

/* Adds the devices of the previous build, so that all devices get the current constants. */
static void add_former(pi_program program, build_outcome *outcome) {
  pthread_mutex_lock(&program->lock);
  if (program->build)
    for (pi_uint32 i = 0; i < program->build->driver.roots; i++)
      outcome->asked[i] = outcome->asked[i] || build_modules(program->build, i)[0];
  pthread_mutex_unlock(&program->lock);
}

/* Returns whether to skip a device because it takes no SPIR-V and was not named explicitly. */
static bool skips(pi_program program, pi_uint32 root, bool is_explicit) {
  return !is_explicit && program->context->roots[root]->driver.module.spirvVersionSupported == 0;
}

static pi_result make_modules(pi_program program, const module_input *input, program_build *build,
                              build_outcome *outcome) {
  for (pi_uint32 i = 0; i < build->driver.roots; i++) {
    if (!outcome->asked[i])
      continue;
    if (skips(program, i, outcome->is_explicit)) {
      outcome->asked[i] = false;
      continue;
    }
    TRY(module_create(program->context, i, ZE_MODULE_FORMAT_IL_SPIRV, input, true,
                      PI_ERROR_BUILD_PROGRAM_FAILURE, &outcome->log, build->driver.modules + i));
  }
  return PI_SUCCESS;
}

static pi_result build_il(pi_program program, build_outcome *outcome) {
  code_constant *values = NULL;
  size_t count = 0;
  program_build *build;
  TRY(code_constants_snapshot(program->code.constants, &values, &count));
  pi_result result = build_open(program->context, 1, 1, &build);
  if (result != PI_SUCCESS) {
    free(values);
    return result;
  }
  spirv_code_retain(program->code.spirv);
  build->driver.codes[build->driver.code_count++] = program->code.spirv;
  const module_input input = {program->code.spirv->bytes, program->code.spirv->size,
                              outcome->compiled.flags, values, count};
  result = make_modules(program, &input, build, outcome);
  free(values);
  if (result == PI_SUCCESS)
    outcome->build = build;
  else
    build_release(build);
  return result;
}

/* Uses the native code that was loaded when the program was created, for the devices that have
 * some. */
static pi_result build_native(pi_program program, build_outcome *outcome) {
  program_build *loaded = program->loaded;
  for (pi_uint32 i = 0; i < loaded->driver.roots; i++) {
    const bool is_there = build_modules(loaded, i)[0] != NULL;
    REQUIRE(is_there || !outcome->asked[i] || !outcome->is_explicit, PI_ERROR_INVALID_BINARY,
            "the program has no binary for device %u of the context", i);
    outcome->asked[i] = outcome->asked[i] && is_there;
  }
  build_retain(loaded);
  outcome->build = loaded;
  return PI_SUCCESS;
}

pi_result driver_program_build(pi_program program, build_outcome *outcome) {
  add_former(program, outcome);
  return program->loaded ? build_native(program, outcome) : build_il(program, outcome);
}

/* Keeps the code with its current constants for a link, which is when the driver compiles it. */
pi_result driver_program_compile(pi_program program, build_outcome *outcome) {
  return spirv_code_specialise(program->code.spirv, program->code.constants,
                               &outcome->compiled.code);
}
