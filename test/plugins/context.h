/* What the cases about contexts that only one backend has share with the others. */
#ifndef SPECPI_TEST_PLUGINS_CONTEXT_H
#define SPECPI_TEST_PLUGINS_CONTEXT_H

#include "world.h"

pi_uint32 references_of_context(pi_context context);

typedef pi_result scenario(void);

/* Each call of the driver fails once: nothing is left, and the next try succeeds. */
void with_failures(scenario *call);

#endif
