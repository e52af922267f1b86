#define _POSIX_C_SOURCE 200809L /* strndup */
#include "constants.h"

#include "reads.h"
#include "variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OP_STORE = 62,
  OP_BITCAST = 124,
  OP_LOGICAL_OR = 166,
  OP_TYPE_FIRST = 19,
  OP_VARIABLE = 59, /* the last opcode of the section with types, constants and variables */
  OP_FUNCTION = 54,
  INSTRUCTION_WORDS_MAX = 65535,
};

void jit_constants_free(jit_constants *all) {
  for (size_t i = 0; i < all->items.count; i++) {
    const specpi_compiler_constant *constant = &all->items.items[i].known;
    free((char *)constant->name);
    free((void *)constant->default_data);
    free((void *)constant->descriptors);
  }
  free(all->items.items);
  *all = (jit_constants){0};
}

/* A constant's value in the module, for one type; a module may have several types for a name. */
typedef struct made_constant {
  size_t constant;
  uint32_t type;
  uint32_t id; /* id of the value */
} made_constant;

typedef struct lowering {
  jit_module *module;
  const jit_reads *reads;
  uint32_t reader; /* the function that reads the current value */
  jit_constants *all;
  jit_constants_used *used;
  VECTOR(made_constant) made;
  moved_variables moved;
  uint32_t bound;
  word_output decorations;
  word_output values;
} lowering;

/* ---- The constants of the unit ---- */

static specpi_compiler_result copy_constant(const jit_read *read, jit_constant *ret) {
  char *name = strdup(read->name);
  unsigned char *bytes = malloc(read->size);
  if (name == NULL || bytes == NULL) {
    free(name);
    free(bytes);
    return compiler_error_memory();
  }
  memcpy(bytes, read->bytes, read->size);
  *ret = (jit_constant){.known = {.name = name,
                                  .kind = read->is_composite ? SPECPI_COMPILER_KIND_COMPOSITE
                                                             : SPECPI_COMPILER_KIND_SCALAR,
                                  .size = read->size,
                                  .default_data = bytes}};
  return SPECPI_COMPILER_SUCCESS;
}

