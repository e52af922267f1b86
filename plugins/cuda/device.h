/* Facts that CUDA reports about its devices. */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include "../code/code_head.h"
#include "../objects/device.h"

/* The PTX that a device and the driver's compiler run. */
ptx_target device_ptx_target(pi_device device);

/* The location of the device's memory, for functions that take any location. */
static inline CUmemLocation cuda_location(pi_device device) {
  return (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device->driver.ordinal};
}

/* An attribute of a device; fallback when the driver does not know it. */
int cuda_attribute(pi_device device, CUdevice_attribute attribute, int fallback);

#endif
