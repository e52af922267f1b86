#define _GNU_SOURCE /* strndup */
#include "launch_argument.h"

#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size) {
  void *bytes = calloc(1, size);
  if (!bytes)
    tool_no_memory();
  return bytes;
}

/* A count in decimal, which ends at end. 0 is none, and so is one that overflows. */
static bool parse_count(const char *text, const char *end, size_t *ret) {
  if (!isdigit((unsigned char)*text))
    return false;
  char *stop;
  errno = 0;
  const uintmax_t value = strtoumax(text, &stop, 10);
  if (stop != end || errno == ERANGE || value > SIZE_MAX)
    return false;
  *ret = (size_t)value;
  return true;
}

static char *unknown_type(const char *name, size_t length, const char *others) {
  return tool_format("\"%.*s\" is not a type; types are %s%s", (int)length, name, NUMBER_TYPES_TEXT,
                     others);
}

/* ---- Arguments ---- */

/* NUMBER,NUMBER... of exactly argument->count numbers. */
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

/* The content of a buffer: what stands behind "=". */
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

/* TYPE[COUNT]=CONTENT, where bracket and equals stand in it. */
static char *parse_buffer(const char *bracket, const char *equals, launch_argument *ret) {
  ret->kind = SPECPI_ARGUMENT_BUFFER;
  ret->type = number_type_find(ret->spec, (size_t)(bracket - ret->spec));
  if (!ret->type)
    return unknown_type(ret->spec, (size_t)(bracket - ret->spec), "");
  if (equals[-1] != ']' || !parse_count(bracket + 1, equals - 1, &ret->count) || ret->count == 0)
    return tool_format("the number of elements is not a number from 1 on in brackets");
  if (__builtin_mul_overflow(ret->count, ret->type->size, &ret->size))
    return tool_format("%zu elements are more than an address reaches", ret->count);
  ret->bytes = calloc(ret->count, ret->type->size);
  if (!ret->bytes)
    return tool_format("there is no memory for %zu bytes", ret->size);
  return parse_content(ret, equals + 1);
}

/* TYPE=NUMBER or hex=DIGITS. */
static char *parse_value(const char *equals, launch_argument *ret) {
  const size_t length = (size_t)(equals - ret->spec);
  ret->kind = SPECPI_ARGUMENT_VALUE;
  if (length == 3 && strncmp(ret->spec, "hex", length) == 0)
    return number_parse_hex(equals + 1, &ret->bytes, &ret->size);
  ret->type = number_type_find(ret->spec, length);
  if (!ret->type)
    return unknown_type(ret->spec, length, ", hex");
  ret->size = ret->type->size;
  ret->bytes = allocate(ret->size);
  return number_parse(ret->type, equals + 1, ret->bytes);
}

char *launch_argument_parse(const char *spec, launch_argument *ret) {
  static const char local[] = "local:";
  *ret = (launch_argument){.spec = spec};
  if (strncmp(spec, local, sizeof local - 1) == 0) {
    const char *count = spec + sizeof local - 1;
    ret->kind = SPECPI_ARGUMENT_LOCAL;
    if (!parse_count(count, count + strlen(count), &ret->size) || ret->size == 0)
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

/* ---- Constants ---- */

/* NAME or NAME@OFFSET, which ends at end. A name may have an @ that no number follows. */
static char *parse_name(const char *text, const char *end, launch_constant *ret) {
  const char *name_end = end;
  const char *at = memrchr(text, '@', (size_t)(end - text));
  if (at && parse_count(at + 1, end, &ret->offset)) {
    ret->is_part = true;
    name_end = at;
  }
  if (name_end == text)
    return tool_format("the name of the constant is missing");
  ret->name = strndup(text, (size_t)(name_end - text));
  if (!ret->name)
    tool_no_memory();
  return NULL;
}

char *launch_constant_parse(const char *text, launch_constant *ret) {
  *ret = (launch_constant){0};
  const char *equals = strchr(text, '=');
  const char *colon = equals ? strchr(equals, ':') : NULL;
  if (!colon)
    return tool_format("it is not NAME=TYPE:VALUE");
  char *reason = parse_name(text, equals, ret);
  if (reason)
    return reason;
  const char *type_name = equals + 1;
  const size_t length = (size_t)(colon - type_name);
  if (length == 3 && strncmp(type_name, "hex", length) == 0)
    return number_parse_hex(colon + 1, &ret->bytes, &ret->size);
  const number_type *type = number_type_find(type_name, length);
  if (!type)
    return unknown_type(type_name, length, ", hex");
  ret->size = type->size;
  ret->bytes = allocate(ret->size);
  return number_parse(type, colon + 1, ret->bytes);
}

void launch_constant_clear(launch_constant *constant) {
  free(constant->name);
  free(constant->bytes);
  *constant = (launch_constant){0};
}