/* Finds the constant of a read, or adds it. */
static specpi_compiler_result find_constant(jit_constants *all, const jit_read *read, size_t *ret) {
  for (*ret = 0; *ret < all->items.count; ++*ret) {
    const specpi_compiler_constant *constant = &all->items.items[*ret].known;
    if (strcmp(constant->name, read->name) != 0)
      continue;
    COMPILER_REQUIRE(constant->size == read->size &&
                         memcmp(constant->default_data, read->bytes, read->size) == 0,
                     SPECPI_COMPILER_ERROR_CONFLICT,
                     "constant '%s' has another type or default elsewhere in the unit", read->name);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (!VECTOR_RESERVE(&all->items))
    return compiler_error_memory();
  COMPILER_TRY(copy_constant(read, &all->items.items[*ret]));
  all->items.count++;
  return SPECPI_COMPILER_SUCCESS;
}

/* Gets the id of the scalar at an offset: a new id or, if the constant is complete, its old one. */
static specpi_compiler_result take_scalar(lowering *lowering, jit_constant *of, uint32_t offset,
                                          uint32_t size, uint32_t *id) {
  specpi_compiler_constant *known = &of->known;
  specpi_compiler_descriptor *list = (specpi_compiler_descriptor *)known->descriptors;
  for (size_t i = 0; of->is_complete && i < known->descriptor_count; i++)
    if (list[i].offset == offset && list[i].size == size) {
      *id = list[i].id;
      return SPECPI_COMPILER_SUCCESS;
    }
  COMPILER_REQUIRE(!of->is_complete, SPECPI_COMPILER_ERROR_CONFLICT,
                   "constant '%s' has another type elsewhere in the unit", known->name);
  if (!vector_reserve(&known->descriptors, &of->capacity, known->descriptor_count, sizeof *list))
    return compiler_error_memory();
  list = (specpi_compiler_descriptor *)known->descriptors;
  *id = lowering->all->next_id++;
  list[known->descriptor_count++] =
      (specpi_compiler_descriptor){.id = *id, .offset = offset, .size = size};
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds a descriptor for padding at the end, because runtimes add up sizes. */
static specpi_compiler_result complete_constant(jit_constant *of) {
  specpi_compiler_constant *known = &of->known;
  const specpi_compiler_descriptor *last = known->descriptors + known->descriptor_count - 1;
  const uint32_t end = last->offset + last->size;
  if (!of->is_complete && end < known->size) {
    if (!vector_reserve(&known->descriptors, &of->capacity, known->descriptor_count,
                        sizeof *known->descriptors))
      return compiler_error_memory();
    ((specpi_compiler_descriptor *)known->descriptors)[known->descriptor_count++] =
        (specpi_compiler_descriptor){SPECPI_COMPILER_PADDING, end, known->size - end};
  }
  of->is_complete = true;
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Values of constants in the module ---- */

static specpi_compiler_result put_scalar(lowering *lowering, const definition *type,
                                         jit_constant *of, uint32_t offset, uint32_t *ret) {
  const uint32_t width = definitions_width(type);
  const uint32_t size = width == 1 ? 1 : width / 8;
  uint32_t id = 0;
  uint64_t bits = 0;
  COMPILER_TRY(take_scalar(lowering, of, offset, size, &id));
  for (uint32_t i = size; i-- > 0;)
    bits = bits << 8 | ((const unsigned char *)of->known.default_data)[offset + i];
  *ret = lowering->bound++;
  const uint32_t decoration[] = {*ret, SPIRV_DECORATION_SPEC_ID, id};
  const uint32_t words[] = {type->id, *ret, (uint32_t)bits, (uint32_t)(bits >> 32)};
  word_output_instruction(&lowering->decorations, SPIRV_OP_DECORATE, decoration, 3);
  word_output_instruction(&lowering->values,
                          width != 1  ? SPIRV_OP_SPEC_CONSTANT
                          : bits != 0 ? SPIRV_OP_SPEC_CONSTANT_TRUE
                                      : SPIRV_OP_SPEC_CONSTANT_FALSE,
                          words,
                          width == 1    ? 2
                          : width == 64 ? 4
                                        : 3);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result put_value(lowering *lowering, uint32_t type, jit_constant *of,
                                        uint32_t offset, int depth, uint32_t *ret);

static specpi_compiler_result put_parts(lowering *lowering, uint32_t type, jit_constant *of,
                                        uint32_t offset, int depth, word_output *parts) {
  uint32_t at = 0;
  uint32_t part;
  for (uint32_t i = 0; (part = jit_module_part(lowering->module, type, i, &at)) != 0; i++) {
    uint32_t value;
    COMPILER_TRY(put_value(lowering, part, of, offset + at, depth + 1, &value));
    word_output_put(parts, value);
    at += spirv_types_measure(&lowering->module->types, part);
  }
  return parts->has_failed ? compiler_error_memory() : SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result refuse_type(const lowering *lowering, const jit_constant *of) {
  char *type = jit_reads_type(lowering->reads, lowering->reader);
  const specpi_compiler_result result = compiler_error(
      SPECPI_COMPILER_ERROR_UNSUPPORTED_TYPE,
      "constant '%s' is of type '%s', which has a pointer, or something else that no constant can "
      "have",
      of->known.name, type != NULL ? type : "?");
  free(type);
  return result;
}

static specpi_compiler_result check_count(const lowering *lowering, const jit_constant *of,
                                          size_t count) {
  if (count == 0)
    return refuse_type(lowering, of);
  COMPILER_REQUIRE(count <= INSTRUCTION_WORDS_MAX - 3, SPECPI_COMPILER_ERROR_UNSUPPORTED_TYPE,
                   "constant '%s' has an array of more than 65532 elements", of->known.name);
  return SPECPI_COMPILER_SUCCESS;
}

/* Writes a value of a type from the scalars at an offset of a constant. */
static specpi_compiler_result put_value(lowering *lowering, uint32_t type, jit_constant *of,
                                        uint32_t offset, int depth, uint32_t *ret) {
  const definition *known = definitions_find(&lowering->module->all, type);
  if (known != NULL && definitions_width(known) != 0)
    return put_scalar(lowering, known, of, offset, ret);
  word_output parts = {0};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (depth < MODULE_DEPTH_MAX)
    result = put_parts(lowering, type, of, offset, depth, &parts);
  const size_t count = parts.size / 4;
  if (result == SPECPI_COMPILER_SUCCESS)
    result = check_count(lowering, of, count);
  if (result == SPECPI_COMPILER_SUCCESS) {
    *ret = lowering->bound++;
    word_output_put(&lowering->values, (uint32_t)(count + 3) << 16 | OP_SPEC_CONSTANT_COMPOSITE);
    word_output_put(&lowering->values, type);
    word_output_put(&lowering->values, *ret);
    word_output_bytes(&lowering->values, parts.bytes, parts.size);
  }
  free(parts.bytes);
  return result;
}

static specpi_compiler_result note_use(jit_constants_used *used, size_t constant) {
  for (size_t i = 0; i < used->count; i++)
    if (used->items[i] == constant)
      return SPECPI_COMPILER_SUCCESS;
  if (!VECTOR_RESERVE(used))
    return compiler_error_memory();
  used->items[used->count++] = constant;
  return SPECPI_COMPILER_SUCCESS;
}

/* Gets the value of a read constant; makes it at the first read. */
static specpi_compiler_result value_of(lowering *lowering, const jit_read *read, uint32_t *ret) {
  size_t constant;
  COMPILER_TRY(find_constant(lowering->all, read, &constant));
  for (size_t i = 0; i < lowering->made.count; i++)
    if (lowering->made.items[i].constant == constant &&
        lowering->made.items[i].type == read->type) {
      *ret = lowering->made.items[i].id;
      return SPECPI_COMPILER_SUCCESS;
    }
  jit_constant *of = &lowering->all->items.items[constant];
  lowering->reader = read->reader;
  COMPILER_TRY(put_value(lowering, read->type, of, 0, 0, ret));
  COMPILER_TRY(complete_constant(of));
  COMPILER_TRY(note_use(lowering->used, constant));
  if (!VECTOR_RESERVE(&lowering->made))
    return compiler_error_memory();
  lowering->made.items[lowering->made.count++] = (made_constant){constant, read->type, *ret};
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The module ---- */

/*
 * Replaces a call by the constant. The result keeps the call's id, as a cast to the same type or an
 * OR with itself: compilers remove these, while OpCopyObject would become memory.
 */
static specpi_compiler_result put_read(lowering *lowering, const jit_read *read, word_output *to) {
  uint32_t value;
  COMPILER_TRY(value_of(lowering, read, &value));
  const uint32_t store[] = {read->to, value};
  const uint32_t same[] = {read->type, read->result, value, value};
  const definition *type = definitions_find(&lowering->module->all, read->type);
  if (read->is_stored)
    word_output_instruction(to, OP_STORE, store, 2);
  else if (definitions_width(type) == 1)
    word_output_instruction(to, OP_LOGICAL_OR, same, 4);
  else
    word_output_instruction(to, OP_BITCAST, same, 3);
  return SPECPI_COMPILER_SUCCESS;
}

/* A module in three parts. Decorations go after the first part, values after the second. */
typedef struct module_parts {
  word_output head;
  word_output types;
  word_output functions;
} module_parts;

/* Writes an instruction or its replacement. */
static specpi_compiler_result put_instruction(lowering *lowering, jit_reads *reads,
                                              const spirv_instruction *at, word_output *to) {
  jit_read read;
  bool is_read;
  COMPILER_TRY(jit_reads_next(reads, at, &read, &is_read));
  if (!is_read) {
    if (jit_reads_drops(reads, at))
      return SPECPI_COMPILER_SUCCESS;
    if (!moved_variables_copy(&lowering->moved, lowering->module, at, &lowering->bound, to))
      jit_reads_copy(reads, at, to);
    return SPECPI_COMPILER_SUCCESS;
  }
  const specpi_compiler_result result = put_read(lowering, &read, to);
  free(read.bytes);
  return result;
}

/* Adds the place of a failure to its message. */
static specpi_compiler_result tell_place(const jit_reads *reads, specpi_compiler_result code) {
  char where[512];
  char what[512];
  jit_reads_where(reads, where, sizeof where);
  snprintf(what, sizeof what, "%s", specpiCompilerGetLastError());
  return compiler_error(code, "%s: %s", where, what);
}

static specpi_compiler_result put_module(lowering *lowering, jit_reads *reads, module_parts *to) {
  word_output *part = &to->head;
  spirv_words words = lowering->module->words;
  spirv_instruction at;
  word_output_bytes(part, lowering->module->words.bytes, SPIRV_HEADER_WORDS * 4);
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS) {
    if (at.opcode == OP_FUNCTION)
      part = &to->functions;
    else if (part == &to->head && at.opcode >= OP_TYPE_FIRST && at.opcode <= OP_VARIABLE)
      part = &to->types;
    const specpi_compiler_result result = put_instruction(lowering, reads, &at, part);
    if (result != SPECPI_COMPILER_SUCCESS)
      return tell_place(reads, result);
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result join_parts(lowering *lowering, module_parts *parts,
                                         word_output *ret) {
  const word_output *const all[] = {&parts->head, &lowering->decorations, &parts->types,
                                    &lowering->values, &parts->functions};
  bool has_failed = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    has_failed = has_failed || all[i]->has_failed;
    word_output_bytes(ret, all[i]->bytes, all[i]->size);
  }
  if (has_failed || ret->has_failed)
    return compiler_error_memory();
  spirv_store(ret->bytes + 12, lowering->bound);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result lower_module(lowering *lowering, const void *il, size_t size,
                                           jit_reads *reads, module_parts *parts,
                                           word_output *ret) {
  COMPILER_TRY(jit_module_open(il, size, lowering->module));
  lowering->bound = spirv_load((const unsigned char *)il + 12);
  COMPILER_TRY(jit_reads_open(lowering->module, reads));
  COMPILER_TRY(moved_variables_find(lowering->module, &lowering->bound, &lowering->moved));
  COMPILER_TRY(put_module(lowering, reads, parts));
  return join_parts(lowering, parts, ret);
}

specpi_compiler_result jit_constants_lower(const void *il, size_t size, jit_constants *all,
                                           jit_constants_used *used, word_output *ret) {
  jit_module module;
  jit_reads reads = {0};
  module_parts parts = {0};
  lowering lowering = {.module = &module, .reads = &reads, .all = all, .used = used};
  const specpi_compiler_result result = lower_module(&lowering, il, size, &reads, &parts, ret);
  free(parts.head.bytes);
  free(parts.types.bytes);
  free(parts.functions.bytes);
  free(lowering.decorations.bytes);
  free(lowering.values.bytes);
  free(lowering.made.items);
  free(lowering.moved.items.items);
  jit_reads_free(&reads);
  jit_module_close(&module);
  return result;
}
