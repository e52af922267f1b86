/* Translates options of a runtime to those of a backend's compiler (piPluginGetBackendOption). */
#ifndef BASE_BACKEND_OPTION_H
#define BASE_BACKEND_OPTION_H

#include <pi/pi.h>

/* An option of a runtime, and the backend's option with the same meaning. */
typedef struct compiler_option {
  const char *frontend;
  const char *backend;
} compiler_option;

/* Intel's compiler has this option for -ftarget-compile-fast. */
#define INTEL_FAST_COMPILE "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'"

/*
 * Implements piPluginGetBackendOption for a platform that the caller has checked. Searches count
 * options; *backend_option receives the backend's text. PI_ERROR_INVALID_VALUE: a pointer is NULL,
 * or the runtime's option is unknown; the message names the backend.
 */
pi_result compiler_option_find(const compiler_option *options, size_t count, const char *backend,
                               const char *frontend_option, const char **backend_option);

#endif
