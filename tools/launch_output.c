#include "launch_output.h"

#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *launch_output_parse(const char *spec, launch_output *ret) {
  *ret = (launch_output){.spec = spec};
  const char *equals = strchr(spec, '=');
  if (!equals || equals[1] == '\0' || !number_parse_count(spec, equals, &ret->argument))
    return tool_format("it is not ARGUMENT=FILE, where ARGUMENT is a number");
  ret->path = equals + 1;
  return NULL;
}

char *launch_output_check(const launch_output *output, const launch_argument *arguments,
                          size_t count) {
  if (output->argument >= count)
    return tool_format("there is no argument %zu: --arg stands for %zu of them, from 0 on",
                       output->argument, count);
  if (arguments[output->argument].kind != SPECPI_ARGUMENT_BUFFER)
    return tool_format("argument %zu is no buffer, but %s", output->argument,
                       arguments[output->argument].spec);
  return NULL;
}

char *launch_output_write(const launch_output *output, const launch_argument *arguments) {
  const launch_argument *from = &arguments[output->argument];
  FILE *file = fopen(output->path, "wb");
  if (!file)
    return tool_format("%s cannot be opened: %s", output->path, strerror(errno));
  const bool written = fwrite(from->bytes, 1, from->size, file) == from->size;
  int reason = errno;
  const bool closed = fclose(file) == 0;
  if (written && !closed)
    reason = errno;
  return written && closed
             ? NULL
             : tool_format("%s cannot be written: %s", output->path, strerror(reason));
}
