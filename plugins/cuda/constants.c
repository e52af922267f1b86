/* Specialization constants: setting their values, which the next build counts. */
#include "program.h"

#include "checks.h"

#include "../code/constant_check.h"

#include <string.h>

static pi_uint32 id_at(const void *list, size_t index) {
  return ((const pi_ptx_leaf *)list)[index].id;
}

/* The failure for code that has no constants to set; the sentence says what it is. */
static pi_result not_settable(pi_program program, pi_uint32 id) {
  static const char *const reasons[] = {
      [PROGRAM_PTX] = "its PTX does not say where its constants are (it has no //!specpi trailer)",
      [PROGRAM_CUBIN] = "it was created from a cubin, which has its constants built in",
      [PROGRAM_FATBIN] = "it was created from a fat binary, which does not tell of its constants",
      [PROGRAM_LINKED] =
          "it was linked, and counts the constants that its parts were compiled with",
      [PROGRAM_NATIVE] = "it was created from a CUmodule, which has its constants built in"};
  const bool is_default = program->image && program->image->mode == PI_PTX_DEFAULT;
  return pi_error(PI_ERROR_INVALID_PROGRAM, "constant %u of the program cannot be set: %s", id,
                  is_default ? "its PTX was compiled in mode default, with all defaults built in"
                             : reasons[program->kind]);
}

pi_result piextProgramSetSpecializationConstant(pi_program program, pi_uint32 spec_id,
                                                size_t spec_size, const void *spec_value) {
  REQUIRE_PROGRAM(program);
  const pi_ptx_image *image = program->image;
  const bool settable = image && (image->mode == PI_PTX_PATCH || image->mode == PI_PTX_EMULATE);
  /* Runtimes set the ITT one unasked, and would give the program up. */
  if (!settable && spec_id != PI_SPEC_ID_ITT)
    return not_settable(program, spec_id);
  PI_TRY(pi_constant_check_value(spec_id, spec_value));
  const pi_ptx_leaf *leaf = settable ? pi_ptx_image_find_leaf(image, spec_id) : NULL;
  if (!leaf) {
    const pi_constant_ids declared = {image ? image->leaves : NULL,
                                      settable ? image->leaf_count : 0, id_at};
    return pi_constant_unknown(spec_id, &declared);
  }
  PI_TRY(pi_constant_check_size(spec_id, leaf->size, spec_size));
  /* The value as it is: the code takes any byte but 0 of a boolean for true (docs/ptx.md). */
  pthread_mutex_lock(&program->lock);
  memcpy(program->values + leaf->at, spec_value, spec_size);
  pthread_mutex_unlock(&program->lock);
  return PI_SUCCESS;
}
