#define _GNU_SOURCE /* strdup */
#include "plugin.h"

#include "../plugins/base/error.h"
#include "../plugins/base/names.h"
#include "error.h"
#include "os.h"
#include "trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The structure that a plugin fills in. A plugin of another version may write a longer table, so
 * there is space after ours. That space must stay unchanged.
 */
typedef struct offer {
  pi_plugin plugin;
  unsigned char slack[4096];
} offer;

typedef void function(void);

static const char *const entry_names[] = {
#define PI_FUNCTION(name, since, parameters, arguments) #name,
#include <pi/pi_functions.def>
};

static specpi_result set_reason(plugin *plugin, specpi_plugin_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static specpi_result set_reason(plugin *plugin, specpi_plugin_state state, const char *format,
                                ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  char *copy = strdup(text);
  if (!copy)
    return error_memory();
  free(plugin->reason);
  plugin->reason = copy;
  plugin->state = state;
  return SPECPI_SUCCESS;
}

static specpi_result new_plugin(specpi_backend backend, const char *path, plugin **ret) {
  plugin *made = calloc(1, sizeof *made);
  if (!made)
    return error_memory();
  made->backend = backend;
  made->path = strdup(path);
  made->reason = strdup("");
  made->missing = strdup("");
  if (!made->path || !made->reason || !made->missing) {
    plugin_free(made);
    return error_memory();
  }
  *ret = made;
  return SPECPI_SUCCESS;
}

/* Copies the table and fills empty entries with stubs. Their names become plugin->missing. */
static specpi_result take_functions(plugin *plugin, const pi_function_table *given, size_t *holes) {
  size_t size = 1;
  *holes = 0;
  for (size_t i = 0; i < PI_FUNCTION_COUNT; i++) {
    const size_t offset = i * sizeof(function *);
    function *entry;
    memcpy(&entry, (const char *)given + offset, sizeof entry);
    if (!entry) {
      memcpy(&entry, (const char *)&plugin_unsupported + offset, sizeof entry);
      size += strlen(entry_names[i]) + 1;
      ++*holes;
    }
    memcpy((char *)&plugin->functions + offset, &entry, sizeof entry);
  }

  char *missing = calloc(1, size);
  if (!missing)
    return error_memory();
  char *end = missing;
  for (size_t i = 0; i < PI_FUNCTION_COUNT; i++) {
    function *entry;
    memcpy(&entry, (const char *)given + i * sizeof entry, sizeof entry);
    if (!entry)
      end += snprintf(end, size - (size_t)(end - missing), "%s%s", end == missing ? "" : " ",
                      entry_names[i]);
  }
  free(plugin->missing);
  plugin->missing = missing;
  return SPECPI_SUCCESS;
}

/* Returns whether a plugin's version, e.g. "15.47.1", fits the version that was offered. */
static bool version_agrees(const char *version) {
  const size_t size = strlen(PI_VERSION_STRING);
  return strncmp(version, PI_VERSION_STRING, size) == 0 &&
         (version[size] == '\0' || version[size] == '.');
}

/* Calls piPluginInit and takes over the version and the table. */
static specpi_result negotiate_version(plugin *plugin, piPluginInit_fn *init, offer *offer) {
  memcpy(offer->plugin.PiVersion, PI_VERSION_STRING, sizeof PI_VERSION_STRING);
  const pi_result code = init(&offer->plugin);
  if (code != PI_SUCCESS)
    return set_reason(plugin, SPECPI_PLUGIN_REFUSED,
                      "its piPluginInit answers PI version %s with %s (%d)", PI_VERSION_STRING,
                      enumerator_name("pi_result", code), code);
  memcpy(plugin->version, offer->plugin.PluginVersion, PI_VERSION_SIZE);
  if (!version_agrees(plugin->version))
    return set_reason(plugin, SPECPI_PLUGIN_REFUSED, "it speaks PI version \"%s\" and libspecpi %s",
                      plugin->version, PI_VERSION_STRING);
  for (size_t i = 0; i < sizeof offer->slack; i++)
    if (offer->slack[i] != 0)
      return set_reason(plugin, SPECPI_PLUGIN_REFUSED,
                        "it says PI version %s and wrote past the end of that version's table",
                        plugin->version);
  size_t holes;
  ERROR_TRY(take_functions(plugin, &offer->plugin.PiFunctionTable, &holes));
  if (holes == PI_FUNCTION_COUNT)
    return set_reason(plugin, SPECPI_PLUGIN_REFUSED, "its piPluginInit filled in no function");
  plugin->calls = &plugin->functions;
  if (trace_enabled(TRACE_CALLS))
    plugin->calls = trace_wrap(plugin->backend, &plugin->functions);
  plugin->state = SPECPI_PLUGIN_IDLE;
  return SPECPI_SUCCESS;
}

static specpi_result load_plugin(plugin *plugin) {
  os_reason reason;
  switch (os_file_kind(plugin->path, &reason)) {
  case OS_FILE_ABSENT:
    return set_reason(plugin, SPECPI_PLUGIN_ABSENT, "there is no such file");
  case OS_FILE_UNUSABLE:
    return set_reason(plugin, SPECPI_PLUGIN_REFUSED, "%s", reason.text);
  case OS_FILE_REGULAR:
    break;
  }
  plugin->library = os_library_open(plugin->path, &reason);
  if (!plugin->library)
    return set_reason(plugin, SPECPI_PLUGIN_REFUSED, "%s", reason.text);
  void *symbol = os_library_symbol(plugin->library, "piPluginInit");
  if (!symbol)
    return set_reason(plugin, SPECPI_PLUGIN_REFUSED,
                      "it is not a PI plugin: no piPluginInit in it");
  piPluginInit_fn *init;
  memcpy(&init, &symbol, sizeof init);

  offer *offer = calloc(1, sizeof *offer);
  if (!offer)
    return error_memory();
  const specpi_result result = negotiate_version(plugin, init, offer);
  free(offer);
  return result;
}

specpi_result plugin_open(specpi_backend backend, const char *path, plugin **ret) {
  plugin *made = NULL;
  ERROR_TRY(new_plugin(backend, path, &made));
  made->state = SPECPI_PLUGIN_REFUSED;
  const specpi_result result = load_plugin(made);
  if (result != SPECPI_SUCCESS) {
    plugin_free(made);
    return result;
  }
  if (made->state != SPECPI_PLUGIN_IDLE && made->library) {
    os_library_close(made->library);
    made->library = NULL;
  }
  *ret = made;
  return SPECPI_SUCCESS;
}

specpi_result plugin_refuse(specpi_backend backend, const char *path, const char *reason,
                            plugin **ret) {
  plugin *made = NULL;
  ERROR_TRY(new_plugin(backend, path, &made));
  const specpi_result result = set_reason(made, SPECPI_PLUGIN_REFUSED, "%s", reason);
  if (result != SPECPI_SUCCESS) {
    plugin_free(made);
    return result;
  }
  *ret = made;
  return SPECPI_SUCCESS;
}

/* A larger number of platforms or devices must come from an uninitialised variable. */
enum { COUNT_LIMIT = 4096 };

/* The plugin's own message about its latest failure, or a note that it recorded without a failure;
 * or "". */
static const char *last_words(const plugin *plugin, pi_result *code) {
  char *message = NULL;
  *code = plugin->calls->piPluginGetLastError(&message);
  return message ? message : "";
}

static specpi_driver_state driver_state(pi_result note) {
  switch ((int)note) {
  case PI_NOTE_DRIVER_ABSENT:
    return SPECPI_DRIVER_ABSENT;
  case PI_NOTE_DRIVER_OLD:
    return SPECPI_DRIVER_OLD;
  case PI_NOTE_DRIVER_BROKEN:
    return SPECPI_DRIVER_BROKEN;
  default:
    return SPECPI_DRIVER_UNKNOWN;
  }
}

static specpi_result call_failed(plugin *plugin, const char *call, pi_result code) {
  pi_result last;
  const char *words = last_words(plugin, &last);
  return set_reason(plugin, SPECPI_PLUGIN_IDLE, "%s failed with %s (%d)%s%s", call,
                    enumerator_name("pi_result", code), code, *words ? ": " : "", words);
}

/* Finds the devices of one platform. first_number: the first one's number in its backend. */
static specpi_result discover_devices(plugin *plugin, platform *platform, uint32_t first_number) {
  pi_uint32 count = 0;
  pi_result code =
      plugin->calls->piDevicesGet(platform->handle, PI_DEVICE_TYPE_ALL, 0, NULL, &count);
  if (code == PI_ERROR_DEVICE_NOT_FOUND || (code == PI_SUCCESS && count == 0))
    return SPECPI_SUCCESS;
  if (code != PI_SUCCESS)
    return call_failed(plugin, "piDevicesGet", code);
  if (count > COUNT_LIMIT)
    return set_reason(plugin, SPECPI_PLUGIN_IDLE, "piDevicesGet speaks of %u devices", count);
  pi_device *handles = calloc(count, sizeof(pi_device));
  if (!handles)
    return error_memory();
  code = plugin->calls->piDevicesGet(platform->handle, PI_DEVICE_TYPE_ALL, count, handles, NULL);
  specpi_result result = code == PI_SUCCESS ? device_list_make(platform, NULL, first_number,
                                                               handles, count, &platform->devices)
                                            : call_failed(plugin, "piDevicesGet", code);
  if (result == SPECPI_SUCCESS && platform->devices)
    platform->device_count = count;
  free(handles);
  return result;
}

static specpi_result discover_platforms(plugin *plugin, const pi_platform *handles,
                                        pi_uint32 count) {
  plugin->platforms = calloc(count, sizeof *plugin->platforms);
  if (!plugin->platforms)
    return error_memory();
  uint32_t number = 0;
  for (pi_uint32 i = 0; i < count; i++) {
    platform *platform = &plugin->platforms[i];
    ERROR_TRY(platform_make(plugin, handles[i], platform));
    plugin->platform_count++;
    ERROR_TRY(discover_devices(plugin, platform, number));
    number += (uint32_t)platform->device_count;
  }
  /* Devices of other platforms are usable even if one platform fails. */
  if (number > 0)
    return set_reason(plugin, SPECPI_PLUGIN_READY, "%s", "");
  if (*plugin->reason)
    return SPECPI_SUCCESS;
  return set_reason(plugin, SPECPI_PLUGIN_IDLE, "its %u platform%s no device", count,
                    count == 1 ? " has" : "s have");
}

specpi_result plugin_discover(plugin *plugin) {
  pi_uint32 count = 0;
  pi_result code = plugin->calls->piPlatformsGet(0, NULL, &count);
  if (code != PI_SUCCESS)
    return call_failed(plugin, "piPlatformsGet", code);
  if (count == 0) {
    const char *words = last_words(plugin, &code);
    plugin->driver = driver_state(code);
    return set_reason(plugin, SPECPI_PLUGIN_IDLE, "%s", *words ? words : "it knows no platform");
  }
  if (count > COUNT_LIMIT)
    return set_reason(plugin, SPECPI_PLUGIN_IDLE, "piPlatformsGet speaks of %u platforms", count);
  pi_platform *handles = calloc(count, sizeof(pi_platform));
  if (!handles)
    return error_memory();
  code = plugin->calls->piPlatformsGet(count, handles, NULL);
  const specpi_result result = code == PI_SUCCESS ? discover_platforms(plugin, handles, count)
                                                  : call_failed(plugin, "piPlatformsGet", code);
  free(handles);
  return result;
}

void plugin_free(plugin *plugin) {
  if (!plugin)
    return;
  for (size_t i = 0; i < plugin->platform_count; i++)
    platform_clear(&plugin->platforms[i]);
  free(plugin->platforms);
  if (plugin->library)
    os_library_close(plugin->library);
  free(plugin->path);
  free(plugin->reason);
  free(plugin->missing);
  free(plugin);
}
