/* What runtimes' own options are called by a backend's compiler: piPluginGetBackendOption. */
#ifndef PI_BASE_BACKEND_OPTION_H
#define PI_BASE_BACKEND_OPTION_H

#include <pi/pi.h>

/* An option of a runtime, and what the backend takes for it. */
typedef struct pi_backend_option {
  const char *frontend;
  const char *backend;
} pi_backend_option;

/*
 * All of piPluginGetBackendOption but the check of its platform: *backend_option receives a text of
 * the count options. PI_ERROR_INVALID_VALUE: a pointer is NULL, or none of the options is meant;
 * backend is the backend's name for that sentence.
 */
pi_result pi_backend_option_find(const pi_backend_option *options, size_t count,
                                 const char *backend, const char *frontend_option,
                                 const char **backend_option);

#endif
