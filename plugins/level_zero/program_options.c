/* Translates build options for the driver's compiler. */
#include "program.h"

#include "../checks/build_options.h"
#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

/*
 * X(text, is_prefix, flag): options that the driver gets, under the name flag, or unchanged if flag
 * is NULL. The first matching row counts. The list has those options of OpenCL C that Intel's
 * compiler uses; drivers ignore unknown ones.
 */
#define OPTIONS(X)                                                                                 \
  X("-ze-", true, NULL)                                                                            \
  X("-g", false, NULL)                                                                             \
  X("-O0", false, "-ze-opt-disable")                                                               \
  X("-O1", false, "-ze-opt-level=2")                                                               \
  X("-O2", false, "-ze-opt-level=2")                                                               \
  X("-O3", false, "-ze-opt-level=2")                                                               \
  X("-cl-opt-disable", false, "-ze-opt-disable")                                                   \
  X("-cl-intel-greater-than-4GB-buffer-required", false,                                           \
    "-ze-opt-greater-than-4GB-buffer-required")                                                    \
  X("-cl-intel-256-GRF-per-thread", false, "-ze-opt-large-register-file")                          \
  X("-cl-intel-enable-auto-large-GRF-mode", false, "-ze-intel-enable-auto-large-GRF-mode")         \
  X("-cl-intel-has-buffer-offset-arg", false, "-ze-opt-has-buffer-offset-arg")                     \
  X("-cl-intel-", true, NULL)                                                                      \
  X("-ftarget-compile-fast", false, "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'")       \
  X("-igc_opts", true, NULL)                                                                       \
  X("-library-compilation", false, NULL)                                                           \
  X("-vc-", true, NULL)                                                                            \
  X("-disable-finalizer-msg", false, NULL)                                                         \
  X("-doubleGRF", false, NULL)                                                                     \
  X("-Xfinalizer", false, NULL)                                                                    \
  X("-cl-fast-relaxed-math", false, NULL)                                                          \
  X("-cl-unsafe-math-optimizations", false, NULL)                                                  \
  X("-cl-finite-math-only", false, NULL)                                                           \
  X("-cl-mad-enable", false, NULL)                                                                 \
  X("-cl-no-signed-zeros", false, NULL)                                                            \
  X("-cl-no-signed-zeroes", false, "-cl-no-signed-zeros") /* the spelling of OpenCL's linker */    \
  X("-cl-denorms-are-zero", false, NULL)                                                           \
  X("-cl-fp32-correctly-rounded-divide-sqrt", false, NULL)

static const struct {
  const char *text;
  bool is_prefix;
  const char *flag;
} options_taken[] = {
#define OPTION(text, is_prefix, flag) {text, is_prefix, flag},
    OPTIONS(OPTION)
#undef OPTION
};

enum { OPTIONS_TAKEN = sizeof options_taken / sizeof options_taken[0] };

static void put_flag(char *flags, size_t *used, const char *text, size_t length) {
  if (*used != 0)
    flags[(*used)++] = ' ';
  memcpy(flags + *used, text, length);
  *used += length;
}

/* Writes the driver's flag for an option, or ignores the option with a note. */
static void put_option(char *flags, size_t *used, const build_option *option) {
  int row = 0;
  while (row < OPTIONS_TAKEN &&
         !build_option_is(option, options_taken[row].text, options_taken[row].is_prefix))
    row++;
  if (row == OPTIONS_TAKEN) {
    build_option_ignore(option, "Level Zero");
    return;
  }
  const char *flag = options_taken[row].flag;
  if (flag)
    put_flag(flags, used, flag, strlen(flag));
  else
    put_flag(flags, used, option->name.text, option->name.length);
  if (option->value.length != 0)
    put_flag(flags, used, option->value.text, option->value.length);
}

/* Writes the flags for options. The caller makes the buffer large enough. */
static pi_result translate(const char *options, pi_result refused, char *flags) {
  size_t used = 0;
  build_option option;
  TRY(build_option_next(&options, refused, &option));
  while (option.name.length != 0) {
    put_option(flags, &used, &option);
    TRY(build_option_next(&options, refused, &option));
  }
  flags[used] = '\0';
  return PI_SUCCESS;
}

pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret) {
  /* Upper limit of a flag's length. Each flag comes from at least two bytes of options. */
  enum { FLAG_MAX = 64 };
  const size_t room = (strlen(options) / 2 + 1) * FLAG_MAX;
  char *flags = malloc(room);
  REQUIRE_MEMORY(flags, "%zu bytes of build options", room);
  const pi_result result = translate(options, refused, flags);
  if (result == PI_SUCCESS)
    ret->flags = flags;
  else
    free(flags);
  return result;
}

void driver_compilation_end(struct driver_compilation *compilation) {
  free(compilation->flags);
  spirv_code_release(compilation->code);
}
