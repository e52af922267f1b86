#include "backend_option.h"

#include "error.h"

#include <string.h>

pi_result compiler_option_find(const compiler_option *options, size_t count, const char *backend,
                               const char *frontend_option, const char **backend_option) {
  REQUIRE(frontend_option && backend_option, PI_ERROR_INVALID_VALUE, "%s is NULL",
          frontend_option ? "backend_option" : "frontend_option");
  for (size_t i = 0; i < count; i++) {
    if (strcmp(options[i].frontend, frontend_option) != 0)
      continue;
    *backend_option = options[i].backend;
    return PI_SUCCESS;
  }
  return plugin_error(PI_ERROR_INVALID_VALUE, "\"%s\" has no %s counterpart", frontend_option,
                      backend);
}
