/* Translates PI's results to Level Zero's. */
#include "ze.h"

#include "../plugins/base/level_zero_results.h"

ze_result_t ze_answer(pi_result result) {
  switch ((int)result) {
  case PI_SUCCESS:
    return ZE_RESULT_SUCCESS;
#define RESULT_BOTH(name, pi)                                                                      \
  case pi:                                                                                         \
    return ZE_RESULT_##name;
#define RESULT_FROM(name, pi)
#define RESULT(name, pi, way) RESULT_##way(name, pi)
    LEVEL_ZERO_RESULTS(RESULT)
#undef RESULT
#undef RESULT_FROM
#undef RESULT_BOTH
  case PI_ERROR_INVALID_SPEC_ID:
  case PI_ERROR_INVALID_CONTEXT:
  case PI_ERROR_INVALID_DEVICE:
  case PI_ERROR_INVALID_PROGRAM:
  case PI_ERROR_INVALID_ARG_VALUE:
  case PI_ERROR_INVALID_KERNEL_ARGS:
  case PI_ERROR_INVALID_GLOBAL_OFFSET:
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  case PI_ERROR_INVALID_GLOBAL_WORK_SIZE:
    return ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION;
  case PI_ERROR_INVALID_WORK_ITEM_SIZE:
    return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  case PI_ERROR_INVALID_PROGRAM_EXECUTABLE:
    return ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
  case PI_ERROR_PLUGIN_SPECIFIC_ERROR:
    return ZE_RESULT_ERROR_DEVICE_LOST;
  }
  return ZE_RESULT_ERROR_UNKNOWN;
}
