/* The shared fixture, the plugin and its fake driver, for tests of the CUDA plugin alone. */
#ifndef SPECPI_TEST_CUDA_WORLD_H
#define SPECPI_TEST_CUDA_WORLD_H

#include "../plugins/world.h"

#include "../../fakes/cuda/fake_cuda.h"
#include "../../plugins/cuda/cuda.h"

/* Expects the call of the driver to succeed. */
#define driver(call) assert_int_equal((call), CUDA_SUCCESS)

#endif
