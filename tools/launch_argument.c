#include "launch_argument.h"

#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Parses NUMBER,NUMBER... with exactly argument->count numbers. */
static char *parse_list(launch_argument *argument, const char *text) {
  char *copy = tool_format("%s", text);
  char *reason = NULL;
  size_t count = 0;
  for (char *next = copy; next && !reason; count++) {
    char *one = next;
    char *comma = strchr(one, ',');
    next = comma ? comma + 1 : NULL;
    if (comma)
      *comma = '\0';
    unsigned char ignored[8];
    reason = number_parse(argument->type, one,
                          count < argument->count ? argument->bytes + count * argument->type->size
                                                  : ignored);
  }
  free(copy);
  if (!reason && count != argument->count)
    reason = tool_format("there are %zu numbers for %zu elements; iota and zero make them, too",
                         count, argument->count);
  return reason;
}

/* Parses the content of a buffer, the text after "=". */
static char *parse_content(launch_argument *argument, const char *text) {
  if (*text == '@') {
    argument->file = text + 1;
    return NULL;
  }
  if (strcmp(text, "zero") == 0)
    return NULL;
  if (strcmp(text, "iota") != 0)
    return parse_list(argument, text);
  for (size_t i = 0; i < argument->count; i++)
    number_from_index(argument->type, i, argument->bytes + i * argument->type->size);
  return NULL;
}

/* Parses TYPE[COUNT]=CONTENT. bracket and equals point to its "[" and "=". */
static char *parse_buffer(const char *bracket, const char *equals, launch_argument *ret) {
  ret->kind = SPECPI_ARGUMENT_BUFFER;
  ret->type = number_type_find(ret->spec, (size_t)(bracket - ret->spec));
  if (!ret->type)
    return number_unknown_type(ret->spec, (size_t)(bracket - ret->spec), "");
  if (equals[-1] != ']' || !number_parse_count(bracket + 1, equals - 1, &ret->count) ||
      ret->count == 0)
    return tool_format("the number of elements is not a number from 1 on in brackets");
  if (__builtin_mul_overflow(ret->count, ret->type->size, &ret->size))
    return tool_format("%zu elements are more than an address reaches", ret->count);
  ret->bytes = calloc(ret->count, ret->type->size);
  if (!ret->bytes)
    return tool_format("there is no memory for %zu bytes", ret->size);
  return parse_content(ret, equals + 1);
}

/* Parses TYPE=NUMBER or hex=DIGITS. */
static char *parse_value(const char *equals, launch_argument *ret) {
  ret->kind = SPECPI_ARGUMENT_VALUE;
  return number_parse_typed(ret->spec, (size_t)(equals - ret->spec), equals + 1, &ret->type,
                            &ret->bytes, &ret->size);
}

char *launch_argument_parse(const char *spec, launch_argument *ret) {
  static const char local[] = "local:";
  *ret = (launch_argument){.spec = spec};
  if (strncmp(spec, local, sizeof local - 1) == 0) {
    const char *count = spec + sizeof local - 1;
    ret->kind = SPECPI_ARGUMENT_LOCAL;
    if (!number_parse_count(count, count + strlen(count), &ret->size) || ret->size == 0)
      return tool_format("\"%s\" is not a number of bytes from 1 on", count);
    return NULL;
  }
  const char *equals = strchr(spec, '=');
  if (!equals)
    return tool_format("it is neither TYPE=NUMBER nor TYPE[COUNT]=... nor local:BYTES");
  const char *bracket = memchr(spec, '[', (size_t)(equals - spec));
  return bracket ? parse_buffer(bracket, equals, ret) : parse_value(equals, ret);
}

char *launch_argument_load(launch_argument *argument) {
  if (!argument->file)
    return NULL;
  FILE *file = fopen(argument->file, "rb");
  if (!file)
    return tool_format("%s cannot be opened: %s", argument->file, strerror(errno));
  const size_t got = fread(argument->bytes, 1, argument->size, file);
  const bool failed = ferror(file) != 0;
  const int reason = errno;
  const bool more = !failed && got == argument->size && getc(file) != EOF;
  fclose(file);
  if (failed)
    return tool_format("%s cannot be read: %s", argument->file, strerror(reason));
  if (got != argument->size || more)
    return tool_format("%s has %s%zu bytes, and %zu elements of type %s have %zu", argument->file,
                       more ? "more than " : "", got, argument->count, argument->type->name,
                       argument->size);
  return NULL;
}

void launch_argument_clear(launch_argument *argument) {
  specpiBufferRelease(argument->buffer);
  free(argument->bytes);
  *argument = (launch_argument){0};
}
