#include "json.h"

#include "../plugins/base/digits.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static json_t *checked(json_t *value) {
  if (!value)
    tool_no_memory();
  return value;
}

static char *allocate_text(size_t size) {
  char *text = malloc(size ? size : 1);
  if (!text)
    tool_no_memory();
  return text;
}

json_t *tool_json_text_of(const char *text, size_t size) {
  json_t *value = json_stringn(text, size);
  if (value)
    return value;
  char *ascii = allocate_text(size);
  memcpy(ascii, text, size);
  for (size_t i = 0; i < size; i++)
    if ((unsigned char)ascii[i] >= 0x80)
      ascii[i] = '?';
  value = checked(json_stringn(ascii, size));
  free(ascii);
  return value;
}

json_t *tool_json_text(const char *text) {
  return tool_json_text_of(text, strlen(text));
}

json_t *tool_json_hex(const void *bytes, size_t size) {
  char *text = allocate_text(2 * size);
  digits_write_hex(bytes, size, text);
  json_t *value = checked(json_stringn(text, 2 * size));
  free(text);
  return value;
}

json_t *tool_json_integer(json_int_t value) {
  return checked(json_integer(value));
}

json_t *tool_json_array(void) {
  return checked(json_array());
}

json_t *tool_json_object(void) {
  return checked(json_object());
}

void tool_json_member(json_t *object, const char *name, json_t *value) {
  if (json_object_set_new(object, name, value) != 0)
    tool_no_memory();
}

void tool_json_add(json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0)
    tool_no_memory();
}
