#include "table.h"

#include "../plugins/base/error.h"

#include <stdio.h>
#include <string.h>

/* An entry of a layout: the function's offset in pi_function_table, and its first PI version. */
typedef struct table_entry {
  size_t offset;
  int since;
} table_entry;

/*
 * All entries. Their order never changed (see pi_functions.def), so the layout of a version is this
 * list without the newer entries.
 */
static const table_entry entries[] = {
#define PI_FUNCTION(name, since, parameters, arguments) {offsetof(pi_function_table, name), since},
#include <pi/pi_functions.def>
};

/* The versions whose tables this library fills. */
static const struct {
  const char *runtime;
  const char *plugin;
  int number;
} versions[] = {
    {PI_VERSION_STRING, PI_VERSION_STRING ".1", 1547},
};

typedef void function(void);

pi_result pi_table_fill(pi_plugin *plugin_info, const char *plugin,
                        const pi_function_table *functions) {
  REQUIRE(plugin_info, PI_ERROR_INVALID_VALUE, "plugin_info is NULL");

  for (size_t v = 0; v < sizeof versions / sizeof versions[0]; v++) {
    if (strncmp(plugin_info->PiVersion, versions[v].runtime, PI_VERSION_SIZE) != 0)
      continue;
    char *slot = (char *)&plugin_info->PiFunctionTable;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
      if (entries[i].since > versions[v].number)
        continue;
      memcpy(slot, (const char *)functions + entries[i].offset, sizeof(function *));
      slot += sizeof(function *);
    }
    snprintf(plugin_info->PluginVersion, PI_VERSION_SIZE, "%s", versions[v].plugin);
    return PI_SUCCESS;
  }

  /*
   * libsycl ignores the result of piPluginInit and calls through a table of zeros. This line on
   * stderr is the only message before the crash.
   */
  fprintf(stderr, "specpi: %s cannot serve a runtime of PI version \"%.*s\"; it knows %s\n", plugin,
          PI_VERSION_SIZE, plugin_info->PiVersion, PI_VERSION_STRING);
  return plugin_error(PI_ERROR_INVALID_OPERATION, "PI version \"%.*s\" is not known, %s is",
                      PI_VERSION_SIZE, plugin_info->PiVersion, PI_VERSION_STRING);
}
