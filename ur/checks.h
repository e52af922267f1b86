/* Checks of handles that take more than a look at the handle. */
#ifndef UR_CHECKS_H
#define UR_CHECKS_H

#include "../plugins/objects/context.h"
#include "handles.h"

/* A device that is one of a context's, or a part of one; context is a pi_context. */
#define UR_REQUIRE_DEVICE_OF(context, handle)                                                      \
  do {                                                                                             \
    UR_REQUIRE_DEVICE(handle);                                                                     \
    UR_REQUIRE(context_has(context, device_of(handle)), UR_RESULT_ERROR_INVALID_DEVICE,            \
               #handle " is not a device of the context");                                         \
  } while (0)

/* A live program of that context, in functions that have both (program.h). */
#define UR_REQUIRE_PROGRAM_OF_CONTEXT()                                                            \
  do {                                                                                             \
    UR_REQUIRE_PROGRAM(hProgram);                                                                  \
    UR_REQUIRE(program_of(hProgram)->context->native == context_of(hContext)->native,              \
               UR_RESULT_ERROR_INVALID_CONTEXT, "hProgram is of another context than hContext");   \
  } while (0)

#endif
