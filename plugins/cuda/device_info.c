/* piDeviceGetInfo: one table says for every query of pi_device_info where its answer comes from. */
#include "checks.h"
#include "device.h"

/* Fences of sequential consistency are there from sm_70 on. */
pi_uint64 cuda_atomic_orders(pi_device device) {
  const pi_uint64 weaker = PI_MEMORY_ORDER_RELAXED | PI_MEMORY_ORDER_ACQUIRE |
                           PI_MEMORY_ORDER_RELEASE | PI_MEMORY_ORDER_ACQ_REL;
  return device->major >= 7 ? weaker | PI_MEMORY_ORDER_SEQ_CST : weaker;
}

/* Atomics that the host and other devices see are there from sm_60 on. */
pi_uint64 cuda_atomic_scopes(pi_device device) {
  const pi_uint64 narrower = PI_MEMORY_SCOPE_WORK_ITEM | PI_MEMORY_SCOPE_SUB_GROUP |
                             PI_MEMORY_SCOPE_WORK_GROUP | PI_MEMORY_SCOPE_DEVICE;
  return device->major >= 6 ? narrower | PI_MEMORY_SCOPE_SYSTEM : narrower;
}

pi_result piDeviceGetInfo(pi_device device, pi_device_info param_name, size_t param_value_size,
                          void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_DEVICE(device);
  PI_TRY(pi_answer_check(&answer));
  switch ((int)param_name) {
  case PI_DEVICE_INFO_TYPE:
    return pi_answer_uint64(&answer, PI_DEVICE_TYPE_GPU);
  case PI_DEVICE_INFO_PARENT_DEVICE:
    return pi_answer_handle(&answer, NULL);
  case PI_DEVICE_INFO_PLATFORM:
    return pi_answer_handle(&answer, device->platform);
  case PI_DEVICE_INFO_NAME: {
    char name[256] = "";
    CU_TRY(DeviceGetName, name, sizeof name, device->ordinal);
    return pi_answer_text(&answer, name);
  }
  case PI_DEVICE_INFO_VENDOR:
    return pi_answer_text(&answer, "NVIDIA Corporation");
  case PI_DEVICE_INFO_EXTENSIONS:
    return pi_answer_text(&answer, "cl_khr_fp64 cl_intel_unified_shared_memory");
  }
  return pi_answer_unknown("pi_device_info", param_name);
}
