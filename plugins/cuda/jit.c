#include "jit.h"

#include "../base/digits.h"
#include "../checks/build_options.h"
#include "../objects/program.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---- */

/* X(option, effect on *o): the options that have no value. */
#define JIT_OPTIONS(X)                                                                             \
  X("-O0", o->level = 0)                                                                           \
  X("-O1", o->level = 1)                                                                           \
  X("-O2", o->level = 2)                                                                           \
  X("-O3", o->level = 3)                                                                           \
  X("-O4", o->level = 4)                                                                           \
  X("-cl-opt-disable", o->level = 0)                                                               \
  X("-lineinfo", o->line_info = true)                                                              \
  X("--generate-line-info", o->line_info = true)                                                   \
  X("-g", o->debug_info = true)                                                                    \
  X("--device-debug", o->debug_info = true)                                                        \
  X("-v", o->verbose = true)                                                                       \
  X("--verbose", o->verbose = true)

/* Options that limit the registers. The value follows after an equals sign or as the next word. */
static const char *const registers_options[] = {"--maxrregcount", "-maxrregcount"};

enum { REGISTERS_MAX = 255 };

static pi_result read_registers(option_word value, pi_result refused, unsigned *ret) {
  uint64_t number = 0;
  const char *at = value.text, *end = at + value.length;
  REQUIRE(digits_read(&at, end, REGISTERS_MAX, &number) && at == end && number != 0, refused,
          "option maxrregcount is \"%.*s\", and the registers of a work-item are 1 to %d",
          (int)(value.length < 200 ? value.length : 200), value.text, REGISTERS_MAX);
  *ret = (unsigned)number;
  return PI_SUCCESS;
}

static pi_result take_option(const build_option *option, pi_result refused, jit_options *o) {
#define JIT_OPTION(text, effect)                                                                   \
  if (build_option_is(option, text, false)) {                                                      \
    effect;                                                                                        \
    return PI_SUCCESS;                                                                             \
  }
  JIT_OPTIONS(JIT_OPTION)
#undef JIT_OPTION
  for (size_t i = 0; i < sizeof registers_options / sizeof registers_options[0]; i++) {
    if (!build_option_is(option, registers_options[i], true))
      continue;
    const size_t name = strlen(registers_options[i]) + 1; /* length, with the equals sign */
    return read_registers(option->value.length != 0
                              ? option->value
                              : (option_word){option->name.text + name, option->name.length - name},
                          refused, &o->max_registers);
  }
  /* Ignores options of OpenCL C, because PTX is compiled already. */
  build_option_ignore(option, "CUDA");
  return PI_SUCCESS;
}

pi_result jit_read_options(const char *text, pi_result refused, jit_options *ret) {
  jit_options options = {.level = -1};
  build_option option;
  TRY(build_option_next(&text, refused, &option));
  while (option.name.length != 0) {
    TRY(take_option(&option, refused, &options));
    TRY(build_option_next(&text, refused, &option));
  }
  *ret = options;
  return PI_SUCCESS;
}

/* ---- The driver ---- */

enum { JIT_SETTINGS_MAX = 10 };

/* Buffers for the driver's log. The driver writes no more than fits. */
typedef struct jit_log {
  char info[8192];
  char error[8192];
} jit_log;

/* Options for the driver: names, and values, which CUDA takes cast to pointers. */
typedef struct settings {
  unsigned count;
  CUjit_option names[JIT_SETTINGS_MAX];
  void *values[JIT_SETTINGS_MAX];
} settings;

static void add_setting(settings *to, CUjit_option name, uintptr_t value) {
  to->names[to->count] = name;
  to->values[to->count++] = (void *)value;
}

static settings settings_of(const jit_options *options, jit_log *log) {
  settings settings = {0};
  log->info[0] = log->error[0] = '\0';
  add_setting(&settings, CU_JIT_INFO_LOG_BUFFER, (uintptr_t)log->info);
  add_setting(&settings, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, sizeof log->info);
  add_setting(&settings, CU_JIT_ERROR_LOG_BUFFER, (uintptr_t)log->error);
  add_setting(&settings, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, sizeof log->error);
  if (options->level >= 0)
    add_setting(&settings, CU_JIT_OPTIMIZATION_LEVEL, (uintptr_t)options->level);
  if (options->max_registers != 0)
    add_setting(&settings, CU_JIT_MAX_REGISTERS, options->max_registers);
  /* CUDA refuses debug information unless the level is 0; otherwise line information must do. */
  const bool is_optimized = options->level > 0;
  if (options->line_info || (options->debug_info && is_optimized))
    add_setting(&settings, CU_JIT_GENERATE_LINE_INFO, 1);
  if (options->debug_info && !is_optimized)
    add_setting(&settings, CU_JIT_GENERATE_DEBUG_INFO, 1);
  if (options->verbose)
    add_setting(&settings, CU_JIT_LOG_VERBOSE, 1);
  return settings;
}

