#include "module.h"

#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
  OP_NAME = 5,
  OP_VARIABLE = 59,
  OP_ACCESS_CHAIN = 65,
  OP_IN_BOUNDS_ACCESS_CHAIN = 66,
  OP_PTR_ACCESS_CHAIN = 67,
  OP_IN_BOUNDS_PTR_ACCESS_CHAIN = 70,
  OP_COPY_OBJECT = 83,
  OP_PTR_CAST_TO_GENERIC = 121,
  OP_GENERIC_CAST_TO_PTR = 122,
  OP_BITCAST = 124,
};

specpi_compiler_result jit_module_open(const void *il, size_t size, jit_module *ret) {
  *ret = (jit_module){0};
  COMPILER_REQUIRE(spirv_open(il, size, &ret->words) == PI_SUCCESS,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE, "the image is no SPIR-V");
  COMPILER_TRY(definitions_read(ret->words, &ret->all));
  return spirv_types_read(ret->words, &ret->types) == PI_SUCCESS ? SPECPI_COMPILER_SUCCESS
                                                                 : compiler_error_memory();
}

void jit_module_close(jit_module *module) {
  definitions_free(&module->all);
  spirv_types_free(&module->types);
}

const char *jit_module_name(const jit_module *module, uint32_t id) {
  spirv_words words = module->words;
  spirv_instruction at;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS) {
    if (at.opcode == SPIRV_OP_ENTRY_POINT && at.words > 3 && spirv_word(&at, 2) == id)
      return spirv_text(&at, 3);
    if (at.opcode == OP_NAME && at.words > 2 && spirv_word(&at, 1) == id)
      return spirv_text(&at, 2);
  }
  return NULL;
}

/* ---- Variables ---- */

static bool is_address(uint32_t opcode) {
  return opcode == OP_ACCESS_CHAIN || opcode == OP_IN_BOUNDS_ACCESS_CHAIN ||
         opcode == OP_PTR_ACCESS_CHAIN || opcode == OP_IN_BOUNDS_PTR_ACCESS_CHAIN;
}

static bool is_cast(uint32_t opcode) {
  return opcode == OP_COPY_OBJECT || opcode == OP_PTR_CAST_TO_GENERIC ||
         opcode == OP_GENERIC_CAST_TO_PTR || opcode == OP_BITCAST;
}

/* Returns the pointer operand of a cast, or of an address whose indices are all 0; 0 for others. */
static uint32_t operand_of(const jit_module *module, const spirv_instruction *at) {
  const bool is_constant = at->opcode == OP_SPEC_CONSTANT_OP && at->words > 4;
  const uint32_t opcode = is_constant ? spirv_word(at, 3) : at->opcode;
  const uint32_t first = is_constant ? 4 : 3;
  if (at->words <= first || !(is_cast(opcode) || is_address(opcode)))
    return 0;
  for (uint32_t i = first + 1; i < at->words; i++) {
    const constant_value index = definitions_value(&module->all, spirv_word(at, i));
    if (index.count != 1 || index.bits[0] != 0)
      return 0;
  }
  return spirv_word(at, first);
}

const definition *jit_module_variable(const jit_module *module, uint32_t id) {
  for (int i = 0; i < MODULE_DEPTH_MAX; i++) {
    const definition *made = definitions_find(&module->all, id);
    if (made == NULL || made->at.opcode == OP_VARIABLE)
      return made;
    id = operand_of(module, &made->at);
  }
  return NULL;
}

uint32_t jit_module_initial(const definition *variable) {
  return variable->at.words > 4 ? spirv_word(&variable->at, 4) : 0;
}

/* ---- Types and values ---- */

static uint32_t align_to(uint32_t offset, uint32_t align) {
  return align == 0 ? offset : (offset + align - 1) / align * align;
}

uint32_t jit_module_part(jit_module *module, uint32_t type, uint32_t index, uint32_t *offset) {
  const definition *of = definitions_find(&module->all, type);
  const bool is_struct = of != NULL && of->at.opcode == OP_TYPE_STRUCT;
  const uint32_t count = of == NULL  ? 0
                         : is_struct ? of->at.words - 2
                         : of->at.opcode == OP_TYPE_VECTOR
                             ? definitions_word(of, OP_TYPE_VECTOR, 3)
                             : spirv_types_length(&module->types, &of->at);
  if (of == NULL || of->at.words < 3 || index >= count ||
      !(is_struct || of->at.opcode == OP_TYPE_VECTOR || of->at.opcode == OP_TYPE_ARRAY))
    return 0;
  const uint32_t part = spirv_word(&of->at, is_struct ? 2 + index : 2);
  const spirv_type *whole = spirv_types_find(&module->types, type);
  if (spirv_types_measure(&module->types, part) == 0)
    return 0;
  const spirv_type *known = spirv_types_find(&module->types, part);
  *offset = align_to(*offset, is_struct && whole->is_packed ? 1 : known->align);
  return part;
}

static bool fill_bytes(jit_module *module, uint32_t constant, unsigned char *ret, size_t size,
                       int depth);

static bool fill_parts(jit_module *module, const definition *of, unsigned char *ret, size_t size,
                       int depth) {
  const uint32_t type = spirv_word(&of->at, 1);
  uint32_t offset = 0;
  for (uint32_t i = 0; i + 3 < of->at.words; i++) {
    const uint32_t part = jit_module_part(module, type, i, &offset);
    if (part == 0)
      return false;
    if (offset < size &&
        !fill_bytes(module, spirv_word(&of->at, 3 + i), ret + offset, size - offset, depth))
      return false;
    offset += spirv_types_measure(&module->types, part);
  }
  return true;
}

static bool fill_bytes(jit_module *module, uint32_t constant, unsigned char *ret, size_t size,
                       int depth) {
  const definition *of = definitions_find(&module->all, constant);
  if (of == NULL || depth >= MODULE_DEPTH_MAX || of->at.words < 3)
    return false;
  if (of->at.opcode == OP_CONSTANT_NULL || of->at.opcode == OP_UNDEF)
    return true;
  if (of->at.opcode == OP_CONSTANT_COMPOSITE)
    return fill_parts(module, of, ret, size, depth + 1);
  const constant_value value = definitions_value(&module->all, constant);
  const uint32_t width = spirv_types_measure(&module->types, spirv_word(&of->at, 1));
  for (uint32_t i = 0; i < width && i < size; i++)
    ret[i] = (unsigned char)(value.bits[0] >> 8 * i);
  return value.count == 1 && width != 0;
}

bool jit_module_bytes(jit_module *module, uint32_t constant, unsigned char *ret, size_t size) {
  return fill_bytes(module, constant, ret, size, 0);
}
