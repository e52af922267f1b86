/* PI looks at nothing of a handle. An adapter has a definition of its own (ur/table.c). */
#include "../plugins/objects/handle.h"

const void *const object_face = NULL;
