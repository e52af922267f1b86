#include "json.h"

#include <stdlib.h>

json_t *json_hex(const void *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  const unsigned char *from = bytes;
  char *text = malloc(2 * size + 1);
  if (text == NULL)
    return NULL;
  for (size_t i = 0; i < size; i++) {
    text[2 * i] = digits[from[i] >> 4];
    text[2 * i + 1] = digits[from[i] & 15];
  }
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

specpi_compiler_result json_check_name(const char *name) {
  json_t *probe = json_string(name);
  COMPILER_REQUIRE(probe != NULL, SPECPI_COMPILER_ERROR_INVALID_NAME,
                   "the name '%s' is not UTF-8, which JSON needs", name);
  json_decref(probe);
  return SPECPI_COMPILER_SUCCESS;
}

static int append(const char *bytes, size_t size, void *to) {
  return property_text_add(to, bytes, size) == SPECPI_COMPILER_SUCCESS ? 0 : -1;
}

specpi_compiler_result json_write(const json_t *value, property_text *to) {
  if (json_dump_callback(value, append, to, 0) != 0)
    return compiler_error_memory();
  return property_text_add(to, "\n", 1);
}
