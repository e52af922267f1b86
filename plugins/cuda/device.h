/* What CUDA tells of its devices. */
#ifndef PI_CUDA_DEVICE_H
#define PI_CUDA_DEVICE_H

#include "../objects/device.h"

/* The newest version of PTX that the driver takes, 84 for 8.4; see code.h. */
int cuda_ptx_version(void);

/* An attribute of a device; fallback when the driver does not know it. */
int cuda_attribute(pi_device device, CUdevice_attribute attribute, int fallback);

#endif
