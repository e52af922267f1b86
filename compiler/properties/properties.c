#include "properties.h"

#include <pi/pi.h>
#include <stdlib.h>
#include <string.h>

specpi_compiler_properties properties_new(void) {
  return calloc(1, sizeof(struct specpi_compiler_properties_object));
}

void specpiCompilerPropertiesRelease(specpi_compiler_properties properties) {
  if (properties == NULL)
    return;
  for (size_t i = 0; i < properties->sets.count; i++) {
    property_set *set = &properties->sets.items[i];
    for (size_t j = 0; j < set->properties.count; j++) {
      free((char *)set->properties.items[j].name);
      free((void *)set->properties.items[j].data);
    }
    free(set->properties.items);
    free(set->name);
  }
  free(properties->sets.items);
  free(properties);
}

specpi_compiler_result properties_add_set(specpi_compiler_properties to, const char *name,
                                          size_t length) {
  char *copy = strndup(name, length);
  if (copy == NULL || !VECTOR_RESERVE(&to->sets)) {
    free(copy);
    return compiler_error_memory();
  }
  to->sets.items[to->sets.count++] = (property_set){.name = copy};
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds a property to the last set. Takes ownership of its data, also on failure. */
static specpi_compiler_result add_property(specpi_compiler_properties to, const char *name,
                                           size_t length, specpi_compiler_property property) {
  property_set *set = &to->sets.items[to->sets.count - 1];
  char *copy = strndup(name, length);
  if (copy == NULL || !VECTOR_RESERVE(&set->properties)) {
    free(copy);
    free((void *)property.data);
    return compiler_error_memory();
  }
  property.name = copy;
  set->properties.items[set->properties.count++] = property;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result properties_add_number(specpi_compiler_properties to, const char *name,
                                             size_t length, uint32_t number) {
  return add_property(
      to, name, length,
      (specpi_compiler_property){.type = SPECPI_COMPILER_PROPERTY_NUMBER, .number = number});
}

specpi_compiler_result properties_add_bytes(specpi_compiler_properties to, const char *name,
                                            size_t length, const void *bytes, size_t size) {
  void *copy = malloc(size + 1);
  if (copy == NULL)
    return compiler_error_memory();
  memcpy(copy, bytes, size);
  return add_property(to, name, length,
                      (specpi_compiler_property){
                          .type = SPECPI_COMPILER_PROPERTY_BYTES, .data = copy, .size = size});
}

specpi_compiler_result properties_add_payload(specpi_compiler_properties to, const char *name,
                                              const void *payload, size_t size) {
  return properties_add_bits(to, name, payload, size * 8);
}

specpi_compiler_result properties_add_bits(specpi_compiler_properties to, const char *name,
                                           const void *payload, size_t bits) {
  const size_t size = bits / 8 + (bits % 8 != 0);
  unsigned char *value = malloc(8 + size);
  if (value == NULL)
    return compiler_error_memory();
  for (unsigned i = 0; i < 8; i++)
    value[i] = (unsigned char)((uint64_t)bits >> (8 * i));
  memcpy(value + 8, payload, size);
  return add_property(to, name, strlen(name),
                      (specpi_compiler_property){
                          .type = SPECPI_COMPILER_PROPERTY_BYTES, .data = value, .size = 8 + size});
}

specpi_compiler_result properties_add_words(specpi_compiler_properties to, const char *name,
                                            const uint32_t *words, size_t count) {
  unsigned char *bytes = malloc(4 * count);
  if (bytes == NULL)
    return compiler_error_memory();
  for (size_t i = 0; i < 4 * count; i++)
    bytes[i] = (unsigned char)(words[i / 4] >> (8 * (i % 4)));
  const specpi_compiler_result result = properties_add_payload(to, name, bytes, 4 * count);
  free(bytes);
  return result;
}

/* Adds a constant's record, which has three words for each descriptor. */
static specpi_compiler_result add_record(specpi_compiler_properties to,
                                         const specpi_compiler_constant *constant) {
  uint32_t *words = calloc(3 * constant->descriptor_count, sizeof *words);
  if (words == NULL)
    return compiler_error_memory();
  for (size_t i = 0; i < constant->descriptor_count; i++) {
    words[3 * i] = constant->descriptors[i].id;
    words[3 * i + 1] = constant->descriptors[i].offset;
    words[3 * i + 2] = constant->descriptors[i].size;
  }
  const specpi_compiler_result result =
      properties_add_words(to, constant->name, words, 3 * constant->descriptor_count);
  free(words);
  return result;
}

specpi_compiler_result properties_add_constants(specpi_compiler_properties to,
                                                const specpi_compiler_constant *constants,
                                                size_t count, const void *defaults, size_t size) {
  static const char records[] = PI_PROPERTY_SET_SPEC_CONST_MAP;
  static const char values[] = PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP;
  if (count == 0)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(properties_add_set(to, records, sizeof records - 1));
  for (size_t i = 0; i < count; i++)
    COMPILER_TRY(add_record(to, &constants[i]));
  COMPILER_TRY(properties_add_set(to, values, sizeof values - 1));
  return properties_add_payload(to, "all", defaults, size);
}

bool properties_is_value(const unsigned char *bytes, size_t size) {
  if (size < 8)
    return false;
  uint64_t bits = 0;
  for (unsigned i = 0; i < 8; i++)
    bits |= (uint64_t)bytes[i] << (8 * i);
  return bits / 8 + (bits % 8 != 0) == size - 8;
}

specpi_compiler_result property_text_add(property_text *to, const char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (!VECTOR_RESERVE(to))
      return compiler_error_memory();
    to->items[to->count++] = bytes[i];
  }
  return SPECPI_COMPILER_SUCCESS;
}

size_t specpiCompilerPropertiesGetSetCount(specpi_compiler_properties properties) {
  return properties != NULL ? properties->sets.count : 0;
}

const char *specpiCompilerPropertiesGetSet(specpi_compiler_properties properties, size_t set,
                                           const specpi_compiler_property **list, size_t *count) {
  if (properties == NULL || set >= properties->sets.count)
    return NULL;
  const property_set *property_set = &properties->sets.items[set];
  if (list != NULL)
    *list = property_set->properties.items;
  if (count != NULL)
    *count = property_set->properties.count;
  return property_set->name;
}

specpi_compiler_result specpiCompilerPropertiesRead(specpi_compiler_property_form form,
                                                    const void *data, size_t size,
                                                    specpi_compiler_properties *ret) {
  COMPILER_REQUIRE(data != NULL && ret != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
                   "%s is NULL", data == NULL ? "data" : "ret");
  COMPILER_REQUIRE(form == SPECPI_COMPILER_PROPERTY_FORM_TEXT ||
                       form == SPECPI_COMPILER_PROPERTY_FORM_JSON,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "there is no form %d", (int)form);
  specpi_compiler_properties made = properties_new();
  if (made == NULL)
    return compiler_error_memory();
  const specpi_compiler_result result = form == SPECPI_COMPILER_PROPERTY_FORM_TEXT
                                            ? properties_read_text(data, size, made)
                                            : properties_read_json(data, size, made);
  if (result != SPECPI_COMPILER_SUCCESS)
    specpiCompilerPropertiesRelease(made);
  else
    *ret = made;
  return result;
}

specpi_compiler_result specpiCompilerPropertiesWrite(specpi_compiler_properties properties,
                                                     specpi_compiler_property_form form, char **ret,
                                                     size_t *size) {
  COMPILER_REQUIRE(properties != NULL && ret != NULL && size != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "%s is NULL",
                   properties == NULL ? "properties"
                   : ret == NULL      ? "ret"
                                      : "size");
  COMPILER_REQUIRE(form == SPECPI_COMPILER_PROPERTY_FORM_TEXT ||
                       form == SPECPI_COMPILER_PROPERTY_FORM_JSON,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "there is no form %d", (int)form);
  property_text text = {0};
  specpi_compiler_result result = form == SPECPI_COMPILER_PROPERTY_FORM_TEXT
                                      ? properties_write_text(properties, &text)
                                      : properties_write_json(properties, &text);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = property_text_add(&text, "", 1);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(text.items);
    return result;
  }
  *ret = text.items;
  *size = text.count - 1;
  return SPECPI_COMPILER_SUCCESS;
}
