/* What a device can do, where CUDA has no one attribute for PI's question. */
#include "device.h"

/* Fences of sequential consistency are there from sm_70 on. */
pi_uint64 cuda_atomic_orders(pi_device device) {
  const pi_uint64 weaker = PI_MEMORY_ORDER_RELAXED | PI_MEMORY_ORDER_ACQUIRE |
                           PI_MEMORY_ORDER_RELEASE | PI_MEMORY_ORDER_ACQ_REL;
  return device->driver.major >= 7 ? weaker | PI_MEMORY_ORDER_SEQ_CST : weaker;
}

/* Atomics that the host and other devices see are there from sm_60 on. */
pi_uint64 cuda_atomic_scopes(pi_device device) {
  const pi_uint64 narrower = PI_MEMORY_SCOPE_WORK_ITEM | PI_MEMORY_SCOPE_SUB_GROUP |
                             PI_MEMORY_SCOPE_WORK_GROUP | PI_MEMORY_SCOPE_DEVICE;
  return device->driver.major >= 6 ? narrower | PI_MEMORY_SCOPE_SYSTEM : narrower;
}

static pi_result has(pi_device device, CUdevice_attribute attribute, bool *ret) {
  int value = 0;
  CU_TRY(DeviceGetAttribute, &value, attribute, device->driver.ordinal);
  *ret = value != 0;
  return PI_SUCCESS;
}

/*
 * What an allocation that exists at all allows: kernels reach it, with atomics of the system's
 * scope from sm_60 on; beside the host where that is said to be possible.
 */
static pi_uint64 abilities(pi_device device, bool concurrent) {
  const bool atomics = device->driver.major >= 6;
  return (pi_uint64)PI_USM_ACCESS | (atomics ? PI_USM_ATOMIC_ACCESS : 0) |
         (concurrent ? PI_USM_CONCURRENT_ACCESS : 0) |
         (concurrent && atomics ? PI_USM_CONCURRENT_ATOMIC_ACCESS : 0);
}

pi_result cuda_usm_abilities(pi_device device, pi_device_info query, pi_uint64 *ret) {
  bool exists = true;
  bool concurrent = true;
  switch ((int)query) {
  case PI_DEVICE_INFO_USM_HOST_SUPPORT:
    PI_TRY(has(device, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, &exists));
    break;
  case PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT:
  case PI_DEVICE_INFO_USM_CROSS_SHARED_SUPPORT:
    PI_TRY(has(device, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, &exists));
    PI_TRY(has(device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &concurrent));
    break;
  case PI_DEVICE_INFO_USM_SYSTEM_SHARED_SUPPORT:
    PI_TRY(has(device, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, &exists));
    PI_TRY(has(device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &concurrent));
    break;
  default: /* device allocations are CUDA's own */
    break;
  }
  *ret = exists ? abilities(device, concurrent) : 0;
  return PI_SUCCESS;
}

/* Asked in the primary context: CUDA answers in a context only. */
pi_result cuda_free_memory(pi_device device, pi_uint64 *ret) {
  CUcontext primary = NULL;
  CUcontext previous = NULL;
  CU_TRY(CtxGetCurrent, &previous);
  CU_TRY(DevicePrimaryCtxRetain, &primary, device->driver.ordinal);
  size_t available = 0;
  size_t total = 0;
  pi_result result = cu_result(cu.CtxSetCurrent(primary), "cuCtxSetCurrent");
  if (result == PI_SUCCESS)
    result = cu_result(cu.MemGetInfo(&available, &total), "cuMemGetInfo");
  cu.CtxSetCurrent(previous);
  cu.DevicePrimaryCtxRelease(device->driver.ordinal);
  if (result == PI_SUCCESS)
    *ret = available;
  return result;
}
