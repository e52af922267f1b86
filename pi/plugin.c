/* PI's entries that belong to no object: the function table, the last error, the end. */
#include "table.h"

#include "../plugins/base/cancellation.h"
#include "../plugins/objects/driver.h"
#include "../plugins/objects/handle_checks.h"

#include <string.h>

/* Entries without protection from cancellation, because every launch calls them. */
#define CANCELLATION_AT_piEnqueueKernelLaunch ,
#define CANCELLATION_AT_piKernelSetArg ,
#define CANCELLATION_AT_piextKernelSetArgMemObj ,
#define CANCELLATION_AT_piextKernelSetArgPointer ,
#define CANCELLATION_AT_piextKernelSetArgSampler ,
#define CANCELLATION_AT_piKernelSetExecInfo ,
#define CANCELLATION_AT_piKernelRetain ,
#define CANCELLATION_AT_piKernelRelease ,
#define CANCELLATION_AT_piEventRetain ,
#define CANCELLATION_AT_piEventRelease ,
#define CANCELLATION_AT_piEventGetInfo ,

/* Wrappers in which a thread cannot be cancelled. The table has them for all other entries. */
#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  __attribute__((unused)) static pi_result whole_##name parameters {                               \
    WITHOUT_CANCELLATION;                                                                          \
    return name arguments;                                                                         \
  }
#include <pi/pi_functions.def>

static const pi_function_table functions = {
#define PI_FUNCTION(name, since, parameters, arguments) .name = CANCELLATION_ENTRY(name),
#include <pi/pi_functions.def>
};

__attribute__((visibility("default"))) pi_result piPluginInit(pi_plugin *plugin_info) {
  WITHOUT_CANCELLATION;
  TRY(pi_table_fill(plugin_info, driver_file, &functions));
  /* The runtime may pass native handles before it asks for platforms. */
  driver_load();
  return PI_SUCCESS;
}

pi_result piPluginGetLastError(char **message) {
  REQUIRE_POINTER(message);
  const char *text;
  const pi_result code = plugin_error_last(&text);
  /* PI's type lacks the const. Callers must not write to the text; libsycl only copies it. */
  memcpy(message, &text, sizeof *message);
  return code;
}

pi_result piextPluginGetOpaqueData(void *opaque_data_param, void **opaque_data_return) {
  (void)opaque_data_param;
  (void)opaque_data_return;
  return plugin_error(PI_ERROR_UNSUPPORTED_FEATURE,
                      "opaque data belongs to the ESIMD emulator, %s has none", driver_name);
}

/* Leaves the driver loaded, because the application may use it. */
pi_result piTearDown(void *plugin_parameter) {
  (void)plugin_parameter;
  return PI_SUCCESS;
}
