/* NULL, because a PI runtime reads nothing from a handle. UR adapters have another definition of
 * this (ur/table.c). */
#include "../plugins/objects/handle.h"

const void *const object_face = NULL;
