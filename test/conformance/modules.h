/*
 * The modules of the tests, embedded in the program in each form of code. The SPIR-V comes from
 * kernels/NAME.cl, kernels/NAME.spvasm or kernels/spirv/NAME.cl; the PTX from kernels/ptx/, or else
 * from kernels/NAME.cl.
 */
#ifndef CONFORMANCE_MODULES_H
#define CONFORMANCE_MODULES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct module {
  const unsigned char *bytes;
  size_t size;
} module;

/* X(NAME, option): the forms, and their names as values of --code. */
#define CODE_FORMS(X)                                                                              \
  X(SPIRV, "spirv")                                                                                \
  X(PTX_PATCH, "ptx-patch")                                                                        \
  X(PTX_EMULATE, "ptx-emulate")

#define CODE_FORM(name, option) CODE_##name,
typedef enum code_form { CODE_FORMS(CODE_FORM) CODE_FORM_COUNT } code_form;
#undef CODE_FORM

/* The form of this run; set before the tests begin. */
extern code_form code_in_use;

static inline bool code_is_ptx(void) {
  return code_in_use != CODE_SPIRV;
}

typedef enum module_index {
#define MODULE(name) MODULE_##name,
#define MODULE_SPIRV(name, reason) MODULE_##name,
#define MODULE_EMULATE(name, reason) MODULE_##name,
#include "modules.def"
} module_index;

/* A module in the form of this run; skips the test, with the reason, when it lacks that form. */
module module_in_form(module_index index);

/* module_NAME(): module_in_form for each line of modules.def. */
#define MODULE(name)                                                                               \
  static inline module module_##name(void) { return module_in_form(MODULE_##name); }
#define MODULE_SPIRV(name, reason) MODULE(name)
#define MODULE_EMULATE(name, reason) MODULE(name)
#include "modules.def"

#endif
