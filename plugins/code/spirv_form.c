/*
 * Form for SPIR-V if the driver takes it. The plugin passes the constants' values separately, or
 * for a link as the defaults in the module (spirv_code_specialise).
 */
#include "program_code.h"

#include "../base/error.h"

#include <stdlib.h>

static pi_result read_spirv(program_code *code) {
  TRY(spirv_code_create(code->bytes, code->size, &code->spirv));
  free(code->bytes);
  code->bytes = NULL;
  return spirv_declare_constants(code->spirv->bytes, code->spirv->size, code->constants);
}

const code_form code_form_spirv = {.kind = CODE_IS_SPIRV,
                                   .name = "SPIR-V",
                                   .origin = "created from SPIR-V",
                                   .is_compiled = true,
                                   .read = read_spirv};
