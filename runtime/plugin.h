/* Loads a plugin file, agrees on the version, and fills the empty entries of its table. */
#ifndef SPECPI_PLUGIN_H
#define SPECPI_PLUGIN_H

#include "device.h"

#include <specpi/specpi.h>

typedef struct specpi_plugin_object plugin;

/* A file that was tried. It is complete before other code sees it, and constant from then on. */
struct specpi_plugin_object {
  specpi_backend backend;
  specpi_plugin_state state;
  specpi_driver_state driver;
  char *path;
  char *reason;
  char *missing;
  char version[PI_VERSION_SIZE + 1];
  void *library;                  /* NULL unless the plugin is in use */
  pi_function_table functions;    /* the plugin's table, with stubs for empty entries */
  const pi_function_table *calls; /* the table for callers: functions, or wrappers around it */
  platform *platforms;
  size_t platform_count;
};

/*
 * Tries one file. *ret is IDLE if the plugin is loaded, so that plugin_discover can be called,
 * otherwise ABSENT or REFUSED with a reason. The caller frees *ret with plugin_free.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result plugin_open(specpi_backend backend, const char *path, plugin **ret);

/* Makes a record of a path that is not tried: REFUSED with that reason. Errors as plugin_open. */
specpi_result plugin_refuse(specpi_backend backend, const char *path, const char *reason,
                            plugin **ret);

/*
 * Asks a loaded plugin for its platforms and devices, and makes it READY if there is a device;
 * otherwise records the reason. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result plugin_discover(plugin *plugin);

/* Closes the library and frees the record; NULL is allowed. */
void plugin_free(plugin *plugin);

/* A full table of functions that return PI_ERROR_UNSUPPORTED_FEATURE with a message. */
extern const pi_function_table plugin_unsupported;

#endif
