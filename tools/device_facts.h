/* Facts about a device that a tuner of kernels needs. */
#ifndef SPECPI_TOOLS_DEVICE_FACTS_H
#define SPECPI_TOOLS_DEVICE_FACTS_H

#include "tool.h"

#include <jansson.h>

/* Prints a line for each that the device answers, as specpi ls --verbose indents them. */
void device_facts_print(specpi_device device);

/* Adds a member for each; what the device does not answer is null. */
void device_facts_add(json_t *object, specpi_device device);

#endif
