/* Reads the specialization constants that a SPIR-V module declares. */
#include "constants.h"

#include "../base/error.h"
#include "../base/find.h"
#include "spirv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * The module is walked twice: the first walk counts the instructions of each kind, the second one
 * fills arrays of that size. Then the arrays are sorted and joined, because a result id may come
 * before or after its uses. A position is the index of a word in the module. Equal elements are
 * sorted by position, so that the first one is also the first in the module.
 */

/* OpTypeBool, OpTypeInt, OpTypeFloat. */
typedef struct type {
  pi_uint32 result;
  pi_uint32 size; /* in bytes; 0: constants of this type are not supported */
  bool is_boolean;
  size_t position;
} type;

/* OpDecorate with SpecId, or one target of OpGroupDecorate. */
typedef struct decoration {
  pi_uint32 target;
  pi_uint32 value; /* the SpecId, or the id of the group */
  size_t position;
} decoration;

/* OpSpecConstantTrue, OpSpecConstantFalse, OpSpecConstant. */
typedef struct definition {
  pi_uint32 type;
  pi_uint32 result;
  pi_uint32 id;         /* its SpecId; join_ids sets it */
  pi_uint32 words;      /* number of words of the value in the instruction */
  unsigned char low[8]; /* the value's first eight bytes */
  size_t position;
} definition;

typedef struct parts {
  type *types;
  decoration *decorations; /* SpecIds, with extra capacity for one for each group target */
  decoration *targets;
  definition *definitions;
  size_t type_count, decoration_count, target_count, definition_count;
} parts;

static pi_result require_words(const spirv_instruction *instruction, pi_uint32 words) {
  REQUIRE(instruction->words >= words, PI_ERROR_INVALID_VALUE,
          "damaged SPIR-V module: the instruction at word %zu (opcode %u) has %u words, it "
          "needs %u",
          instruction->position, instruction->opcode, instruction->words, words);
  return PI_SUCCESS;
}

static void take_type(parts *parts, const spirv_instruction *instruction) {
  if (parts->types) {
    type *one = &parts->types[parts->type_count];
    *one = (type){.result = spirv_word(instruction, 1), .position = instruction->position};
    one->is_boolean = instruction->opcode == SPIRV_OP_TYPE_BOOL;
    const pi_uint32 width = one->is_boolean ? 8 : spirv_word(instruction, 2);
    if (width == 8 || width == 16 || width == 32 || width == 64)
      one->size = width / 8;
  }
  parts->type_count++;
}

static void take_decoration(parts *parts, const spirv_instruction *instruction) {
  if (parts->decorations)
    parts->decorations[parts->decoration_count] = (decoration){.target = spirv_word(instruction, 1),
                                                               .value = spirv_word(instruction, 3),
                                                               .position = instruction->position};
  parts->decoration_count++;
}

static void take_targets(parts *parts, const spirv_instruction *instruction) {
  if (parts->targets)
    for (pi_uint32 i = 2; i < instruction->words; i++)
      parts->targets[parts->target_count + i - 2] =
          (decoration){.target = spirv_word(instruction, i),
                       .value = spirv_word(instruction, 1),
                       .position = instruction->position + i};
  parts->target_count += instruction->words - 2;
}

static void take_definition(parts *parts, const spirv_instruction *instruction) {
  if (parts->definitions) {
    definition *one = &parts->definitions[parts->definition_count];
    const bool is_number = instruction->opcode == SPIRV_OP_SPEC_CONSTANT;
    *one = (definition){.type = spirv_word(instruction, 1),
                        .result = spirv_word(instruction, 2),
                        .words = is_number ? instruction->words - 3 : 0,
                        .position = instruction->position};
    const size_t bytes = (size_t)one->words * 4;
    if (bytes)
      memcpy(one->low, instruction->bytes + 3 * 4, bytes < 8 ? bytes : 8);
    if (!is_number)
      one->low[0] = instruction->opcode == SPIRV_OP_SPEC_CONSTANT_TRUE;
  }
  parts->definition_count++;
}

