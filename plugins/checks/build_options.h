/*
 * Reads build options, words separated by blanks. Each backend's compiler has its own options, and
 * an image contains the options for one backend. So a backend ignores options of other backends,
 * and refuses only options that no backend has.
 */
#ifndef OBJECTS_BUILD_OPTIONS_H
#define OBJECTS_BUILD_OPTIONS_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * X(text, form): the known options. WORD: text is the whole option. PREFIX: text is its start.
 * PAIR: the value is the next word. This list has OpenCL's own options, for its C and its linker.
 */
#define OPENCL_BUILD_OPTIONS(X)                                                                    \
  X("-D", PAIR)                                                                                    \
  X("-D", PREFIX)                                                                                  \
  X("-I", PAIR)                                                                                    \
  X("-I", PREFIX)                                                                                  \
  X("-Werror", WORD)                                                                               \
  X("-cl-denorms-are-zero", WORD)                                                                  \
  X("-cl-fast-relaxed-math", WORD)                                                                 \
  X("-cl-finite-math-only", WORD)                                                                  \
  X("-cl-fp32-correctly-rounded-divide-sqrt", WORD)                                                \
  X("-cl-kernel-arg-info", WORD)                                                                   \
  X("-cl-mad-enable", WORD)                                                                        \
  X("-cl-no-signed-zeroes", WORD)                                                                  \
  X("-cl-no-signed-zeros", WORD)                                                                   \
  X("-cl-no-subgroup-ifp", WORD)                                                                   \
  X("-cl-opt-disable", WORD)                                                                       \
  X("-cl-single-precision-constant", WORD)                                                         \
  X("-cl-std=", PREFIX)                                                                            \
  X("-cl-strict-aliasing", WORD)                                                                   \
  X("-cl-uniform-work-group-size", WORD)                                                           \
  X("-cl-unsafe-math-optimizations", WORD)                                                         \
  X("-create-library", WORD)                                                                       \
  X("-enable-link-options", WORD)                                                                  \
  X("-g", WORD)                                                                                    \
  X("-w", WORD)
/* Options of Intel's compilers for GPUs, including those that clang passes; options of NVIDIA's. */
#define INTEL_BUILD_OPTIONS(X)                                                                     \
  X("-O0", WORD)                                                                                   \
  X("-O1", WORD)                                                                                   \
  X("-O2", WORD)                                                                                   \
  X("-O3", WORD)                                                                                   \
  X("-Xfinalizer", PAIR)                                                                           \
  X("-cl-intel-", PREFIX)                                                                          \
  X("-device", PAIR)                                                                               \
  X("-disable-finalizer-msg", WORD)                                                                \
  X("-doubleGRF", WORD)                                                                            \
  X("-foffload-", PREFIX)                                                                          \
  X("-ftarget-", PREFIX)                                                                           \
  X("-igc_opts", PAIR)                                                                             \
  X("-igc_opts=", PREFIX)                                                                          \
  X("-internal_options", PAIR)                                                                     \
  X("-library-compilation", WORD)                                                                  \
  X("-options", PAIR)                                                                              \
  X("-vc-", PREFIX)                                                                                \
  X("-ze-opt-level", PAIR)                                                                         \
  X("-ze-", PREFIX)
#define NVIDIA_BUILD_OPTIONS(X)                                                                    \
  X("--device-debug", WORD)                                                                        \
  X("--generate-line-info", WORD)                                                                  \
  X("--maxrregcount", PAIR)                                                                        \
  X("--maxrregcount=", PREFIX)                                                                     \
  X("--verbose", WORD)                                                                             \
  X("-O4", WORD)                                                                                   \
  X("-cl-nv-", PREFIX)                                                                             \
  X("-lineinfo", WORD)                                                                             \
  X("-maxrregcount", PAIR)                                                                         \
  X("-maxrregcount=", PREFIX)                                                                      \
  X("-v", WORD)

/* A part of the options' text, not copied. */
typedef struct option_word {
  const char *text;
  size_t length;
} option_word;

typedef struct build_option {
  option_word name;  /* without quotes around it; empty at the end of the options */
  option_word value; /* of a PAIR, with quotes; else empty */
  bool is_opencl;    /* one of OpenCL's own */
} build_option;

/* Fails with the code refused if the options end within a quote, which crashes some drivers. */
pi_result check_options(const char *options, pi_result refused);

/*
 * Reads the next option of *options, and advances *options. Fails with the code refused if no
 * backend has the option, its value is missing, or the text ends within a quote.
 */
pi_result build_option_next(const char **options, pi_result refused, build_option *ret);

/* Returns whether the name of an option is this text, or begins with it if is_prefix. */
bool build_option_is(const build_option *option, const char *text, bool is_prefix);

/* Records a note that a backend ignores another backend's option. */
void build_option_ignore(const build_option *option, const char *backend);

#endif
