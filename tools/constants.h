/* Finds out whether a device has native specialization constants. */
#ifndef SPECPI_TOOL_CONSTANTS_H
#define SPECPI_TOOL_CONSTANTS_H

#include <specpi/specpi.h>

/* Verdict on a device for which constants_code returns NULL. */
#define CONSTANTS_NO_CODE "takes no SPIR-V, so that nothing that specpi-cc makes runs on it"

/*
 * Returns the format in which a device takes kernels with native specialization constants:
 * "SPIR-V", "PTX" if it takes only that, or NULL if it takes neither.
 */
const char *constants_code(specpi_device device);

#endif
