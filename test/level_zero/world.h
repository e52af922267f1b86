/* For the cases of the Level Zero plugin alone: the shared fixture, the plugin and its driver. */
#ifndef SPECPI_TEST_LEVEL_ZERO_WORLD_H
#define SPECPI_TEST_LEVEL_ZERO_WORLD_H

#include "../plugins/world.h"

#include "../../fakes/level_zero/fake_ze.h"
#include "../../plugins/level_zero/level_zero.h"

/* Expects the call of the driver to succeed. */
#define driver(call) assert_int_equal((call), ZE_RESULT_SUCCESS)

/* Returns whether queues gather commands if their flags do not choose. */
bool is_batching(void);

#endif
