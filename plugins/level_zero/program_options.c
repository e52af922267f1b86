/* Build options: what they are to the driver's compiler. */
#include "program.h"

#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

/* What becomes of an option. */
typedef enum option_fate {
  OPTION_KEPT,      /* as it is */
  OPTION_KEPT_PAIR, /* with the word behind it */
  OPTION_MAPPED,
  OPTION_DROPPED, /* it is about compiling source, which SPIR-V is not */
  OPTION_DROPPED_PAIR,
} option_fate;

/*
 * X(text, is_prefix, fate, flag). The first row that fits counts. The options of OpenCL C that stay
 * are those which Intel's compiler heeds; other drivers pass over what they do not know.
 */
#define OPTIONS(X)                                                                                 \
  X("-ze-opt-level", false, KEPT_PAIR, NULL)                                                       \
  X("-ze-", true, KEPT, NULL)                                                                      \
  X("-g", false, KEPT, NULL)                                                                       \
  X("-O0", false, MAPPED, "-ze-opt-disable")                                                       \
  X("-O1", false, MAPPED, "-ze-opt-level=2")                                                       \
  X("-O2", false, MAPPED, "-ze-opt-level=2")                                                       \
  X("-O3", false, MAPPED, "-ze-opt-level=2")                                                       \
  X("-cl-opt-disable", false, MAPPED, "-ze-opt-disable")                                           \
  X("-cl-intel-greater-than-4GB-buffer-required", false, MAPPED,                                   \
    "-ze-opt-greater-than-4GB-buffer-required")                                                    \
  X("-cl-intel-256-GRF-per-thread", false, MAPPED, "-ze-opt-large-register-file")                  \
  X("-cl-intel-enable-auto-large-GRF-mode", false, MAPPED, "-ze-intel-enable-auto-large-GRF-mode") \
  X("-cl-intel-has-buffer-offset-arg", false, MAPPED, "-ze-opt-has-buffer-offset-arg")             \
  X("-cl-intel-", true, KEPT, NULL)                                                                \
  X("-ftarget-compile-fast", false, MAPPED,                                                        \
    "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'")                                       \
  X("-igc_opts", false, KEPT_PAIR, NULL)                                                           \
  X("-library-compilation", false, KEPT, NULL)                                                     \
  X("-vc-codegen", false, KEPT, NULL)                                                              \
  X("-disable-finalizer-msg", false, KEPT, NULL)                                                   \
  X("-doubleGRF", false, KEPT, NULL)                                                               \
  X("-Xfinalizer", false, KEPT_PAIR, NULL)                                                         \
  X("-cl-fast-relaxed-math", false, KEPT, NULL)                                                    \
  X("-cl-unsafe-math-optimizations", false, KEPT, NULL)                                            \
  X("-cl-finite-math-only", false, KEPT, NULL)                                                     \
  X("-cl-mad-enable", false, KEPT, NULL)                                                           \
  X("-cl-no-signed-zeros", false, KEPT, NULL)                                                      \
  X("-cl-no-signed-zeroes", false, MAPPED, "-cl-no-signed-zeros") /* as OpenCL's linker says it */ \
  X("-cl-denorms-are-zero", false, KEPT, NULL)                                                     \
  X("-cl-fp32-correctly-rounded-divide-sqrt", false, KEPT, NULL)                                   \
  X("-cl-std=", true, DROPPED, NULL)                                                               \
  X("-cl-kernel-arg-info", false, DROPPED, NULL)                                                   \
  X("-cl-single-precision-constant", false, DROPPED, NULL)                                         \
  X("-cl-strict-aliasing", false, DROPPED, NULL)                                                   \
  X("-cl-uniform-work-group-size", false, DROPPED, NULL)                                           \
  X("-cl-no-subgroup-ifp", false, DROPPED, NULL)                                                   \
  X("-create-library", false, DROPPED, NULL)                                                       \
  X("-enable-link-options", false, DROPPED, NULL)                                                  \
  X("-w", false, DROPPED, NULL)                                                                    \
  X("-Werror", false, DROPPED, NULL)                                                               \
  X("-D", false, DROPPED_PAIR, NULL)                                                               \
  X("-I", false, DROPPED_PAIR, NULL)                                                               \
  X("-D", true, DROPPED, NULL)                                                                     \
  X("-I", true, DROPPED, NULL)

static const struct {
  const char *text;
  bool is_prefix;
  option_fate fate;
  const char *flag;
} options_known[] = {
#define OPTION(text, is_prefix, fate, flag) {text, is_prefix, OPTION_##fate, flag},
    OPTIONS(OPTION)
#undef OPTION
};

enum { OPTIONS_KNOWN = sizeof options_known / sizeof options_known[0] };

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next word, with its quotes, of which a blank may be part; *length is 0 at the end. */
static void next_word(const char **at, const char **word, size_t *length) {
  while (is_space(**at))
    ++*at;
  *word = *at;
  char quote = '\0';
  for (; **at && (quote || !is_space(**at)); ++*at) {
    if (quote && **at == quote)
      quote = '\0';
    else if (!quote && (**at == '\'' || **at == '"'))
      quote = **at;
  }
  *length = (size_t)(*at - *word);
}

/* The row for a word; OPTIONS_KNOWN without one. */
static int find_option(const char *word, size_t length) {
  int i = 0;
  for (; i < OPTIONS_KNOWN; i++) {
    const size_t size = strlen(options_known[i].text);
    if (length >= size && memcmp(word, options_known[i].text, size) == 0 &&
        (length == size || options_known[i].is_prefix))
      break;
  }
  return i;
}

static void put_flag(char *flags, size_t *used, const char *text, size_t length) {
  if (*used != 0)
    flags[(*used)++] = ' ';
  memcpy(flags + *used, text, length);
  *used += length;
}

/* Writes the flags for options; there is room for them. */
static pi_result translate(const char *options, pi_result refused, char *flags) {
  size_t used = 0;
  for (;;) {
    const char *word = "";
    size_t length = 0;
    next_word(&options, &word, &length);
    if (length == 0)
      break;
    const int row = find_option(word, length);
    REQUIRE(row < OPTIONS_KNOWN, refused, "there is no build option %.*s", (int)length, word);
    const option_fate fate = options_known[row].fate;
    const char *flag = options_known[row].flag;
    if (fate == OPTION_MAPPED)
      put_flag(flags, &used, flag, strlen(flag));
    if (fate == OPTION_KEPT || fate == OPTION_KEPT_PAIR)
      put_flag(flags, &used, word, length);
    if (fate != OPTION_KEPT_PAIR && fate != OPTION_DROPPED_PAIR)
      continue;
    const char *option = word;
    const size_t option_length = length;
    next_word(&options, &word, &length);
    REQUIRE(length != 0, refused, "build option %.*s has nothing behind it", (int)option_length,
            option);
    if (fate == OPTION_KEPT_PAIR)
      put_flag(flags, &used, word, length);
  }
  flags[used] = '\0';
  return PI_SUCCESS;
}

pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret) {
  /* No flag is longer than this, and each has an option of at least two characters and a blank. */
  enum { FLAG_MAX = 64 };
  TRY(check_options(options, refused));
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

void driver_compilation_end(struct driver_compilation *it) {
  free(it->flags);
  spirv_code_release(it->code);
}
