#include "spirv_sets.h"

#include "../../plugins/base/digits.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A reference that is not NULL. */
static json_t *made(json_t *value) {
  if (!value)
    cc_no_memory();
  return value;
}

static void add_element(json_t *array, json_t *value) {
  if (json_array_append_new(array, made(value)) != 0)
    cc_no_memory();
}

static json_t *hex(const unsigned char *bytes, size_t size) {
  char *text = cc_new(2 * size + 1, 1);
  digits_write_hex(bytes, size, text);
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
  json_t *object = made(json_pack("{s:s, s:o}", "name", name, "bytes", hex(bytes, 8 + size)));
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
  json_t *properties = made(json_array());
  add_element(sets, json_pack("{s:s, s:o}", "set", name, "properties", properties));
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
  return json_pack("{s:s, s:s, s:[{s:I, s:i, s:I}], s:o}", "name", constant->name, "kind", "scalar",
                   "descriptors", "id", (json_int_t)constant->id, "offset", 0, "size",
                   (json_int_t)constant->size, "default", hex(constant->value, constant->size));
}

char *spirv_json(const spirv_module *module) {
  json_t *constants = made(json_array());
  for (size_t i = 0; i < module->constant_count; i++)
    add_element(constants, constant_json(&module->constants[i]));
  size_t size;
  unsigned char *defaults = defaults_of(module, &size);
  json_t *root = made(json_pack("{s:o, s:o, s:[]}", "constants", constants, "defaults",
                                hex(defaults, size), "buffer"));
  free(defaults);
  char *text = json_dumps(root, 0);
  json_decref(root);
  if (!text)
    cc_no_memory();
  char *line = cc_format("%s\n", text);
  free(text);
  return line;
}