/* Returns whether a failure of the driver means that the code is at fault. */
static bool is_of_code(CUresult code) {
  switch (code) {
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_INVALID_SOURCE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
  case CUDA_ERROR_SHARED_OBJECT_INIT_FAILED:
  case CUDA_ERROR_NOT_FOUND:
    return true;
  default:
    return false;
  }
}

static pi_result jit_result(CUresult code, const char *call, pi_result refused, jit_log *log) {
  log->info[sizeof log->info - 1] = log->error[sizeof log->error - 1] = '\0';
  if (code == CUDA_SUCCESS)
    return PI_SUCCESS;
  const pi_result result = cu_error(code, call);
  const bool memory = code == CUDA_ERROR_OUT_OF_MEMORY;
  if (memory || (!is_of_code(code) && log->error[0] == '\0'))
    return result;
  if (log->error[0] == '\0') {
    const char *sentence;
    plugin_error_last(&sentence);
    strncpy(log->error, sentence, sizeof log->error - 1);
    return plugin_error(refused, "%s", log->error);
  }
  const size_t line = strcspn(log->error, "\r\n");
  return plugin_error(refused, "the driver does not take the code: %.*s", (int)line, log->error);
}

/* Allocates a log for one use of the compiler or linker. */
static pi_result new_log(jit_log **ret) {
  *ret = malloc(sizeof **ret);
  REQUIRE_MEMORY(*ret, "a log");
  return PI_SUCCESS;
}

/* Adds the driver's log to a build's log, unless that is NULL, and frees the driver's. */
static void hand_log_on(jit_log *log, build_log *to) {
  if (to) {
    build_log_add(to, log->info);
    build_log_add(to, log->error);
  }
  free(log);
}

pi_result jit_load(const void *code, const jit_options *options, pi_result refused, build_log *to,
                   CUmodule *ret) {
  jit_log *log;
  TRY(new_log(&log));
  settings settings = settings_of(options, log);
  const pi_result result =
      jit_result(cu.ModuleLoadDataEx(ret, code, settings.count, settings.names, settings.values),
                 "cuModuleLoadDataEx", refused, log);
  hand_log_on(log, to);
  return result;
}

static CUjitInputType input_type(code_kind kind) {
  return kind == CODE_IS_PTX     ? CU_JIT_INPUT_PTX
         : kind == CODE_IS_CUBIN ? CU_JIT_INPUT_CUBIN
                                 : CU_JIT_INPUT_FATBINARY;
}

/* Adds inputs to an open link; the driver compiles PTX here. */
static pi_result add_inputs(CUlinkState link, const code_product *inputs, size_t count,
                            pi_result refused, jit_log *log) {
  for (size_t i = 0; i < count; i++)
    TRY(jit_result(cu.LinkAddData(link, input_type(inputs[i].kind),
                                  (void *)(uintptr_t)inputs[i].bytes, inputs[i].size, "program", 0,
                                  NULL, NULL),
                   "cuLinkAddData", refused, log));
  return PI_SUCCESS;
}

static pi_result complete_link(CUlinkState link, pi_result refused, jit_log *log,
                               unsigned char **ret, size_t *ret_size) {
  void *cubin = NULL;
  size_t size = 0;
  TRY(jit_result(cu.LinkComplete(link, &cubin, &size), "cuLinkComplete", refused, log));
  /* Copies the cubin, because it is freed with the link. */
  unsigned char *copy = malloc(size ? size : 1);
  REQUIRE_MEMORY(copy, "a cubin of %zu bytes", size);
  memcpy(copy, cubin, size);
  *ret = copy;
  *ret_size = size;
  return PI_SUCCESS;
}

pi_result jit_link(const code_product *inputs, size_t count, const jit_options *options,
                   pi_result refused, build_log *to, unsigned char **ret, size_t *size) {
  jit_log *log;
  TRY(new_log(&log));
  settings settings = settings_of(options, log);
  CUlinkState link;
  pi_result result = CU_CALL(LinkCreate, settings.count, settings.names, settings.values, &link);
  if (result == PI_SUCCESS) {
    result = add_inputs(link, inputs, count, refused, log);
    if (result == PI_SUCCESS && ret)
      result = complete_link(link, refused, log, ret, size);
    cu.LinkDestroy(link);
  }
  hand_log_on(log, to);
  return result;
}
