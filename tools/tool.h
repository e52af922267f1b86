/* The parts that the subcommands of specpi share. */
#ifndef SPECPI_TOOL_H
#define SPECPI_TOOL_H

#include <specpi/specpi.h>

/* X(name, summary): every subcommand; tool_<name> is its main function. */
#define TOOL_COMMANDS(X)                                                                           \
  X(ls, "list platforms and devices")                                                              \
  X(doctor, "say what was found, what is missing, and what to do about it")                        \
  X(run, "run a SYCL program with specpi's plugins")                                               \
  X(inspect, "list the device images in a program, a library or an object file")                   \
  X(launch, "run one kernel of a library of device images")                                        \
  X(cache, "show and clear the directory of built programs")

enum {
  TOOL_SUCCESS = 0,
  TOOL_FAILURE = 1,
  TOOL_USAGE = 2,
  /* The same exit statuses as env(1) and shells use. */
  TOOL_NOT_EXECUTABLE = 126,
  TOOL_NOT_FOUND = 127
};

/* argv[0] is the subcommand's name. Returns the exit status. */
#define TOOL_COMMAND(name, summary) int tool_##name(int argc, char **argv);
TOOL_COMMANDS(TOOL_COMMAND)
#undef TOOL_COMMAND

/* Prints "specpi: " and a message to stderr. */
void tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints an error about a subcommand's arguments, and how to get help. Returns TOOL_USAGE. */
int tool_refuse_use(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Parses the options of a subcommand whose only option is --help. Returns true with the exit status
 * if there was an option; else optind is the index of the first argument.
 */
bool tool_takes_option(int argc, char **argv, const char *usage, int *status);

/* Ends the program because memory is exhausted. */
void tool_no_memory(void) __attribute__((noreturn));

/* Formats into new memory, which the caller frees. */
char *tool_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Allocates count zeroed elements, which the caller frees. Never returns NULL. */
void *tool_new_list(size_t count, size_t size);

/* Returns whether a list, whose entries are separated by a character, has an entry of size bytes.
 */
bool tool_list_has(const char *list, char separator, const char *entry, size_t size);

/* Maps a regular file; the caller unmaps it. Returns NULL if it is empty or cannot be read. */
const char *tool_map_file(const char *path, size_t *size);
/* Unmaps a file. bytes may be NULL. */
void tool_unmap_file(const char *bytes, size_t size);

/* Formats a device like sycl-ls: "[opencl:cpu][opencl:0] platform, device version [driver]". */
char *tool_device_line(specpi_device device);

/*
 * Lists the devices that ONEAPI_DEVICE_SELECTOR chooses, sorted by preference or in the order of
 * specpi ls. The caller frees the list.
 */
specpi_result tool_devices(bool by_preference, specpi_device **ret, size_t *count);

/* Lists the plugin files tried for a backend. Returns NULL on failure. The caller frees the list.
 */
specpi_plugin *tool_plugins(specpi_backend backend, size_t *count);

/* Lists the directories where plugins are searched. Returns NULL after an error message. The caller
 * frees the list. */
const char **tool_plugin_directories(size_t *count);

/* List the platforms of a plugin and the devices of a platform. The caller frees the list. */
specpi_platform *tool_platforms(specpi_plugin plugin, size_t *count);
specpi_device *tool_platform_devices(specpi_platform platform, size_t *count);

#endif
