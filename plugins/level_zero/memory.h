/* Memory of Level Zero for the objects of ../objects/memory.h. */
#ifndef LEVEL_ZERO_MEMORY_H
#define LEVEL_ZERO_MEMORY_H

#include "../objects/memory.h"
#include "context.h"

/* Frees an image's own parts; in image.c. */
void image_destroy(pi_mem mem);

#endif
