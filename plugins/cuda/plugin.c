/* What the driver is called, and its failures. */
#include "cuda.h"

#include "../objects/driver.h"
#include "../objects/queue.h"

const char driver_name[] = "CUDA";
const char driver_file[] = "libpi_cuda.so";

const compiler_option driver_options[] = {
    {"", ""},       {"-O0", "-O0"}, {"-O1", "-O1"},
    {"-O2", "-O2"}, {"-O3", "-O3"}, {"-ftarget-compile-fast", "-O1"},
};
const size_t driver_option_count = sizeof driver_options / sizeof driver_options[0];

/* What a kernel did that ended the context; NULL for other failures. */
static const char *find_fatal(CUresult code) {
  static const struct {
    CUresult code;
    const char *words;
  } all[] = {
#define CUDA_FATAL(cuda, words) {CUDA_ERROR_##cuda, words},
      CUDA_FATAL_RESULTS(CUDA_FATAL)
#undef CUDA_FATAL
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].code == code)
      return all[i].words;
  return NULL;
}

static pi_result find_result(CUresult code) {
  static const struct {
    CUresult cuda;
    pi_result pi;
  } all[] = {
#define CUDA_RESULT(cuda, pi) {CUDA_ERROR_##cuda, pi},
      CUDA_RESULTS(CUDA_RESULT)
#undef CUDA_RESULT
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].cuda == code)
      return all[i].pi;
  return PI_ERROR_UNKNOWN;
}

/* Other kernels of the queue may have been under way, and the driver does not tell which it was. */
static pi_result tell_fatal(CUresult code, const char *call, const char *name, const char *words,
                            pi_queue queue) {
  const char *kernel =
      queue ? atomic_load_explicit(&queue->latest_kernel, memory_order_relaxed) : NULL;
  return plugin_error(PI_ERROR_PLUGIN_SPECIFIC_ERROR,
                      "%s failed: %s (%d): %s%s%s %s; " PLUGIN_DEVICE_LOST, call, name, (int)code,
                      kernel ? "kernel \"" : "a kernel", kernel ? kernel : "",
                      kernel ? "\", or one before it," : "", words);
}

pi_result cu_error_in(CUresult code, const char *call, pi_queue queue) {
  const char *name = NULL;
  const char *text = NULL;
  if (cu.GetErrorName(code, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  const char *fatal = find_fatal(code);
  if (fatal)
    return tell_fatal(code, call, name, fatal, queue);
  if (cu.GetErrorString(code, &text) != CUDA_SUCCESS || !text)
    text = "the driver has no text for it";
  return plugin_error(find_result(code), "%s failed: %s (%d), %s", call, name, (int)code, text);
}

pi_result cu_error(CUresult code, const char *call) {
  return cu_error_in(code, call, NULL);
}
