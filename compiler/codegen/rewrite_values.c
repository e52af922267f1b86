#include "rewrite_values.h"

#include "spec_ops.h"

enum {
  OP_EXT_INST = 12,
  OP_LOAD = 61,
  OP_STORE = 62,
  OP_COPY_MEMORY = 63,
  OP_COPY_MEMORY_SIZED = 64,
  OP_PTR_ACCESS_CHAIN = 67,
  OP_VECTOR_SHUFFLE = 79,
  OP_COMPOSITE_EXTRACT = 81,
  OP_COMPOSITE_INSERT = 82,
  OP_S_CONVERT = 114,
  OP_CONVERT_PTR_TO_U = 117,
  OP_CONVERT_U_TO_PTR = 120,
  OP_BITCAST = 124,
  OP_I_ADD = 128,
  OP_I_SUB = 130,
  OP_I_MUL = 132,
  OP_S_DIV = 135,
  OP_LOGICAL_OR = 166,
  OP_COPY_OBJECT = 83,
  OP_I_EQUAL = 170,
  OP_I_NOT_EQUAL = 171,
  OP_SHIFT_RIGHT_LOGICAL = 194,
  OP_BITWISE_OR = 197,
  OP_BITWISE_AND = 199,
  OP_NOT = 200,
  OP_CONTROL_BARRIER = 224,
  OP_MEMORY_BARRIER = 225,
  OP_I_ADD_CARRY = 149,
  OP_I_SUB_BORROW = 150,
  OP_U_MUL_EXTENDED = 151,
  OP_SIZE_OF = 321,
  OP_PTR_EQUAL = 401,
  OP_PTR_DIFF = 403,
  STD_S_MUL_HI = 160,
  STD_U_MUL_HI = 203,
  ACCESS_VOLATILE = 1,
  ACCESS_ALIGNED = 2,
  SCOPE_SUB_GROUP = 3,
  ADDRESS_BITS = 64,
  PARTS_MAX = 1024, /* limit of the parts that one OpCopyLogical copies */
};

/* Writes an instruction to the current output. */
#define PUT(r, opcode, ...)                                                                        \
  word_output_instruction(rewrite_output(r), (opcode), (const uint32_t[]){__VA_ARGS__},            \
                          sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))
/* Writes an instruction before the functions. */
#define PUT_GLOBAL(r, opcode, ...)                                                                 \
  word_output_instruction(&(r)->globals, (opcode), (const uint32_t[]){__VA_ARGS__},                \
                          sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static specpi_compiler_result refuse_operands(const spirv_instruction *at, const char *name) {
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,
                        "SPIR-V's instruction %s at word %zu has operands that it cannot have",
                        name, at->position);
}

/* ---- Ids of types and constants ---- */

static uint32_t integer_type(rewriting *r, uint32_t width) {
  uint32_t *known = width == ADDRESS_BITS ? &r->addresses : &r->words;
  if (*known == 0) {
    *known = r->bound++;
    PUT_GLOBAL(r, OP_TYPE_INT, *known, width, 0);
  }
  return *known;
}

/* Writes a scalar constant with the id. */
static void put_scalar(rewriting *r, uint32_t type, uint32_t id, uint64_t bits) {
  const definition *of = definitions_find(r->all, type);
  const uint32_t width = of != NULL ? definitions_width(of) : type == r->addresses ? 64 : 32;
  if (width == 1)
    PUT_GLOBAL(r, bits != 0 ? OP_CONSTANT_TRUE : OP_CONSTANT_FALSE, type, id);
  else if (width == 64)
    PUT_GLOBAL(r, OP_CONSTANT, type, id, (uint32_t)bits, (uint32_t)(bits >> 32));
  else
    PUT_GLOBAL(r, OP_CONSTANT, type, id, (uint32_t)bits);
}

