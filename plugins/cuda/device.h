/* Facts that CUDA reports about its devices. */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include "../code/code_head.h"
#include "../objects/device.h"

/* Returns the newest PTX version and target that a device and the driver's compiler accept. */
ptx_target device_ptx_target(pi_device device);

/* Returns the device's memory as a CUmemLocation, which CUDA's memory functions take. */
static inline CUmemLocation cuda_location(pi_device device) {
  return (CUmemLocation){.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device->driver.ordinal};
}

/* Returns an attribute of a device, or fallback if the driver does not know the attribute. */
int cuda_attribute(pi_device device, CUdevice_attribute attribute, int fallback);

#endif
