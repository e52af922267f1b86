/* What the driver is called, and its failures. */
#include "cuda.h"

#include "../objects/driver.h"

const char driver_name[] = "CUDA";
const char driver_file[] = "libpi_cuda.so";

const compiler_option driver_options[] = {
    {"", ""},       {"-O0", "-O0"}, {"-O1", "-O1"},
    {"-O2", "-O2"}, {"-O3", "-O3"}, {"-ftarget-compile-fast", "-O1"},
};
const size_t driver_option_count = sizeof driver_options / sizeof driver_options[0];

pi_result cu_error(CUresult code, const char *call) {
  static const struct {
    CUresult cuda;
    pi_result pi;
  } results[] = {
#define CUDA_RESULT(cuda, pi) {CUDA_ERROR_##cuda, pi},
      CUDA_RESULTS(CUDA_RESULT)
#undef CUDA_RESULT
  };
  const char *name = NULL;
  const char *text = NULL;
  if (cu.GetErrorName(code, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  if (cu.GetErrorString(code, &text) != CUDA_SUCCESS || !text)
    text = "the driver has no text for it";
  pi_result result = PI_ERROR_UNKNOWN;
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (results[i].cuda == code)
      result = results[i].pi;
  return plugin_error(result, "%s failed: %s (%d), %s", call, name, (int)code, text);
}
