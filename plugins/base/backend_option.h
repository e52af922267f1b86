/* Runtimes' own options in the words of a backend's compiler: piPluginGetBackendOption. */
#ifndef BASE_BACKEND_OPTION_H
#define BASE_BACKEND_OPTION_H

#include <pi/pi.h>

/* An option of a runtime, and the backend's option for it. */
typedef struct compiler_option {
  const char *frontend;
  const char *backend;
} compiler_option;

/* The option of Intel's compiler for -ftarget-compile-fast. */
#define INTEL_FAST_COMPILE "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"

/*
 * piPluginGetBackendOption without the check of its platform: *backend_option receives a text of
 * the count options. PI_ERROR_INVALID_VALUE: a pointer is NULL, or none of the options is meant;
 * backend is the backend's name in the message.
 */
pi_result compiler_option_find(const compiler_option *options, size_t count, const char *backend,
                               const char *frontend_option, const char **backend_option);

#endif
