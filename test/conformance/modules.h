/*
 * The modules of the tests, inside the program, in the forms that devices take: kernels/NAME.cl,
 * kernels/NAME.spvasm and kernels/spirv/NAME.cl as SPIR-V; kernels/NAME.cl, or what kernels/ptx/
 * has instead of it, as PTX.
 */
#ifndef CONFORMANCE_MODULES_H
#define CONFORMANCE_MODULES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct module {
  const unsigned char *bytes;
  size_t size;
} module;

/* X(NAME, option): the forms, and what --code calls them. */
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

/* A module in the form of this run; skips the test with the reason when it has none. */
module module_in_form(module_index index);

/* module_NAME(): the same, for each line of modules.def. */
#define MODULE(name)                                                                               \
  static inline module module_##name(void) { return module_in_form(MODULE_##name); }
#define MODULE_SPIRV(name, reason) MODULE(name)
#define MODULE_EMULATE(name, reason) MODULE(name)
#include "modules.def"

#endif
