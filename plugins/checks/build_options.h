/*
 * Build options: words with blanks between them. Each backend's compiler has its own. Images carry
 * the options of the backend that they were compiled for, so a backend ignores the options of
 * others, and refuses those that no backend has.
 */
#ifndef OBJECTS_BUILD_OPTIONS_H
#define OBJECTS_BUILD_OPTIONS_H

#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * X(text, form): every option that some backend has. WORD is the whole option, PREFIX its start,
 * PAIR has its value in the next word. These are OpenCL's own, of its C and its linker;
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
/* those of Intel's compilers for GPUs, and what clang passes to them; and those of NVIDIA's. */
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

/* A part of the options' text, which stays there. */
typedef struct option_word {
  const char *text;
  size_t length;
} option_word;

/* An option without the quotes around it; of a PAIR also the next word, with its quotes. */
typedef struct build_option {
  option_word name;  /* empty at the end of the options */
  option_word value; /* or empty */
  bool is_opencl;    /* one of OpenCL's own */
} build_option;

/* Fails with refused if the options end within a quote, which not every driver survives. */
pi_result check_options(const char *options, pi_result refused);

/*
 * Takes the next option from *options, which moves on. Fails with refused if no backend has it, it
 * lacks its value, or the text ends within a quote.
 */
pi_result build_option_next(const char **options, pi_result refused, build_option *ret);

/* Returns whether the name of an option is this text, or begins with it. */
bool build_option_is(const build_option *option, const char *text, bool is_prefix);

/* Records a note that another backend's option means nothing to this one, called backend. */
void build_option_ignore(const build_option *option, const char *backend);

#endif
