/* For the cases that only the CUDA plugin has: the shared world, the plugin and its test driver. */
#ifndef SPECPI_TEST_CUDA_WORLD_H
#define SPECPI_TEST_CUDA_WORLD_H

#include "../plugins/world.h"

#include "../../fakes/cuda/fake_cuda.h"
#include "../../plugins/cuda/cuda.h"

/* The call of the driver succeeds. */
#define driver(call) assert_int_equal((call), CUDA_SUCCESS)

#endif