/* Writes a constant of a scalar type, or of a vector type with equal components; returns its id. */
static uint32_t make_constant(rewriting *r, uint32_t type, uint64_t bits) {
  const definition *of = definitions_find(r->all, type);
  const uint32_t count = of != NULL ? definitions_word(of, OP_TYPE_VECTOR, 3) : 0;
  const uint32_t scalar = r->bound++;
  put_scalar(r, count != 0 ? definitions_word(of, OP_TYPE_VECTOR, 2) : type, scalar, bits);
  if (count == 0 || count > COMPONENTS_MAX)
    return scalar;
  uint32_t operands[2 + COMPONENTS_MAX] = {type, r->bound++};
  for (uint32_t i = 0; i < count; i++)
    operands[2 + i] = scalar;
  word_output_instruction(&r->globals, OP_CONSTANT_COMPOSITE, operands, 2 + count);
  return operands[1];
}

static uint32_t make_undefined(rewriting *r, uint32_t type) {
  const uint32_t id = r->bound++;
  PUT_GLOBAL(r, OP_UNDEF, type, id);
  return id;
}

uint32_t rewrite_sub_group(rewriting *r) {
  if (r->sub_group == 0)
    r->sub_group = make_constant(r, integer_type(r, 32), SCOPE_SUB_GROUP);
  return r->sub_group;
}

static bool is_known(const rewriting *r, uint32_t id) {
  return definitions_value(r->all, id).count == 1;
}

