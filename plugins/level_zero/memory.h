/* Level Zero's parts of memory objects (../objects/memory.h). */
#ifndef LEVEL_ZERO_MEMORY_H
#define LEVEL_ZERO_MEMORY_H

#include "../objects/memory.h"
#include "context.h"

/* Destroys the driver's image if the plugin owns it. */
void image_destroy(pi_mem mem);

#endif
