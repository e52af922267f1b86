/* Memory that another interface than the plugin exports, as a file descriptor. */
#ifndef CONFORMANCE_EXPORTER_H
#define CONFORMANCE_EXPORTER_H

#include <stddef.h>

/*
 * Allocates *size bytes on the first CUDA device, and exports them with CUDA's own functions;
 * returns the file descriptor. Rounds *size up to the driver's granularity. Returns -1 without a
 * CUDA driver, or if it cannot export. The plugin must have initialised the driver.
 */
#ifdef CONFORMANCE_CUDA
int export_from_cuda(size_t *size);
#else /* compiled without CUDA's headers */
static inline int export_from_cuda(size_t *size) {
  (void)size;
  return -1;
}
#endif

#endif
