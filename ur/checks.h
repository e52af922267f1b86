/* Checks of handles that also need other objects. */
#ifndef UR_CHECKS_H
#define UR_CHECKS_H

#include "../plugins/objects/context.h"
#include "handles.h"

/* Requires a device of a context, or a part of one; context is a pi_context. */
#define UR_REQUIRE_DEVICE_OF(context, handle)                                                      \
  do {                                                                                             \
    UR_REQUIRE_DEVICE(handle);                                                                     \
    UR_REQUIRE(context_has(context, device_of(handle)), UR_RESULT_ERROR_INVALID_DEVICE,            \
               #handle " is not a device of the context");                                         \
  } while (0)

/* Requires a live program of hContext, in functions with both parameters (program.h). */
#define UR_REQUIRE_PROGRAM_OF_CONTEXT()                                                            \
  do {                                                                                             \
    UR_REQUIRE_PROGRAM(hProgram);                                                                  \
    UR_REQUIRE(program_of(hProgram)->context->native == context_of(hContext)->native,              \
               UR_RESULT_ERROR_INVALID_CONTEXT, "hProgram is of another context than hContext");   \
  } while (0)

#endif
