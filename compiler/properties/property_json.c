/* The JSON form of property sets. */
#include "json.h"

#include "../../plugins/base/digits.h"

#include <stdlib.h>
#include <string.h>

static json_t *property(const specpi_compiler_property *property) {
  json_t *made = json_object();
  if (made != NULL && json_member(made, "name", json_string(property->name)) &&
      (property->type == SPECPI_COMPILER_PROPERTY_NUMBER
           ? json_member(made, "number", json_integer(property->number))
           : json_member(made, "bytes", json_hex(property->data, property->size))))
    return made;
  json_decref(made);
  return NULL;
}

static json_t *set_to_json(const property_set *set) {
  json_t *made = json_object();
  json_t *list = json_array();
  bool good = made != NULL && list != NULL;
  for (size_t i = 0; i < set->properties.count && good; i++)
    good = json_add(list, property(&set->properties.items[i]));
  good = good && json_member(made, "set", json_string(set->name)) &&
         json_member(made, "properties", json_incref(list));
  json_decref(list);
  if (good)
    return made;
  json_decref(made);
  return NULL;
}

specpi_compiler_result properties_write_json(specpi_compiler_properties from, property_text *to) {
  for (size_t i = 0; i < from->sets.count; i++) {
    COMPILER_TRY(json_check_name(from->sets.items[i].name));
    for (size_t j = 0; j < from->sets.items[i].properties.count; j++)
      COMPILER_TRY(json_check_name(from->sets.items[i].properties.items[j].name));
  }
  json_t *made = json_array();
  bool good = made != NULL;
  for (size_t i = 0; i < from->sets.count && good; i++)
    good = json_add(made, set_to_json(&from->sets.items[i]));
  const specpi_compiler_result result = good ? json_write(made, to) : compiler_error_memory();
  json_decref(made);
  return result;
}

static specpi_compiler_result refuse_json(const char *where, size_t length, const char *why) {
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_PROPERTIES, "'%.*s' %s",
                        length < 200 ? (int)length : 200, where, why);
}

static specpi_compiler_result read_bytes(const char *name, const json_t *from,
                                         specpi_compiler_properties to) {
  const char *text = json_string_value(from);
  const size_t length = json_string_length(from);
  unsigned char *bytes = malloc(length / 2 + 1);
  if (bytes == NULL)
    return compiler_error_memory();
  const bool good = length % 2 == 0 && digits_read_hex(text, length / 2, bytes);
  specpi_compiler_result result;
  if (good && properties_is_value(bytes, length / 2))
    result = properties_add_bytes(to, name, strlen(name), bytes, length / 2);
  else
    result = refuse_json(name, strlen(name),
                         good ? "has bytes whose length is not the one that they begin with"
                              : "has bytes that are no pairs of hexadecimal digits");
  free(bytes);
  return result;
}

/* Returns a member that is a non-empty text without a NUL; otherwise NULL. */
static const char *name_of(const json_t *object, const char *member) {
  const json_t *value = json_object_get(object, member);
  const char *text = json_string_value(value);
  return text != NULL && text[0] != '\0' && strlen(text) == json_string_length(value) ? text : NULL;
}

static specpi_compiler_result read_property(const json_t *from, const char *in,
                                            specpi_compiler_properties to) {
  const char *name = name_of(from, "name");
  const json_t *number = json_object_get(from, "number");
  const json_t *bytes = json_object_get(from, "bytes");
  if (name == NULL)
    return refuse_json(in, strlen(in), "has a property without a name");
  if (json_is_string(bytes) && number == NULL)
    return read_bytes(name, bytes, to);
  if (!json_is_integer(number) || bytes != NULL || json_integer_value(number) < 0 ||
      json_integer_value(number) > UINT32_MAX)
    return refuse_json(name, strlen(name), "has neither a number of 32 bits nor bytes");
  return properties_add_number(to, name, strlen(name), (uint32_t)json_integer_value(number));
}

static specpi_compiler_result read_sets(const json_t *from, specpi_compiler_properties to) {
  COMPILER_REQUIRE(json_is_array(from), SPECPI_COMPILER_ERROR_INVALID_PROPERTIES,
                   "the JSON value is no array");
  size_t i;
  json_t *value;
  json_array_foreach(from, i, value) {
    const char *name = name_of(value, "set");
    const json_t *list = json_object_get(value, "properties");
    COMPILER_REQUIRE(name != NULL && json_is_array(list), SPECPI_COMPILER_ERROR_INVALID_PROPERTIES,
                     "element %zu has no set name or no array of properties", i);
    COMPILER_TRY(properties_add_set(to, name, strlen(name)));
    size_t j;
    json_t *element;
    json_array_foreach(list, j, element) COMPILER_TRY(read_property(element, name, to));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result properties_read_json(const char *text, size_t size,
                                            specpi_compiler_properties to) {
  json_error_t error;
  json_t *from = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
  /* When memory is exhausted, jansson may return an empty message, or call it a syntax error, so
   * its error code is checked, too. */
  if (from == NULL &&
      (json_error_code(&error) == json_error_out_of_memory || error.text[0] == '\0'))
    return compiler_error_memory();
  COMPILER_REQUIRE(from != NULL, SPECPI_COMPILER_ERROR_INVALID_PROPERTIES, "line %d: %s",
                   error.line, error.text);
  const specpi_compiler_result result = read_sets(from, to);
  json_decref(from);
  return result;
}
