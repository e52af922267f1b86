/* Tries a device: a small computation of nothing, end to end. */
#ifndef SPECPI_PROBE_H
#define SPECPI_PROBE_H

#include <specpi/specpi.h>

/*
 * Makes a context, a queue and a buffer on the device, writes bytes and reads them back.
 * NULL when that works, else the reason as a message, which the caller frees.
 */
char *probe_device(specpi_device device);

#endif
