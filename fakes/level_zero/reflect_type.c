/* Kernels' argument types and their sizes in OpenCL's layout. */
#include "reflect_internal.h"

enum {
  DEPTH_MAX = 64,       /* of nested types */
  VALUE_MAX = 64 * 1024 /* bytes of a value, more than devices take */
};

typedef struct layout {
  size_t size, alignment;
} layout;

static layout round_up(layout type) {
  type.size = (type.size + type.alignment - 1) / type.alignment * type.alignment;
  return type;
}

size_t spirv_scalar_size(const spirv_reader *reader, uint32_t type) {
  const uint32_t *definition = spirv_definition(reader, type, 2);
  if (!definition)
    return 0;
  if (spirv_opcode(definition) == OP_TYPE_BOOL)
    return 1;
  if (spirv_length(definition) < 3 ||
      (spirv_opcode(definition) != OP_TYPE_INT && spirv_opcode(definition) != OP_TYPE_FLOAT))
    return 0;
  switch (definition[2]) {
  case 8:
  case 16:
  case 32:
  case 64:
    return definition[2] / 8;
  default:
    return 0;
  }
}

static bool measure_type(spirv_reader *reader, uint32_t type, unsigned depth, layout *ret);

static bool measure_vector(spirv_reader *reader, const uint32_t *vector, layout *ret) {
  const size_t element = spirv_scalar_size(reader, vector[2]);
  if (element == 0 || vector[3] < 2 || vector[3] > 16)
    return spirv_refuse(reader, "%%%u is a vector of no known size", vector[1]);
  size_t count = 1; /* a power of two: vectors of 3 elements have the size of 4 */
  while (count < vector[3])
    count *= 2;
  *ret = (layout){element * count, element * count};
  return true;
}

static bool measure_array(spirv_reader *reader, const uint32_t *array, unsigned depth,
                          layout *ret) {
  layout element = {0, 1};
  const uint32_t *length = spirv_definition(reader, array[3], 4);
  if (!length || spirv_opcode(length) != OP_CONSTANT)
    return spirv_refuse(reader, "the length of array %%%u is no plain constant", array[1]);
  if (!measure_type(reader, array[2], depth, &element))
    return false;
  const uint64_t count = length[3] | (spirv_length(length) > 4 ? (uint64_t)length[4] << 32 : 0);
  if (element.size != 0 && count > VALUE_MAX / element.size)
    return spirv_refuse(reader, "array %%%u is larger than %d bytes", array[1], VALUE_MAX);
  *ret = (layout){element.size * (size_t)count, element.alignment};
  return true;
}

static bool measure_struct(spirv_reader *reader, const uint32_t *structure, unsigned depth,
                           layout *ret) {
  const bool packed = reader->flags[structure[1]] & ID_PACKED;
  layout whole = {0, 1};
  for (uint32_t i = 2; i < spirv_length(structure); i++) {
    layout member = {0, 1};
    if (!measure_type(reader, structure[i], depth, &member))
      return false;
    if (!packed) {
      const size_t end = whole.size + member.alignment - 1;
      whole.size = end / member.alignment * member.alignment;
      if (whole.alignment < member.alignment)
        whole.alignment = member.alignment;
    }
    whole.size += member.size;
    if (whole.size > VALUE_MAX)
      return spirv_refuse(reader, "struct %%%u is larger than %d bytes", structure[1], VALUE_MAX);
  }
  *ret = round_up(whole);
  return true;
}

static bool measure_type(spirv_reader *reader, uint32_t type, unsigned depth, layout *ret) {
  if (depth == DEPTH_MAX || reader->steps == 0)
    return spirv_refuse(reader, "the types of arguments have no end");
  reader->steps--;
  const uint32_t *definition = spirv_definition(reader, type, 2);
  if (!definition)
    return spirv_refuse(reader, "%%%u is no type", type);
  const size_t scalar = spirv_scalar_size(reader, type);
  if (scalar != 0) {
    *ret = (layout){scalar, scalar};
    return true;
  }
  const uint32_t length = spirv_length(definition);
  switch (spirv_opcode(definition)) {
  case OP_TYPE_VECTOR:
    if (length == 4)
      return measure_vector(reader, definition, ret);
    break;
  case OP_TYPE_ARRAY:
    if (length == 4)
      return measure_array(reader, definition, depth + 1, ret);
    break;
  case OP_TYPE_STRUCT:
    return measure_struct(reader, definition, depth + 1, ret);
  case OP_TYPE_POINTER:
    *ret = (layout){8, 8};
    return true;
  default:
    break;
  }
  return spirv_refuse(reader, "%%%u is no type that a kernel takes", type);
}

static bool value_argument(spirv_reader *reader, uint32_t type, fake_argument *ret) {
  layout value = {0, 1};
  if (!measure_type(reader, type, 0, &value))
    return false;
  *ret = (fake_argument){.kind = FAKE_ARGUMENT_VALUE, .size = value.size};
  return true;
}

static fake_argument image_argument(const uint32_t *image) {
  const uint32_t length = spirv_length(image);
  return (fake_argument){
      .kind = FAKE_ARGUMENT_IMAGE,
      .size = sizeof(void *),
      .dimensions = length > 3 && image[3] <= DIM_3D ? image[3] + 1 : 0,
      .is_array = length > 5 && image[5] != 0,
      .is_written = length > 9 && image[9] != ACCESS_READ_ONLY,
  };
}

bool spirv_argument(spirv_reader *reader, uint32_t type, fake_argument *ret) {
  const uint32_t *definition = spirv_definition(reader, type, 2);
  if (!definition)
    return spirv_refuse(reader, "an argument's type %%%u is not there", type);
  if (spirv_opcode(definition) == OP_TYPE_IMAGE) {
    *ret = image_argument(definition);
    return true;
  }
  if (spirv_opcode(definition) == OP_TYPE_SAMPLER) {
    *ret = (fake_argument){.kind = FAKE_ARGUMENT_SAMPLER, .size = sizeof(void *)};
    return true;
  }
  if (spirv_opcode(definition) != OP_TYPE_POINTER)
    return value_argument(reader, type, ret);
  if (spirv_length(definition) != 4)
    return spirv_refuse(reader, "pointer %%%u has %u words", type, spirv_length(definition));
  switch (definition[2]) {
  case STORAGE_WORKGROUP:
    *ret = (fake_argument){.kind = FAKE_ARGUMENT_LOCAL, .size = 0};
    return true;
  case STORAGE_FUNCTION: /* a structure passed by value */
    return value_argument(reader, definition[3], ret);
  case STORAGE_UNIFORM_CONSTANT:
  case STORAGE_CROSS_WORKGROUP:
  case STORAGE_GENERIC:
    *ret = (fake_argument){.kind = FAKE_ARGUMENT_BUFFER, .size = sizeof(void *)};
    return true;
  default:
    return spirv_refuse(reader, "no kernel takes pointers of storage class %u", definition[2]);
  }
}
