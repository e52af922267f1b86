/* JSON form of an output's constants. */
#include "output.h"
#include "properties/json.h"

#include <stdlib.h>

static json_t *triple(uint32_t id, uint32_t offset, uint32_t size) {
  return json_pack("{s:I,s:I,s:I}", "id", (json_int_t)id, "offset", (json_int_t)offset, "size",
                   (json_int_t)size);
}

static json_t *constant(const specpi_compiler_constant *constant) {
  json_t *made = json_object();
  json_t *descriptors = json_array();
  bool good = made != NULL && descriptors != NULL;
  for (size_t i = 0; i < constant->descriptor_count && good; i++)
    good =
        json_add(descriptors, triple(constant->descriptors[i].id, constant->descriptors[i].offset,
                                     constant->descriptors[i].size));
  good = good && json_member(made, "name", json_string(constant->name)) &&
         json_member(
             made, "kind",
             json_string(constant->kind == SPECPI_COMPILER_KIND_SCALAR ? "scalar" : "composite")) &&
         json_member(made, "descriptors", json_incref(descriptors)) &&
         json_member(made, "default", json_hex(constant->default_data, constant->size));
  json_decref(descriptors);
  if (good)
    return made;
  json_decref(made);
  return NULL;
}

static json_t *whole(specpi_compiler_output output) {
  json_t *made = json_object();
  json_t *constants = json_array();
  json_t *buffer = json_array();
  bool good = made != NULL && constants != NULL && buffer != NULL;
  for (size_t i = 0; i < output->constants.count && good; i++) {
    const specpi_compiler_constant *compiler_constant = &output->constants.items[i];
    good = json_add(constants, constant(compiler_constant));
    if (good && output->mode == SPECPI_COMPILER_MODE_EMULATE)
      good = json_add(buffer, triple(compiler_constant->descriptors[0].id,
                                     compiler_constant->position, compiler_constant->size));
  }
  good = good && json_member(made, "constants", json_incref(constants)) &&
         json_member(made, "defaults", json_hex(output->defaults, output->default_size)) &&
         json_member(made, "buffer", json_incref(buffer));
  json_decref(constants);
  json_decref(buffer);
  if (good)
    return made;
  json_decref(made);
  return NULL;
}

specpi_compiler_result output_json(specpi_compiler_output output, char **ret, size_t *size) {
  for (size_t i = 0; i < output->constants.count; i++)
    COMPILER_TRY(json_check_name(output->constants.items[i].name));
  json_t *made = whole(output);
  if (made == NULL)
    return compiler_error_memory();
  property_text text = {0};
  const specpi_compiler_result result = json_write(made, &text);
  json_decref(made);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(text.items);
    return result;
  }
  *ret = text.items;
  *size = text.count;
  return SPECPI_COMPILER_SUCCESS;
}
