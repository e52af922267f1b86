/* Tries a device with a small transfer. */
#ifndef SPECPI_PROBE_H
#define SPECPI_PROBE_H

#include <specpi/specpi.h>

/*
 * Creates a context, a queue and a buffer on the device, writes bytes and reads them back.
 * Returns NULL if that works, else the reason, a message that the caller frees.
 */
char *probe_device(specpi_device device);

#endif
