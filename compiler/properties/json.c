#include "json.h"

#include "../../plugins/base/digits.h"

#include <stdlib.h>

json_t *json_hex(const void *bytes, size_t size) {
  char *text = malloc(2 * size + 1);
  if (text == NULL)
    return NULL;
  digits_write_hex(bytes, size, text);
  json_t *made = json_stringn(text, 2 * size);
  free(text);
  return made;
}

bool json_add(json_t *array, json_t *value) {
  return json_array_append_new(array, value) == 0;
}

bool json_member(json_t *object, const char *name, json_t *value) {
  return json_object_set_new(object, name, value) == 0;
}

/* Returns the length of the UTF-8 character at the start of a text; 0 if it is invalid. */
static size_t character(const unsigned char *at) {
  const size_t length = at[0] < 0x80                    ? 1
                        : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
                        : at[0] >= 0xe0 && at[0] < 0xf0 ? 3
                        : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                                        : 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  /* Refuses overlong forms, surrogates, and numbers above U+10FFFF. */
  if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] >= 0xa0) ||
      (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] >= 0x90))
    return 0;
  return length;
}

/* Checked here, because jansson also returns NULL when memory is exhausted. */
specpi_compiler_result json_check_name(const char *name) {
  const unsigned char *at = (const unsigned char *)name;
  while (*at != '\0') {
    const size_t length = character(at);
    COMPILER_REQUIRE(length > 0, SPECPI_COMPILER_ERROR_INVALID_NAME,
                     "the name '%s' is not UTF-8, which JSON needs", name);
    at += length;
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Output of jansson. It records failures, because jansson does not always report them. */
typedef struct sink {
  property_text *to;
  bool failed;
} sink;

static int append_bytes(const char *bytes, size_t size, void *data) {
  sink *sink = data;
  sink->failed =
      sink->failed || property_text_add(sink->to, bytes, size) != SPECPI_COMPILER_SUCCESS;
  return sink->failed ? -1 : 0;
}

specpi_compiler_result json_write(const json_t *value, property_text *to) {
  sink sink = {.to = to};
  if (json_dump_callback(value, append_bytes, &sink, 0) != 0 || sink.failed)
    return compiler_error_memory();
  return property_text_add(to, "\n", 1);
}
