/* Memory of another part of the machine than the plugin, by file descriptor. */
#ifndef CONFORMANCE_EXPORTER_H
#define CONFORMANCE_EXPORTER_H

#include <stddef.h>

/*
 * A descriptor of *size bytes of memory of the first CUDA device, by its driver's own export; *size
 * is rounded up to what that allocates. -1 where there is no such driver, or it does not export.
 * The plugin has initialised the driver.
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
