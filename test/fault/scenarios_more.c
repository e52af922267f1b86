/* Further calls of entries that have more than one way through them. */
#include "scenarios.h"

/* Of OpenCL a module whose ids are given by a decoration group: the driver gets another one. */
MORE(program_of_other_code) {
  return piProgramCreate(w->context, backend_other_code(), backend_other_code_size(),
                         &w->out.program);
}

/* No binary is wanted, so they all go to a place that is thrown away. */
MORE(binaries_unwanted) {
  unsigned char *nowhere = NULL;
  return piProgramGetInfo(w->rebuilt, PI_PROGRAM_INFO_BINARIES, sizeof nowhere, &nowhere, NULL);
}

/* More commands than there is room for at first. */
MORE(command_buffer_grows) {
  enum { MANY = 12 };
  pi_result result = PI_SUCCESS;
  for (int i = 0; i < MANY && result == PI_SUCCESS; i++)
    result = piextCommandBufferMemBufferCopy(w->spare.command_buffer, w->buffer, w->second, 0, 0,
                                             64, 0, NULL, NULL);
  return result;
}
