/* Which release of Unified Runtime a libsycl is of, as its files show it. */
#ifndef SPECPI_RELEASE_H
#define SPECPI_RELEASE_H

#include "runtime.h"

/*
 * The release ("2025.3") of a runtime of kind RUNTIME_UR: by the version that its libsycl asks its
 * loader for, and by the functions of this loader, which is libur_loader.so.0 beside it, or inside
 * of it. NULL when it is none that is known. An adapter finds out the same in a process
 * (docs/internals/ur.md).
 */
const char *release_find(const runtime *runtime);

/* Returns whether the loader of a runtime has the adapter of a backend, a name, inside. */
bool release_has_inside(const runtime *runtime, const char *backend);

/* Those that are known, with commas between. */
const char *release_names(void);

#endif
