/* Finds out a libsycl's release of Unified Runtime from its files. */
#ifndef SPECPI_RELEASE_H
#define SPECPI_RELEASE_H

#include "runtime.h"

/*
 * Returns the release, like "2025.3", of a runtime of kind RUNTIME_UR; NULL if it is unknown. It
 * follows from the symbol version that libsycl needs from its loader, and from the loader's
 * functions. The loader is libur_loader.so.0 beside libsycl, or a part of libsycl. Adapters find
 * out the same at run time (docs/internals/ur.md).
 */
const char *release_find(const runtime *runtime);

/* Returns whether a runtime's loader contains the adapter of the backend with this name. */
bool release_has_inside(const runtime *runtime, const char *backend);

/* Returns the known releases as a comma-separated list. */
const char *release_names(void);

#endif
