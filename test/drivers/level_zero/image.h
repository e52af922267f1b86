/* Images and samplers of the Level Zero driver for tests. */
#ifndef SPECPI_TEST_FAKE_ZE_IMAGE_H
#define SPECPI_TEST_FAKE_ZE_IMAGE_H

#include "cl.h"
#include "fake.h"

typedef struct fake_image {
  fake_object head;
  fake_device *device;
  ze_image_desc_t desc;
  cl_mem memory;
} fake_image;

typedef struct fake_sampler {
  fake_object head;
  fake_device *device;
  cl_sampler sampler;
} fake_sampler;

#endif