/* Counts an instruction, and stores it if the arrays are allocated. */
static pi_result take_instruction(parts *parts, const spirv_instruction *instruction) {
  switch (instruction->opcode) {
  case SPIRV_OP_TYPE_BOOL:
    TRY(require_words(instruction, 2));
    take_type(parts, instruction);
    break;
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT:
    TRY(require_words(instruction, 3));
    take_type(parts, instruction);
    break;
  case SPIRV_OP_DECORATE:
    TRY(require_words(instruction, 3));
    if (spirv_word(instruction, 2) != SPIRV_DECORATION_SPEC_ID)
      break;
    TRY(require_words(instruction, 4));
    take_decoration(parts, instruction);
    break;
  case SPIRV_OP_GROUP_DECORATE:
    TRY(require_words(instruction, 2));
    take_targets(parts, instruction);
    break;
  case SPIRV_OP_SPEC_CONSTANT_TRUE:
  case SPIRV_OP_SPEC_CONSTANT_FALSE:
    TRY(require_words(instruction, 3));
    take_definition(parts, instruction);
    break;
  case SPIRV_OP_SPEC_CONSTANT:
    TRY(require_words(instruction, 4));
    take_definition(parts, instruction);
    break;
  default:
    break;
  }
  return PI_SUCCESS;
}

static pi_result walk_module(spirv_words module, parts *parts) {
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    TRY(take_instruction(parts, &instruction));
  }
  return PI_SUCCESS;
}

/* Calls calloc, but never for 0 bytes, so that NULL always means that memory ran out. */
static void *allocate_array(size_t count, size_t size) {
  return calloc(count ? count : 1, size);
}

static void free_parts(parts *parts) {
  free(parts->types);
  free(parts->decorations);
  free(parts->targets);
  free(parts->definitions);
}

/* Reads the parts of a module. The caller frees them, also after a failure. */
static pi_result read_parts(const spirv_words *module, parts *ret) {
  parts counted = {0};
  TRY(walk_module(*module, &counted));
  ret->types = allocate_array(counted.type_count, sizeof *ret->types);
  ret->decorations =
      allocate_array(counted.decoration_count + counted.target_count, sizeof *ret->decorations);
  ret->targets = allocate_array(counted.target_count, sizeof *ret->targets);
  ret->definitions = allocate_array(counted.definition_count, sizeof *ret->definitions);
  REQUIRE(ret->types && ret->decorations && ret->targets && ret->definitions,
          PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to read a module of %zu bytes",
          module->words * 4);
  return walk_module(*module, ret);
}

static int compare_sizes(size_t a, size_t b) {
  return (a > b) - (a < b);
}

static int by_result(const void *left, const void *right) {
  const type *a = left;
  const type *b = right;
  return a->result != b->result ? compare_sizes(a->result, b->result)
                                : compare_sizes(a->position, b->position);
}

static int by_target(const void *left, const void *right) {
  const decoration *a = left;
  const decoration *b = right;
  return a->target != b->target ? compare_sizes(a->target, b->target)
                                : compare_sizes(a->position, b->position);
}

static int by_id(const void *left, const void *right) {
  const definition *a = left;
  const definition *b = right;
  return a->id != b->id ? compare_sizes(a->id, b->id) : compare_sizes(a->position, b->position);
}

/* Returns the first type with this result id; NULL if there is none. */
static const type *find_type(const parts *parts, pi_uint32 result) {
  return find_id(result, parts->types, parts->type_count, sizeof *parts->types);
}

/* Returns the first of count sorted decorations with this target; NULL if there is none. */
static const decoration *find_decoration(const decoration *decorations, size_t count,
                                         pi_uint32 target) {
  return find_id(target, decorations, count, sizeof *decorations);
}

/*
 * Adds the SpecId of each decoration group as a decoration of each of the group's targets. If a
 * group has several SpecIds, the first one counts.
 */
static void expand_groups(parts *parts) {
  const size_t direct = parts->decoration_count;
  qsort(parts->decorations, direct, sizeof *parts->decorations, by_target);
  for (size_t i = 0; i < parts->target_count; i++) {
    decoration one = parts->targets[i];
    const decoration *group = find_decoration(parts->decorations, direct, one.value);
    if (!group)
      continue;
    one.value = group->value;
    parts->decorations[parts->decoration_count++] = one;
  }
  qsort(parts->decorations, parts->decoration_count, sizeof *parts->decorations, by_target);
}

/* Sets the SpecId of each definition, drops definitions without one, and sorts by SpecId. */
static void join_ids(parts *parts) {
  size_t kept = 0;
  for (size_t i = 0; i < parts->definition_count; i++) {
    definition one = parts->definitions[i];
    const decoration *found =
        find_decoration(parts->decorations, parts->decoration_count, one.result);
    if (!found)
      continue;
    one.id = found->value;
    parts->definitions[kept++] = one;
  }
  parts->definition_count = kept;
  qsort(parts->definitions, kept, sizeof *parts->definitions, by_id);
}

