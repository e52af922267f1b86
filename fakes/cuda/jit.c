/* Options of cuModuleLoadDataEx and cuLinkCreate. */
#include "module.h"

#include <stdarg.h>
#include <stdio.h>

/* Returns an option's value, a number stored in a pointer. */
static size_t number_of(const void *value) {
  return (uintptr_t)value;
}

static CUresult read_option(CUjit_option option, void **value, const char *function,
                            fake_jit *jit) {
  switch ((int)option) {
  case CU_JIT_INFO_LOG_BUFFER:
    jit->log[0] = *value;
    break;
  case CU_JIT_ERROR_LOG_BUFFER:
    jit->log[1] = *value;
    break;
  case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
    jit->sizes[0] = value;
    jit->room[0] = number_of(*value) & UINT32_MAX;
    break;
  case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
    jit->sizes[1] = value;
    jit->room[1] = number_of(*value) & UINT32_MAX;
    break;
  case CU_JIT_MAX_REGISTERS:
    jit->registers = (unsigned)number_of(*value);
    break;
  case CU_JIT_OPTIMIZATION_LEVEL:
    jit->level = (unsigned)number_of(*value);
    jit->level_given = true;
    FAKE_REQUIRE(jit->level <= 4, INVALID_VALUE, "%s: optimisation level %u", function, jit->level);
    break;
  case CU_JIT_TARGET:
    jit->target = (unsigned)number_of(*value);
    break;
  case CU_JIT_LOG_VERBOSE:
    jit->verbose = number_of(*value) != 0;
    break;
  case CU_JIT_GENERATE_DEBUG_INFO:
    jit->debug = number_of(*value) != 0;
    break;
  case CU_JIT_WALL_TIME:
    jit->wall_time = value;
    break;
  case CU_JIT_THREADS_PER_BLOCK:
  case CU_JIT_TARGET_FROM_CUCONTEXT:
  case CU_JIT_FALLBACK_STRATEGY:
  case CU_JIT_GENERATE_LINE_INFO:
  case CU_JIT_CACHE_MODE:
  case CU_JIT_FAST_COMPILE:
  case CU_JIT_LTO:
  case CU_JIT_FTZ:
  case CU_JIT_PREC_DIV:
  case CU_JIT_PREC_SQRT:
  case CU_JIT_FMA:
  case CU_JIT_POSITION_INDEPENDENT_CODE:
    break;
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "%s: no option is %d", function, (int)option);
  }
  return CUDA_SUCCESS;
}

CUresult fake_jit_read(unsigned count, CUjit_option *options, void **values, const char *function,
                       fake_jit *ret) {
  FAKE_REQUIRE(count == 0 || (options && values), INVALID_VALUE, "%s: %u options, but NULL",
               function, count);
  fake_jit jit = {.level = 4, .begin = fake_now()};
  for (unsigned i = 0; i < count; i++)
    FAKE_TRY(read_option(options[i], &values[i], function, &jit));
  /* The same result and log message as an H200's driver. */
  FAKE_REQUIRE(!jit.debug || !jit.level_given || jit.level == 0, INVALID_PTX,
               "%s: ptxas fatal   : Optimized debugging not supported", function);
  for (int i = 0; i < 2; i++) {
    FAKE_REQUIRE(!jit.log[i] || jit.sizes[i], INVALID_VALUE, "%s: a log without its size",
                 function);
    if (jit.log[i] && jit.room[i] != 0)
      jit.log[i][0] = '\0';
  }
  *ret = jit;
  return CUDA_SUCCESS;
}

void fake_jit_log(fake_jit *jit, bool error, const char *format, ...) {
  va_list arguments;
  char *log = jit->log[error];
  const size_t length = jit->length[error];
  if (!log || jit->room[error] <= length + 1)
    return;
  va_start(arguments, format);
  const int added = vsnprintf(log + length, jit->room[error] - length, format, arguments);
  va_end(arguments);
  const size_t left = jit->room[error] - length - 1;
  jit->length[error] += added < 0 ? 0 : (size_t)added < left ? (size_t)added : left;
}

void fake_jit_finish(fake_jit *jit) {
  for (int i = 0; i < 2; i++)
    if (jit->sizes[i])
      *jit->sizes[i] = (void *)(uintptr_t)(jit->length[i] == 0 ? 0 : jit->length[i] + 1);
  if (jit->wall_time) {
    const float milliseconds = (float)((double)(fake_now() - jit->begin) * 1e-6);
    *jit->wall_time = NULL;
    memcpy(jit->wall_time, &milliseconds, sizeof milliseconds);
  }
}
