/* Which release of Unified Runtime asks: several have the same version number. */
#ifndef UR_RELEASE_H
#define UR_RELEASE_H

#include <ur/ur.h>

/*
 * The release whose loader has the address caller and asks for version; UR_RELEASE_COUNT when none
 * that is known fits. Opens nothing that is not open already.
 */
ur_release release_find(ur_api_version_t version, const void *caller);

/* The text of a release ("2025.3"), and those of all that are known, with commas between. */
const char *release_text(ur_release release);
const char *release_texts(void);

#endif