specpi_compiler_result rewrite_barrier(rewriting *r, bool waits, const uint32_t *operands) {
  /* Scope and semantics of the strictest barrier: all devices; sequential consistency for local and
   * global memory. */
  enum { CROSS_DEVICE = 0, ALL_MEMORY = 0x10 | 0x100 | 0x200 };
  COMPILER_REQUIRE(!waits || is_known(r, operands[0]), SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the scope of those that wait at a barrier is %%%u, which is no constant",
                   (unsigned)operands[0]);
  uint32_t known[] = {operands[0], operands[1], operands[2]};
  if (!is_known(r, known[1]))
    known[1] = make_constant(r, integer_type(r, 32), CROSS_DEVICE);
  if (!is_known(r, known[2]))
    known[2] = make_constant(r, integer_type(r, 32), ALL_MEMORY);
  word_output_instruction(rewrite_output(r), waits ? OP_CONTROL_BARRIER : OP_MEMORY_BARRIER,
                          waits ? known : known + 1, waits ? 3 : 2);
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns the id of the type of the value id; 0 if it has none. */
static uint32_t type_of(const rewriting *r, uint32_t id) {
  const definition *type = definitions_type(r->all, id);
  return type != NULL ? type->id : 0;
}

/* Returns the type that a pointer type points to; 0 if that type has no size in memory. */
static uint32_t pointee(const rewriting *r, uint32_t type) {
  const uint32_t id = definitions_word(definitions_find(r->all, type), OP_TYPE_POINTER, 3);
  const definition *of = definitions_find(r->all, id);
  const bool is_sized =
      of != NULL && ((of->at.opcode >= OP_TYPE_BOOL && of->at.opcode <= OP_TYPE_VECTOR) ||
                     of->at.opcode == OP_TYPE_ARRAY || of->at.opcode == OP_TYPE_STRUCT ||
                     of->at.opcode == OP_TYPE_POINTER);
  return is_sized ? id : 0;
}

/* ---- Constants ---- */

bool rewrite_constant(rewriting *r, const spirv_instruction *at) {
  const uint32_t type = spirv_word(at, 1);
  const uint32_t id = spirv_word(at, 2);
  const constant_value value = definitions_value(r->all, id);
  if (value.count == 0 || (at->opcode == OP_CONSTANT_NULL && value.is_vector))
    return false;
  if (!value.is_vector) {
    put_scalar(r, type, id, value.bits[0]);
    return true;
  }
  uint32_t operands[2 + COMPONENTS_MAX] = {type, id};
  for (uint32_t i = 0; i < value.count; i++) {
    operands[2 + i] = r->bound++;
    put_scalar(r, value.component, operands[2 + i], value.bits[i]);
  }
  word_output_instruction(&r->globals, OP_CONSTANT_COMPOSITE, operands, 2 + value.count);
  return true;
}

/* ---- Casts ---- */

static bool is_pointer_type(const definition *type) {
  return type != NULL && type->at.opcode == OP_TYPE_POINTER;
}

/* Casts between a pointer and a 64-bit value with the bits of its address: an integer, or a float
 * or vector, which goes through an integer. */
static void cast_pointer(rewriting *r, const spirv_instruction *at, bool to_pointer,
                         bool is_integer) {
  const uint32_t type = spirv_word(at, 1);
  const uint32_t id = spirv_word(at, 2);
  const uint32_t from = spirv_word(at, 3);
  if (is_integer) {
    PUT(r, to_pointer ? OP_CONVERT_U_TO_PTR : OP_CONVERT_PTR_TO_U, type, id, from);
    return;
  }
  const uint32_t address = r->bound++;
  const uint32_t number = integer_type(r, ADDRESS_BITS);
  PUT(r, to_pointer ? OP_BITCAST : OP_CONVERT_PTR_TO_U, number, address, from);
  PUT(r, to_pointer ? OP_CONVERT_U_TO_PTR : OP_BITCAST, type, id, address);
}

bool rewrite_cast(rewriting *r, const spirv_instruction *at) {
  const uint32_t type = spirv_word(at, 1);
  const definition *to = definitions_find(r->all, type);
  const definition *from = definitions_type(r->all, spirv_word(at, 3));
  const definition *scalar = definitions_scalar(r->all, to);
  if (at->opcode == OP_BITCAST && is_pointer_type(to) != is_pointer_type(from)) {
    const definition *number = is_pointer_type(to) ? from : to;
    cast_pointer(r, at, is_pointer_type(to), number != NULL && number->at.opcode == OP_TYPE_INT);
    return true;
  }
  if (at->opcode == OP_BITCAST || (scalar == NULL && !is_pointer_type(to)))
    return false;
  /* Only OpCopyObject, and conversions to the same width, are replaced from here on. */
  const uint32_t width = definitions_width(definitions_scalar(r->all, from));
  if (at->opcode != OP_COPY_OBJECT && width != definitions_width(scalar))
    return false;
  if (scalar != NULL && scalar->at.opcode == OP_TYPE_BOOL)
    PUT(r, OP_LOGICAL_OR, type, spirv_word(at, 2), spirv_word(at, 3), spirv_word(at, 3));
  else
    PUT(r, OP_BITCAST, type, spirv_word(at, 2), spirv_word(at, 3));
  return true;
}

/* ---- Memory ---- */

/* Writes the size of a pointer's element type: the address of element 1 of an array at address 0.
 */
static void put_size(rewriting *r, uint32_t pointer, uint32_t type, uint32_t id) {
  const uint32_t null = r->bound++;
  const uint32_t end = r->bound++;
  PUT_GLOBAL(r, OP_CONSTANT_NULL, pointer, null);
  PUT(r, OP_PTR_ACCESS_CHAIN, pointer, end, null,
      make_constant(r, integer_type(r, ADDRESS_BITS), 1));
  PUT(r, OP_CONVERT_PTR_TO_U, type, id, end);
}

/* Memory access operands of one side of a copy. */
typedef struct access {
  uint32_t mask;
  uint32_t alignment;
} access;

/* Reads memory access operands from *word on, and moves *word past them. */
static access read_access(const spirv_instruction *at, uint32_t *word) {
  access made = {0};
  if (*word >= at->words)
    return made;
  made.mask = spirv_word(at, (*word)++);
  if ((made.mask & ACCESS_ALIGNED) != 0 && *word < at->words)
    made.alignment = spirv_word(at, (*word)++);
  /* Skips the ids of alias scope lists. */
  *word += (made.mask >> 16 & 1) + (made.mask >> 17 & 1);
  return made;
}

specpi_compiler_result rewrite_copy_memory(rewriting *r, const spirv_instruction *at) {
  const bool is_sized = at->opcode == OP_COPY_MEMORY_SIZED;
  uint32_t word = is_sized ? 4 : 3;
  if (at->words < word)
    return refuse_operands(at, is_sized ? "OpCopyMemorySized" : "OpCopyMemory");
  const uint32_t to = spirv_word(at, 1);
  const uint32_t from = spirv_word(at, 2);
  const access first = read_access(at, &word);
  const access second = word < at->words ? read_access(at, &word) : first;
  const uint32_t alignment =
      first.alignment < second.alignment ? first.alignment : second.alignment;
  const uint32_t mask =
      ((first.mask | second.mask) & ACCESS_VOLATILE) | (alignment != 0 ? ACCESS_ALIGNED : 0);
  uint32_t operands[5] = {to, from, is_sized ? spirv_word(at, 3) : 0, mask, alignment};
  const size_t count = mask == 0 ? 3 : alignment != 0 ? 5 : 4;
  if (is_sized) {
    word_output_instruction(rewrite_output(r), OP_COPY_MEMORY_SIZED, operands, count);
    return SPECPI_COMPILER_SUCCESS;
  }
  const uint32_t pointer = type_of(r, to);
  const definition *type = definitions_find(r->all, pointee(r, pointer));
  if (type == NULL || pointee(r, type_of(r, from)) != type->id)
    return refuse_operands(at, "OpCopyMemory");
  operands[2] = r->bound++;
  if (type->at.opcode == OP_TYPE_ARRAY || type->at.opcode == OP_TYPE_STRUCT) {
    put_size(r, pointer, integer_type(r, ADDRESS_BITS), operands[2]);
    word_output_instruction(rewrite_output(r), OP_COPY_MEMORY_SIZED, operands, count);
    return SPECPI_COMPILER_SUCCESS;
  }
  const uint32_t load[5] = {type->id, operands[2], from, mask, alignment};
  const uint32_t store[4] = {to, operands[2], mask, alignment};
  word_output_instruction(rewrite_output(r), OP_LOAD, load, count);
  word_output_instruction(rewrite_output(r), OP_STORE, store, count - 1);
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Composites ---- */

/* A composite while its parts are inserted. */
typedef struct building {
  uint32_t type;
  uint32_t id; /* of the complete composite */
  uint32_t latest;
  uint32_t count; /* number of parts still to be inserted */
  uint32_t index;
} building;

static void start_building(rewriting *r, building *building) {
  building->latest = make_undefined(r, building->type);
}

static void put_part(rewriting *r, building *building, uint32_t part) {
  const uint32_t made = --building->count == 0 ? building->id : r->bound++;
  PUT(r, OP_COMPOSITE_INSERT, building->type, made, part, building->latest, building->index);
  building->index++;
  building->latest = made;
}

/* Extracts a component of a composite. */
static uint32_t take_component(rewriting *r, uint32_t type, uint32_t vector, uint32_t index) {
  const uint32_t id = r->bound++;
  PUT(r, OP_COMPOSITE_EXTRACT, type, id, vector, index);
  return id;
}

static specpi_compiler_result construct_vector(rewriting *r, const spirv_instruction *at,
                                               const definition *type) {
  const uint32_t scalar = definitions_word(type, OP_TYPE_VECTOR, 2);
  building building = {type->id, spirv_word(at, 2), 0, definitions_word(type, OP_TYPE_VECTOR, 3),
                       0};
  if (building.count > COMPONENTS_MAX)
    return refuse_operands(at, "OpCompositeConstruct");
  start_building(r, &building);
  for (uint32_t i = 3; i < at->words && building.count != 0; i++) {
    const uint32_t part = spirv_word(at, i);
    const uint32_t count = definitions_word(definitions_type(r->all, part), OP_TYPE_VECTOR, 3);
    for (uint32_t k = 0; k < count && building.count != 0; k++)
      put_part(r, &building, take_component(r, scalar, part, k));
    if (count == 0)
      put_part(r, &building, part);
  }
  return building.count == 0 ? SPECPI_COMPILER_SUCCESS
                             : refuse_operands(at, "OpCompositeConstruct");
}

static specpi_compiler_result shuffle_vectors(rewriting *r, const spirv_instruction *at,
                                              const definition *type) {
  static const char name[] = "OpVectorShuffle";
  if (at->words < 6)
    return refuse_operands(at, name);
  const definition *from = definitions_type(r->all, spirv_word(at, 3));
  const definition *other = definitions_type(r->all, spirv_word(at, 4));
  const uint32_t size = definitions_word(from, OP_TYPE_VECTOR, 3);
  const uint32_t others = definitions_word(other, OP_TYPE_VECTOR, 3);
  if (definitions_word(type, OP_TYPE_VECTOR, 3) != at->words - 5u)
    return refuse_operands(at, name);
  if (size == others && size != 0) {
    word_output_copy(rewrite_output(r), at);
    return SPECPI_COMPILER_SUCCESS;
  }
  const uint32_t scalar = definitions_word(type, OP_TYPE_VECTOR, 2);
  building building = {type->id, spirv_word(at, 2), 0, at->words - 5u, 0};
  start_building(r, &building);
  for (uint32_t i = 5; i < at->words; i++) {
    const uint32_t index = spirv_word(at, i);
    if (index != UINT32_MAX && index >= size + others)
      return refuse_operands(at, name);
    put_part(r, &building,
             index == UINT32_MAX ? make_undefined(r, scalar)
             : index < size      ? take_component(r, scalar, spirv_word(at, 3), index)
                                 : take_component(r, scalar, spirv_word(at, 4), index - size));
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns the number of parts of an array or structure; 0 if it is neither, or has too many. */
static uint32_t part_count(const rewriting *r, const definition *type) {
  if (type->at.opcode == OP_TYPE_STRUCT)
    return type->at.words - 2u;
  const uint32_t length = definitions_word(type, OP_TYPE_ARRAY, 3);
  const constant_value value = definitions_value(r->all, length);
  return value.count == 1 && value.bits[0] <= UINT16_MAX ? (uint32_t)value.bits[0] : 0;
}

specpi_compiler_result rewrite_composite(rewriting *r, const spirv_instruction *at) {
  const definition *type = at->words > 2 ? definitions_find(r->all, spirv_word(at, 1)) : NULL;
  if (type == NULL)
    return refuse_operands(at, "OpCompositeConstruct");
  if (at->opcode == OP_VECTOR_SHUFFLE)
    return shuffle_vectors(r, at, type);
  if (type->at.opcode == OP_TYPE_VECTOR)
    return construct_vector(r, at, type);
  building building = {type->id, spirv_word(at, 2), 0, at->words - 3u, 0};
  if (building.count != part_count(r, type))
    return refuse_operands(at, "OpCompositeConstruct");
  if (building.count == 0)
    PUT_GLOBAL(r, OP_UNDEF, building.type, building.id);
  else
    start_building(r, &building);
  for (uint32_t i = 3; i < at->words; i++)
    put_part(r, &building, spirv_word(at, i));
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns the type of a part of an array or structure; 0 if it has no such part. */
static uint32_t part_type(const definition *type, uint32_t index) {
  return type->at.opcode == OP_TYPE_ARRAY ? definitions_word(type, OP_TYPE_ARRAY, 2)
                                          : definitions_word(type, OP_TYPE_STRUCT, 2 + index);
}

/*
 * Returns the type of the vector that the last of several indices indexes; 0 if there is only one
 * index, or the last one indexes no vector. Such indices are split into two instructions, because
 * the translator would treat the last one as the index of a structure, too.
 */
static uint32_t path_vector(const rewriting *r, const spirv_instruction *at, uint32_t composite,
                            uint32_t first) {
  const definition *type = definitions_type(r->all, composite);
  for (uint32_t i = first; type != NULL && i + 1 < at->words; i++)
    type = type->at.opcode == OP_TYPE_VECTOR
               ? NULL
               : definitions_find(r->all, part_type(type, spirv_word(at, i)));
  return at->words > first + 1 && type != NULL && type->at.opcode == OP_TYPE_VECTOR ? type->id : 0;
}

/* Writes an instruction with the operands, and with all indices of another one but the last. */
static void put_path(rewriting *r, const spirv_instruction *at, uint32_t opcode,
                     const uint32_t *operands, uint32_t count, uint32_t first) {
  const uint32_t indices = at->words - 1u - first;
  word_output_put(rewrite_output(r), (1 + count + indices) << 16 | opcode);
  for (uint32_t i = 0; i < count; i++)
    word_output_put(rewrite_output(r), operands[i]);
  for (uint32_t i = 0; i < indices; i++)
    word_output_put(rewrite_output(r), spirv_word(at, first + i));
}

bool rewrite_part(rewriting *r, const spirv_instruction *at) {
  const bool inserts = at->opcode == OP_COMPOSITE_INSERT;
  const uint32_t first = inserts ? 5 : 4;
  const uint32_t composite = at->words > first ? spirv_word(at, first - 1) : 0;
  const uint32_t vector = path_vector(r, at, composite, first);
  if (vector == 0)
    return false;
  const uint32_t type = spirv_word(at, 1);
  const uint32_t id = spirv_word(at, 2);
  const uint32_t last = spirv_word(at, at->words - 1u);
  const uint32_t part = r->bound++;
  put_path(r, at, OP_COMPOSITE_EXTRACT, (const uint32_t[]){vector, part, composite}, 3, first);
  if (!inserts) {
    PUT(r, OP_COMPOSITE_EXTRACT, type, id, part, last);
    return true;
  }
  const uint32_t changed = r->bound++;
  PUT(r, OP_COMPOSITE_INSERT, vector, changed, spirv_word(at, 3), part, last);
  put_path(r, at, OP_COMPOSITE_INSERT, (const uint32_t[]){type, id, changed, composite}, 4, first);
  return true;
}

/* Copies a value to another type, part by part; false if the types' parts do not match. */
static bool copy_parts(rewriting *r, uint32_t to, uint32_t id, uint32_t from, uint32_t value,
                       uint32_t *left) {
  const definition *type = definitions_find(r->all, to);
  const definition *own = definitions_find(r->all, from);
  if (type == NULL || own == NULL || part_count(r, type) != part_count(r, own))
    return false;
  building building = {to, id, 0, part_count(r, type), 0};
  if (building.count == 0 || building.count > *left)
    return false;
  *left -= building.count;
  start_building(r, &building);
  for (uint32_t i = 0, count = building.count; i < count; i++) {
    const uint32_t part = take_component(r, part_type(own, i), value, i);
    uint32_t copy = part;
    if (part_type(own, i) != part_type(type, i)) {
      copy = r->bound++;
      if (!copy_parts(r, part_type(type, i), copy, part_type(own, i), part, left))
        return false;
    }
    put_part(r, &building, copy);
  }
  return true;
}

specpi_compiler_result rewrite_copy_logical(rewriting *r, const spirv_instruction *at) {
  uint32_t left = PARTS_MAX;
  if (at->words != 4 || !copy_parts(r, spirv_word(at, 1), spirv_word(at, 2),
                                    type_of(r, spirv_word(at, 3)), spirv_word(at, 3), &left))
    return refuse_operands(at, "OpCopyLogical");
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Numbers ---- */

static uint32_t put_binary(rewriting *r, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b) {
  const uint32_t id = r->bound++;
  PUT(r, opcode, type, id, a, b);
  return id;
}

static uint32_t put_not(rewriting *r, uint32_t type, uint32_t a) {
  const uint32_t id = r->bound++;
  PUT(r, OP_NOT, type, id, a);
  return id;
}

/* Writes the carry of a sum or the borrow of a difference. It is the top bit of the bitwise
 * majority of both operands and the result, one or two of which are inverted. */
static uint32_t put_carry(rewriting *r, bool is_sum, uint32_t type, const uint32_t *operands,
                          uint32_t result, uint32_t width) {
  const uint32_t a = is_sum ? operands[0] : put_not(r, type, operands[0]);
  const uint32_t last = is_sum ? put_not(r, type, result) : result;
  const uint32_t both = put_binary(r, OP_BITWISE_AND, type, a, operands[1]);
  const uint32_t one = put_binary(r, OP_BITWISE_OR, type, a, operands[1]);
  const uint32_t carried = put_binary(r, OP_BITWISE_AND, type, one, last);
  const uint32_t bits = put_binary(r, OP_BITWISE_OR, type, both, carried);
  return put_binary(r, OP_SHIFT_RIGHT_LOGICAL, type, bits, make_constant(r, type, width - 1));
}

specpi_compiler_result rewrite_extended(rewriting *r, const spirv_instruction *at) {
  static const char *const names[] = {"OpIAddCarry", "OpISubBorrow", "OpUMulExtended",
                                      "OpSMulExtended"};
  const char *name = names[at->opcode - OP_I_ADD_CARRY];
  const uint32_t type = at->words == 5 ? type_of(r, spirv_word(at, 3)) : 0;
  const uint32_t width =
      definitions_width(definitions_scalar(r->all, definitions_find(r->all, type)));
  if (width < 8)
    return refuse_operands(at, name);
  const bool is_product = at->opcode >= OP_U_MUL_EXTENDED;
  const bool is_sum = at->opcode == OP_I_ADD_CARRY;
  const uint32_t operands[] = {spirv_word(at, 3), spirv_word(at, 4)};
  const uint32_t low = put_binary(r,
                                  is_product ? OP_I_MUL
                                  : is_sum   ? OP_I_ADD
                                             : OP_I_SUB,
                                  type, operands[0], operands[1]);
  uint32_t high;
  if (is_product) {
    high = r->bound++;
    PUT(r, OP_EXT_INST, type, high, r->numbers,
        at->opcode == OP_U_MUL_EXTENDED ? STD_U_MUL_HI : STD_S_MUL_HI, operands[0], operands[1]);
  } else {
    high = put_carry(r, is_sum, type, operands, low, width);
  }
  building building = {spirv_word(at, 1), spirv_word(at, 2), 0, 2, 0};
  start_building(r, &building);
  put_part(r, &building, low);
  put_part(r, &building, high);
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Pointers ---- */

static uint32_t put_address(rewriting *r, uint32_t pointer) {
  const uint32_t id = r->bound++;
  PUT(r, OP_CONVERT_PTR_TO_U, integer_type(r, ADDRESS_BITS), id, pointer);
  return id;
}

static specpi_compiler_result put_difference(rewriting *r, const spirv_instruction *at) {
  const uint32_t number = integer_type(r, ADDRESS_BITS);
  const uint32_t pointer = type_of(r, spirv_word(at, 3));
  const uint32_t width = definitions_width(definitions_find(r->all, spirv_word(at, 1)));
  if (pointee(r, pointer) == 0 || width < 8)
    return refuse_operands(at, "OpPtrDiff");
  const uint32_t first = put_address(r, spirv_word(at, 3));
  const uint32_t bytes = put_binary(r, OP_I_SUB, number, first, put_address(r, spirv_word(at, 4)));
  const uint32_t size = r->bound++;
  put_size(r, pointer, number, size);
  if (width == ADDRESS_BITS) {
    PUT(r, OP_S_DIV, spirv_word(at, 1), spirv_word(at, 2), bytes, size);
    return SPECPI_COMPILER_SUCCESS;
  }
  const uint32_t elements = put_binary(r, OP_S_DIV, number, bytes, size);
  PUT(r, OP_S_CONVERT, spirv_word(at, 1), spirv_word(at, 2), elements);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result rewrite_pointers(rewriting *r, const spirv_instruction *at) {
  if (at->opcode == OP_SIZE_OF) {
    const uint32_t pointer = at->words == 4 ? type_of(r, spirv_word(at, 3)) : 0;
    if (pointee(r, pointer) == 0)
      return refuse_operands(at, "OpSizeOf");
    put_size(r, pointer, spirv_word(at, 1), spirv_word(at, 2));
    return SPECPI_COMPILER_SUCCESS;
  }
  if (at->words != 5)
    return refuse_operands(at, "OpPtrEqual, OpPtrNotEqual or OpPtrDiff");
  if (at->opcode == OP_PTR_DIFF)
    return put_difference(r, at);
  const uint32_t first = put_address(r, spirv_word(at, 3));
  PUT(r, at->opcode == OP_PTR_EQUAL ? OP_I_EQUAL : OP_I_NOT_EQUAL, spirv_word(at, 1),
      spirv_word(at, 2), first, put_address(r, spirv_word(at, 4)));
  return SPECPI_COMPILER_SUCCESS;
}
