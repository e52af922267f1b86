/* Specialization constants: setting their values, which the next build counts. */
#include "program.h"

#include "../code/constant_check.h"
#include "checks.h"

/* The failure for a program that has no constants to set; the sentence says what it is. */
static pi_result not_settable(pi_program program, pi_uint32 id) {
  static const char *const reasons[] = {
      [PROGRAM_IL] = "it has none",
      [PROGRAM_BINARY] = "it was created from native code, which has its constants built in",
      [PROGRAM_LINKED] = "it was linked, and has the constants that its parts were compiled with",
      [PROGRAM_NATIVE] = "it was created from a module, which has its constants built in"};
  return pi_error(PI_ERROR_INVALID_PROGRAM, "constant %u of the program cannot be set: %s", id,
                  reasons[program->kind]);
}

/*
 * All checks are here: Level Zero takes no sizes and reads as many bytes as the module says, and
 * drivers answer an id that they do not know with a failed build.
 */
pi_result piextProgramSetSpecializationConstant(pi_program program, pi_uint32 spec_id,
                                                size_t spec_size, const void *spec_value) {
  REQUIRE_PROGRAM(program);
  if (program->constants)
    return pi_constants_set(program->constants, spec_id, spec_size, spec_value);
  /* Runtimes set the ITT one unasked, and would give the program up. */
  if (spec_id != PI_SPEC_ID_ITT)
    return not_settable(program, spec_id);
  PI_TRY(pi_constant_check_value(spec_id, spec_value));
  const pi_constant_ids none = {NULL, 0, NULL};
  return pi_constant_unknown(spec_id, &none);
}
