/* The object of a specpi_buffer. */
#ifndef SPECPI_BUFFER_H
#define SPECPI_BUFFER_H

#include "references.h"

#include <specpi/specpi.h>

struct specpi_buffer_object {
  references references;
  specpi_device device;
  const pi_function_table *pi;
  pi_context context; /* the context of the device */
  pi_mem handle;
  size_t size;
};

#endif
