/* Specialization constants: setting their values, which the next build counts. */
#include "program.h"

#include "checks.h"

/*
 * All checks are here: Level Zero takes no sizes and reads as many bytes as the module says, and
 * drivers answer an id that they do not know with a failed build.
 */
pi_result piextProgramSetSpecializationConstant(pi_program program, pi_uint32 spec_id,
                                                size_t spec_size, const void *spec_value) {
  static const char *const reasons[] = {
      [PROGRAM_IL] = "it has none",
      [PROGRAM_BINARY] = "it was created from native code, which has its constants built in",
      [PROGRAM_LINKED] = "it was linked, and has the constants that its parts were compiled with",
      [PROGRAM_NATIVE] = "it was created from a module, which has its constants built in"};
  REQUIRE_PROGRAM(program);
  if (program->constants)
    return pi_constants_set(program->constants, spec_id, spec_size, spec_value);
  return constants_refuse(spec_id, spec_value, PI_ERROR_INVALID_PROGRAM, reasons[program->kind]);
}
