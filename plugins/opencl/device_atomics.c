/* Translates OpenCL's two masks of atomic capabilities to PI's four answers. */
#include "device.h"

static pi_uint64 orders(cl_device_atomic_capabilities mask) {
  pi_uint64 orders = 0;
  if (mask & CL_DEVICE_ATOMIC_ORDER_RELAXED)
    orders |= PI_MEMORY_ORDER_RELAXED;
  if (mask & CL_DEVICE_ATOMIC_ORDER_ACQ_REL)
    orders |= PI_MEMORY_ORDER_ACQUIRE | PI_MEMORY_ORDER_RELEASE | PI_MEMORY_ORDER_ACQ_REL;
  if (mask & CL_DEVICE_ATOMIC_ORDER_SEQ_CST)
    orders |= PI_MEMORY_ORDER_SEQ_CST;
  return orders;
}

/*
 * Translates scopes. OpenCL has no bit for the sub-group, and one for the work-item only for
 * fences. Each scope also sets the bits of the narrower ones, because a wider scope can always
 * stand in for them.
 */
static pi_uint64 scopes(cl_device_atomic_capabilities mask) {
  const pi_uint64 work_group =
      PI_MEMORY_SCOPE_WORK_ITEM | PI_MEMORY_SCOPE_SUB_GROUP | PI_MEMORY_SCOPE_WORK_GROUP;
  if (mask & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
    return work_group | PI_MEMORY_SCOPE_DEVICE | PI_MEMORY_SCOPE_SYSTEM;
  if (mask & CL_DEVICE_ATOMIC_SCOPE_DEVICE)
    return work_group | PI_MEMORY_SCOPE_DEVICE;
  if (mask & CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP)
    return work_group;
  return mask & CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM ? PI_MEMORY_SCOPE_WORK_ITEM : 0;
}

/*
 * Returns the mask for a device before OpenCL 3.0, which has no query for it. OpenCL 2.x requires
 * all orders and all scopes up to the device; the scope of all devices needs fine-grain SVM
 * atomics. In 1.x atomics are relaxed, and barriers order memory within the work-group.
 */
static pi_result mask_before_3(cl_device_id device, unsigned version, bool fence,
                               cl_device_atomic_capabilities *ret) {
  if (version < 200) {
    *ret = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
           (fence ? CL_DEVICE_ATOMIC_ORDER_ACQ_REL : 0);
    return PI_SUCCESS;
  }
  cl_device_svm_capabilities svm;
  TRY(CL_GET(Device, device, CL_DEVICE_SVM_CAPABILITIES, &svm));
  *ret = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
         CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
         CL_DEVICE_ATOMIC_SCOPE_DEVICE |
         (svm & CL_DEVICE_SVM_ATOMICS ? CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES : 0);
  return PI_SUCCESS;
}

pi_result opencl_device_atomics(cl_device_id device, pi_device_info query, pi_uint64 *ret) {
  const bool fence = query == PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES ||
                     query == PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES;
  const bool order = query == PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES ||
                     query == PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES;
  unsigned version;
  cl_device_atomic_capabilities mask;
  TRY(opencl_device_version(device, &version));
  if (version < 300)
    TRY(mask_before_3(device, version, fence, &mask));
  else
    TRY(CL_GET(Device, device,
               fence ? CL_DEVICE_ATOMIC_FENCE_CAPABILITIES : CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
               &mask));
  *ret = order ? orders(mask) : scopes(mask);
  return PI_SUCCESS;
}
