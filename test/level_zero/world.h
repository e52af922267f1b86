/* For the cases that only the Level Zero plugin has: the shared world, the plugin and its driver.
 */
#ifndef SPECPI_TEST_LEVEL_ZERO_WORLD_H
#define SPECPI_TEST_LEVEL_ZERO_WORLD_H

#include "../plugins/world.h"

#include "../../fakes/level_zero/fake_ze.h"
#include "../../plugins/level_zero/level_zero.h"

/* The call of the driver succeeds. */
#define driver(call) assert_int_equal((call), ZE_RESULT_SUCCESS)

/* Whether queues gather commands where their flags do not say. */
bool is_batching(void);

#endif
