/* Facts about a device for people and programs that tune kernels. */
#ifndef SPECPI_TOOLS_DEVICE_FACTS_H
#define SPECPI_TOOLS_DEVICE_FACTS_H

#include "tool.h"

#include <jansson.h>

/* Prints one line per fact that the device reports, with the indent of specpi ls --verbose. */
void device_facts_print(specpi_device device);

/* Adds one JSON member per fact; null where the device does not report it. */
void device_facts_add(json_t *object, specpi_device device);

#endif
