/* Finds out which release of Unified Runtime calls. Several have the same version number. */
#ifndef UR_RELEASE_H
#define UR_RELEASE_H

#include <ur/ur.h>

/*
 * The release of the loader that contains the address caller and asks for version; UR_RELEASE_COUNT
 * if no known release fits. Loads no library.
 */
ur_release release_find(ur_api_version_t version, const void *caller);

/* The text of a release ("2025.3"), and the texts of all known releases, separated by commas. */
const char *release_text(ur_release release);
const char *release_texts(void);

#endif
