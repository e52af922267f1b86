/* One plugin file: loading it, agreeing on the version, filling its holes. */
#ifndef SPECPI_PLUGIN_H
#define SPECPI_PLUGIN_H

#include "device.h"

#include <specpi/specpi.h>

typedef struct specpi_plugin_object plugin;

/* A file that was tried. Made in full before anybody else sees it, constant from then on. */
struct specpi_plugin_object {
  specpi_backend backend;
  specpi_plugin_state state;
  specpi_driver_state driver;
  char *path;
  char *reason;
  char *missing;
  char version[PI_VERSION_SIZE + 1];
  void *library;                  /* NULL unless the plugin is in use */
  pi_function_table functions;    /* the plugin's, holes filled */
  const pi_function_table *calls; /* what callers get: functions, or the wrappers around it */
  platform *platforms;
  size_t platform_count;
};

/*
 * Tries one file. *ret, which the caller frees with plugin_free, is IDLE when the plugin
 * is loaded and ready to be asked for its devices, else ABSENT or REFUSED with a reason.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result plugin_open(specpi_backend backend, const char *path, plugin **ret);

/* A record of a path that is not even tried: REFUSED for that reason. Errors as plugin_open. */
specpi_result plugin_refuse(specpi_backend backend, const char *path, const char *reason,
                            plugin **ret);

/*
 * Asks a loaded plugin for its platforms and devices and makes it READY if there is one,
 * else notes the reason. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result plugin_discover(plugin *plugin);

/* Closes the library and frees everything; NULL is fine. */
void plugin_free(plugin *plugin);

/* A full table of functions that return PI_ERROR_UNSUPPORTED_FEATURE with a message. */
extern const pi_function_table plugin_unsupported;

#endif
