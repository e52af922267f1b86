/* Functions of the cases about contexts that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_CONTEXT_H
#define SPECPI_TEST_PLUGINS_CONTEXT_H

#include "world.h"

pi_uint32 references_of_context(pi_context context);

typedef pi_result scenario(void);

/* Fails each call of the driver once: no object is left, and the next try succeeds. */
void with_failures(scenario *call);

#endif
