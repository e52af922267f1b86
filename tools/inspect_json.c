/* A device image as JSON; docs/internals/inspect.md describes the format. */
#include "inspect.h"
#include "json.h"

#include <stdlib.h>

static json_t *json_constant(const specpi_constant *constant, const scalar_types *types) {
  json_t *object = tool_json_object();
  tool_json_member(object, "name", tool_json_text(constant->name));
  char *type = inspect_type(constant, types);
  tool_json_member(object, "type", type ? tool_json_text(type) : json_null());
  free(type);
  tool_json_member(object, "size", tool_json_integer((json_int_t)constant->size));
  json_t *descriptors = tool_json_array();
  for (size_t i = 0; i < constant->leaf_count; i++) {
    json_t *descriptor = tool_json_object();
    tool_json_member(descriptor, "id", tool_json_integer(constant->leaves[i].id));
    tool_json_member(descriptor, "offset", tool_json_integer(constant->leaves[i].offset));
    tool_json_member(descriptor, "size", tool_json_integer(constant->leaves[i].size));
    tool_json_add(descriptors, descriptor);
  }
  tool_json_member(object, "descriptors", descriptors);
  tool_json_member(object, "default",
                   constant->default_value ? tool_json_hex(constant->default_value, constant->size)
                                           : json_null());
  return object;
}

static json_t *json_property(const specpi_property *property) {
  json_t *object = tool_json_object();
  tool_json_member(object, "set", tool_json_text(property->set));
  tool_json_member(object, "name", tool_json_text(property->name));
  switch (property->type) {
  case PI_PROPERTY_TYPE_UINT32:
    tool_json_member(object, "type", tool_json_text("uint32"));
    tool_json_member(object, "value", tool_json_integer(property->number));
    break;
  case PI_PROPERTY_TYPE_STRING:
    tool_json_member(object, "type", tool_json_text("string"));
    tool_json_member(object, "value", tool_json_text_of(property->bytes, property->size));
    break;
  default: /* BYTE_ARRAY: specpiImageCreate accepts no other type */
    tool_json_member(object, "type", tool_json_text("bytes"));
    tool_json_member(object, "bits", tool_json_integer((json_int_t)property->bits));
    tool_json_member(object, "value", tool_json_hex(property->bytes, property->size));
    break;
  }
  return object;
}

static void add_argument(void *list, uint64_t number, const specpi_parameter *argument) {
  const bool is_pointer =
      argument->kind == SPECPI_PARAMETER_POINTER || argument->kind == SPECPI_PARAMETER_LOCAL;
  json_t *object = tool_json_object();
  tool_json_member(object, "index", tool_json_integer((json_int_t)number));
  tool_json_member(object, "kind", tool_json_text(specpiParameterKindGetName(argument->kind)));
  tool_json_member(object, "type", tool_json_text(argument->type));
  tool_json_member(object, "element",
                   is_pointer && argument->scalar ? tool_json_text(argument->scalar) : json_null());
  tool_json_member(object, "size",
                   argument->size ? tool_json_integer((json_int_t)argument->size) : json_null());
  tool_json_add(list, object);
}

/* Returns an array with one element per kernel: its arguments, or null if the code lacks them. */
static json_t *json_arguments(const inspect_lists *lists) {
  json_t *all = tool_json_array();
  for (size_t i = 0; i < lists->kernel_count; i++) {
    const char *kernel = lists->kernels[i];
    size_t count;
    json_t *list = tool_json_array();
    inspect_signature(lists, kernel, inspect_arguments_of(lists, kernel), add_argument, list);
    if (signatures_count(lists->signatures, kernel, &count) && json_array_size(list) == count) {
      tool_json_add(all, list);
    } else {
      json_decref(list);
      tool_json_add(all, json_null());
    }
  }
  return all;
}

static void add_word(void *list, const char *name) {
  tool_json_add(list, tool_json_text(name));
}

json_t *inspect_json(specpi_image image, unsigned versions) {
  inspect_lists lists = inspect_lists_of(image);
  size_t size;
  specpiImageGetBytes(image, &size);
  json_t *object = tool_json_object();
  tool_json_member(object, "target", tool_json_text(specpiImageGetTarget(image)));
  tool_json_member(object, "format", tool_json_text(specpiImageGetFormatName(image)));
  char code[64];
  const char *ending;
  tool_json_member(object, "code",
                   inspect_code(image, code, sizeof code, &ending) ? tool_json_text(code)
                                                                   : json_null());
  tool_json_member(object, "size", tool_json_integer((json_int_t)size));
  tool_json_member(object, "compile_options", tool_json_text(specpiImageGetCompileOptions(image)));
  tool_json_member(object, "link_options", tool_json_text(specpiImageGetLinkOptions(image)));
  json_t *runtimes = tool_json_array();
  inspect_runtimes(versions, add_word, runtimes);
  tool_json_member(object, "runtimes", runtimes);
  json_t *backends = tool_json_array();
  inspect_backends(image, add_word, backends);
  tool_json_member(object, "backends", backends);
  json_t *kernels = tool_json_array();
  for (size_t i = 0; i < lists.kernel_count; i++)
    tool_json_add(kernels, tool_json_text(lists.kernels[i]));
  tool_json_member(object, "kernels", kernels);
  tool_json_member(object, "arguments", json_arguments(&lists));
  json_t *constants = tool_json_array();
  for (size_t i = 0; i < lists.constant_count; i++)
    tool_json_add(constants, json_constant(&lists.constants[i], lists.types));
  tool_json_member(object, "constants", constants);
  json_t *properties = tool_json_array();
  for (size_t i = 0; i < lists.property_count; i++)
    if (!inspect_is_of_constants(&lists.properties[i]))
      tool_json_add(properties, json_property(&lists.properties[i]));
  tool_json_member(object, "properties", properties);
  inspect_lists_free(&lists);
  return object;
}
