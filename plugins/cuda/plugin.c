/* The driver's name and options, and PI's codes for its failures. */
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

/* PI's code for a failure of the driver. words: see CUDA_FATAL_RESULTS; NULL for other failures. */
typedef struct failure {
  CUresult cuda;
  pi_result pi;
  const char *words;
} failure;

static failure find_failure(CUresult code) {
  static const failure all[] = {
#define CUDA_RESULT(cuda, pi) {CUDA_ERROR_##cuda, pi, NULL},
      CUDA_RESULTS(CUDA_RESULT)
#undef CUDA_RESULT
#define CUDA_FATAL(cuda, words) {CUDA_ERROR_##cuda, PI_ERROR_PLUGIN_SPECIFIC_ERROR, words},
          CUDA_FATAL_RESULTS(CUDA_FATAL)
#undef CUDA_FATAL
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i].cuda == code)
      return all[i];
  return (failure){code, PI_ERROR_UNKNOWN, NULL};
}

/*
 * Reports a fatal failure. The message names the queue's latest kernel "or one before it", because
 * the driver does not say which kernel has failed.
 */
static pi_result tell_fatal(const failure *of, const char *call, const char *name, pi_queue queue) {
  const char *kernel =
      queue ? atomic_load_explicit(&queue->latest_kernel, memory_order_relaxed) : NULL;
  return plugin_error(of->pi, "%s failed: %s (%d): %s%s%s %s; " PLUGIN_DEVICE_LOST, call, name,
                      (int)of->cuda, kernel ? "kernel \"" : "a kernel", kernel ? kernel : "",
                      kernel ? "\", or one before it," : "", of->words);
}

pi_result cu_error_in(CUresult code, const char *call, pi_queue queue) {
  const char *name = NULL;
  const char *text = NULL;
  if (cu.GetErrorName(code, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  const failure of = find_failure(code);
  if (of.words)
    return tell_fatal(&of, call, name, queue);
  if (cu.GetErrorString(code, &text) != CUDA_SUCCESS || !text)
    text = "the driver has no text for it";
  return plugin_error(of.pi, "%s failed: %s (%d), %s", call, name, (int)code, text);
}

pi_result cu_error(CUresult code, const char *call) {
  return cu_error_in(code, call, NULL);
}