static pi_result make_constant(const parts *parts, const definition *definition,
                               code_constant *ret) {
  const type *its_type = find_type(parts, definition->type);
  const bool is_boolean = its_type && its_type->is_boolean;
  const bool has_words = definition->words != 0;
  *ret = (code_constant){.id = definition->id, .kind = CODE_CONSTANT_OTHER};
  /* A boolean must be OpSpecConstantTrue or -False, which have no value words, unlike numbers. */
  if (!its_type || its_type->size == 0 || is_boolean == has_words)
    return PI_SUCCESS;
  REQUIRE(is_boolean || definition->words * 4 >= its_type->size, PI_ERROR_INVALID_VALUE,
          "damaged SPIR-V module: constant %" PRIu32 " at word %zu has %u bytes, its type %u",
          definition->id, definition->position, definition->words * 4, its_type->size);
  ret->kind = is_boolean ? CODE_CONSTANT_BOOLEAN : CODE_CONSTANT_NUMBER;
  ret->size = its_type->size;
  memcpy(ret->default_value, definition->low, its_type->size);
  return PI_SUCCESS;
}

/* Merges a constant into an earlier one with the same id. */
static void merge(code_constant *into, const code_constant *other) {
  if (into->kind == CODE_CONSTANT_OTHER || into->kind == CODE_CONSTANT_MIXED)
    return;
  if (other->kind == CODE_CONSTANT_OTHER) {
    into->kind = CODE_CONSTANT_OTHER;
    into->size = 0;
  } else if (other->size != into->size) {
    into->kind = CODE_CONSTANT_MIXED;
    into->size = 0;
  } else if (other->kind == CODE_CONSTANT_NUMBER) {
    /* Store all bits if a number shares the id with booleans, which are true if a bit is set. */
    into->kind = CODE_CONSTANT_NUMBER;
  }
}

/*
 * Makes one constant for each id; the definitions are sorted by id. *count starts at 0 and becomes
 * the number of constants.
 */
static pi_result join_constants(const parts *parts, code_constant *constants, size_t *count) {
  for (size_t i = 0; i < parts->definition_count; i++) {
    code_constant one;
    TRY(make_constant(parts, &parts->definitions[i], &one));
    if (*count > 0 && constants[*count - 1].id == one.id) {
      merge(&constants[*count - 1], &one);
    } else {
      one.at = *count * sizeof one.value;
      constants[(*count)++] = one;
    }
  }
  return PI_SUCCESS;
}

static pi_result fill_store(const parts *parts, code_constants *store) {
  size_t count = 0;
  code_constant *constants = allocate_array(parts->definition_count, sizeof *constants);
  REQUIRE_MEMORY(constants, "%zu constants", parts->definition_count);
  const pi_result result = join_constants(parts, constants, &count);
  constants_declare(store, constants, count);
  TRY(result);
  return constants_extend(store, 0, count * sizeof constants->value, NULL);
}

/* Reads and joins the parts of a module. The caller frees them, also after a failure. */
static pi_result read_declared(const void *il, size_t length, parts *ret) {
  spirv_words module;
  TRY(spirv_open(il, length, &module));
  TRY(read_parts(&module, ret));
  qsort(ret->types, ret->type_count, sizeof *ret->types, by_result);
  expand_groups(ret);
  join_ids(ret);
  return PI_SUCCESS;
}

pi_result spirv_declare_constants(const void *il, size_t length, code_constants *store) {
  parts parts = {0};
  pi_result result = read_declared(il, length, &parts);
  if (result == PI_SUCCESS)
    result = fill_store(&parts, store);
  free_parts(&parts);
  return result;
}

pi_result code_constants_read(const void *il, size_t length, code_constants **ret) {
  code_constants *store;
  TRY(constants_create(&store));
  const pi_result result = spirv_declare_constants(il, length, store);
  if (result == PI_SUCCESS)
    *ret = store;
  else
    code_constants_free(store);
  return result;
}

static pi_result make_places(const parts *parts, code_constant_place **ret, size_t *count) {
  code_constant_place *places = allocate_array(parts->definition_count, sizeof *places);
  REQUIRE_MEMORY(places, "the places of %zu constants", parts->definition_count);
  for (size_t i = 0; i < parts->definition_count; i++)
    places[i] = (code_constant_place){parts->definitions[i].position, parts->definitions[i].id};
  *ret = places;
  *count = parts->definition_count;
  return PI_SUCCESS;
}

pi_result code_constants_find(const void *il, size_t length, code_constant_place **ret,
                              size_t *count) {
  parts parts = {0};
  pi_result result = read_declared(il, length, &parts);
  if (result == PI_SUCCESS)
    result = make_places(&parts, ret, count);
  free_parts(&parts);
  return result;
}
