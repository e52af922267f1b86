/* The plugin itself: its table, the last error, what belongs to no object. */
#include "cuda.h"

#include "../common/table.h"

static const pi_function_table functions = {
#define PI_FUNCTION(name, since, parameters, arguments) .name = name,
#include <pi/pi_functions.def>
};

__attribute__((visibility("default"))) pi_result piPluginInit(pi_plugin *plugin_info) {
  PI_TRY(pi_table_fill(plugin_info, "libpi_cuda.so", &functions));
  cuda_load();
  return PI_SUCCESS;
}

pi_result cu_error(CUresult code, const char *call) {
  const char *name = NULL, *text = NULL;
  if (cu.GetErrorName(code, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  if (cu.GetErrorString(code, &text) != CUDA_SUCCESS || !text)
    text = "the driver has no text for it";
  pi_result result = PI_ERROR_UNKNOWN;
  switch (code) {
#define CUDA_RESULT(cuda, pi)                                                                      \
  case CUDA_ERROR_##cuda:                                                                          \
    result = pi;                                                                                   \
    break;
    CUDA_RESULTS(CUDA_RESULT)
#undef CUDA_RESULT
  default:
    break;
  }
  return pi_error(result, "%s failed: %s (%d), %s", call, name, (int)code, text);
}
