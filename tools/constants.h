/* Finds out whether a device's specialization constants are native. */
#ifndef SPECPI_TOOL_CONSTANTS_H
#define SPECPI_TOOL_CONSTANTS_H

#include <specpi/specpi.h>

/* Said of a device without any. */
#define CONSTANTS_NO_CODE "takes no SPIR-V, so that nothing that specpi-cc makes runs on it"

/*
 * The code in which a device takes constants that its compiler knows: "SPIR-V", "PTX" where that
 * alone is taken, or NULL.
 */
const char *constants_code(specpi_device device);

#endif
