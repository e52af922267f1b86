#include "spirv_sets.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A reference that is not NULL. */
static json_t *made(json_t *value) {
  if (!value)
    cc_no_memory();
  return value;
}

static void set_member(json_t *object, const char *name, json_t *value) {
  if (json_object_set_new(object, name, made(value)) != 0)
    cc_no_memory();
}

static void add_element(json_t *array, json_t *value) {
  if (json_array_append_new(array, made(value)) != 0)
    cc_no_memory();
}

static json_t *hex(const unsigned char *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  char *text = cc_new(2 * size + 1, 1);
  for (size_t i = 0; i < size; i++) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  json_t *value = made(json_string(text));
  free(text);
  return value;
}

/* The defaults of all constants, one after the other; the caller frees them. */
static unsigned char *defaults_of(const spirv_module *module, size_t *size) {
  unsigned char *bytes = cc_new(8 * module->constant_count, 1);
  *size = 0;
  for (size_t i = 0; i < module->constant_count; i++) {
    memcpy(bytes + *size, module->constants[i].value, module->constants[i].size);
    *size += module->constants[i].size;
  }
  return bytes;
}

static void put_number(unsigned char *bytes, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(value >> (8 * i));
}

/* A property of bytes, which begin with their length in bits. */
static json_t *property(const char *name, const unsigned char *payload, size_t size) {
  unsigned char *bytes = cc_new(8 + size, 1);
  put_number(bytes, 8 * (uint64_t)size, 8);
  memcpy(bytes + 8, payload, size);
  json_t *object = made(json_object());
  set_member(object, "name", json_string(name));
  set_member(object, "bytes", hex(bytes, 8 + size));
  free(bytes);
  return object;
}

static json_t *record_of(const spirv_constant *constant) {
  unsigned char words[12];
  put_number(words, constant->id, 4);
  put_number(words + 4, 0, 4);
  put_number(words + 8, constant->size, 4);
  return property(constant->name, words, sizeof words);
}

/* A set of the name, in the list; its array of properties. */
static json_t *add_set(json_t *sets, const char *name) {
  json_t *object = made(json_object());
  json_t *properties = made(json_array());
  set_member(object, "set", json_string(name));
  set_member(object, "properties", properties);
  add_element(sets, object);
  return properties;
}

bool spirv_sets(const char *file, const spirv_module *module, specpi_compiler_properties *ret) {
  json_t *sets = made(json_array());
  if (module->constant_count > 0) {
    json_t *records = add_set(sets, "SYCL/specialization constants");
    for (size_t i = 0; i < module->constant_count; i++)
      add_element(records, record_of(&module->constants[i]));
    size_t size;
    unsigned char *defaults = defaults_of(module, &size);
    add_element(add_set(sets, "SYCL/specialization constants default values"),
                property("all", defaults, size));
    free(defaults);
  }
  char *text = json_dumps(sets, 0);
  json_decref(sets);
  if (!text)
    cc_no_memory();
  const bool done = specpiCompilerPropertiesRead(SPECPI_COMPILER_PROPERTY_FORM_JSON, text,
                                                 strlen(text), ret) == SPECPI_COMPILER_SUCCESS;
  free(text);
  return done || CC_FAIL("%s: %s", file, specpiCompilerGetLastError());
}

static json_t *constant_json(const spirv_constant *constant) {
  json_t *descriptor = made(json_object());
  set_member(descriptor, "id", json_integer(constant->id));
  set_member(descriptor, "offset", json_integer(0));
  set_member(descriptor, "size", json_integer(constant->size));
  json_t *descriptors = made(json_array());
  add_element(descriptors, descriptor);
  json_t *object = made(json_object());
  set_member(object, "name", json_string(constant->name));
  set_member(object, "kind", json_string("scalar"));
  set_member(object, "descriptors", descriptors);
  set_member(object, "default", hex(constant->value, constant->size));
  return object;
}

char *spirv_json(const spirv_module *module) {
  json_t *constants = made(json_array());
  for (size_t i = 0; i < module->constant_count; i++)
    add_element(constants, constant_json(&module->constants[i]));
  size_t size;
  unsigned char *defaults = defaults_of(module, &size);
  json_t *root = made(json_object());
  set_member(root, "constants", constants);
  set_member(root, "defaults", hex(defaults, size));
  set_member(root, "buffer", json_array());
  free(defaults);
  char *text = json_dumps(root, 0);
  json_decref(root);
  if (!text)
    cc_no_memory();
  char *line = cc_format("%s\n", text);
  free(text);
  return line;
}
