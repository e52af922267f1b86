/* Fills the caller's function table in the layout of the caller's PI version. */
#ifndef PI_TABLE_H
#define PI_TABLE_H

#include <pi/pi.h>

/*
 * The common part of every plugin's piPluginInit: copies the entries of functions into
 * plugin_info's table, in the layout of plugin_info->PiVersion, and writes PluginVersion. Errors as
 * piPluginInit. plugin is the plugin's name for the message.
 */
pi_result pi_table_fill(pi_plugin *plugin_info, const char *plugin,
                        const pi_function_table *functions);

#endif
