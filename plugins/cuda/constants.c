/* Specialization constants: setting their values, which the next build counts. */
#include "program.h"

#include "checks.h"

/* Why the constants of a program cannot be set; NULL: they can. */
static const char *why_fixed(pi_program program) {
  static const char *const reasons[] = {
      [PROGRAM_PTX] = "its PTX does not say where its constants are (it has no //!specpi trailer)",
      [PROGRAM_CUBIN] = "it was created from a cubin, which has its constants built in",
      [PROGRAM_FATBIN] = "it was created from a fat binary, which does not tell of its constants",
      [PROGRAM_LINKED] = "it was linked, and has the constants that its parts were compiled with",
      [PROGRAM_NATIVE] = "it was created from a CUmodule, which has its constants built in"};
  if (program->image && program->image->mode == PI_PTX_DEFAULT)
    return "its PTX was compiled in mode default, with all defaults built in";
  return program->image && program->image->mode != PI_PTX_PLAIN ? NULL : reasons[program->kind];
}

pi_result piextProgramSetSpecializationConstant(pi_program program, pi_uint32 spec_id,
                                                size_t spec_size, const void *spec_value) {
  REQUIRE_PROGRAM(program);
  const char *why = why_fixed(program);
  if (why)
    return constants_refuse(spec_id, spec_value, PI_ERROR_INVALID_PROGRAM, why);
  return pi_constants_set(program->constants, spec_id, spec_size, spec_value);
}
