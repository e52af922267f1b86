/*
 * The kernels of a SPIR-V module and what their arguments are. Bytes of any origin may come here:
 * time and memory are proportional to the module's size, and a type that cannot be understood
 * makes an argument unknown, nothing else.
 */
#include "spirv_code.h"

#include "../base/error.h"
#include "spirv.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
  OP_MEMORY_MODEL = 14,
  OP_ENTRY_POINT = 15,
  OP_TYPE_VECTOR = 23,
  OP_TYPE_IMAGE = 25,
  OP_TYPE_SAMPLER = 26,
  OP_TYPE_SAMPLED_IMAGE = 27,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_STRUCT = 30,
  OP_TYPE_POINTER = 32,
  OP_TYPE_LAST = 38, /* behind it is OpTypeForwardPointer, which defines no type */
  OP_CONSTANT = 43,
  OP_FUNCTION = 54,
  OP_FUNCTION_PARAMETER = 55,
  OP_DECORATION_GROUP = 73,
  MODEL_KERNEL = 6,
  ADDRESSING_PHYSICAL32 = 1,
  DECORATION_PACKED = 10,
  CLASS_UNIFORM_CONSTANT = 0,
  CLASS_WORKGROUP = 4,
  CLASS_CROSS_WORKGROUP = 5,
  CLASS_FUNCTION = 7,
};

/* A type, a constant that is a number, or a decoration group, by its result id. */
typedef struct definition {
  pi_uint32 id;
  spirv_instruction instruction;
  bool is_packed;
  bool is_known; /* size and align are; until it is, the type may be one that contains itself */
  pi_uint32 size, align;
} definition;

typedef struct function {
  pi_uint32 id;
  spirv_instruction instruction;
} function;

typedef struct entry {
  pi_uint32 function;
  const char *name;
} entry;

typedef struct parts {
  definition *definitions;
  function *functions;
  entry *entries;
  size_t definition_count, function_count, entry_count;
  pi_uint32 pointer_size;
  size_t parameter_count; /* of all functions */
} parts;

static int compare_ids(pi_uint32 a, pi_uint32 b) {
  return (a > b) - (a < b);
}

static int by_id(const void *left, const void *right) {
  const definition *a = left;
  const definition *b = right;
  return a->id != b->id ? compare_ids(a->id, b->id)
                        : (a->instruction.position > b->instruction.position) -
                              (a->instruction.position < b->instruction.position);
}

static int by_function(const void *left, const void *right) {
  return compare_ids(((const function *)left)->id, ((const function *)right)->id);
}

static int by_name(const void *left, const void *right) {
  return strcmp(((const spirv_kernel *)left)->name, ((const spirv_kernel *)right)->name);
}

static definition *find_definition(const parts *parts, pi_uint32 id) {
  const definition key = {.id = id};
  size_t low = 0;
  size_t high = parts->definition_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (parts->definitions[middle].id < key.id)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low < parts->definition_count && parts->definitions[low].id == id;
  return found ? &parts->definitions[low] : NULL;
}

/* ---- Collecting ---- */

/* The text at a word of an instruction; NULL when it has no end there. */
static const char *text_at(const spirv_instruction *instruction, pi_uint32 word) {
  if (instruction->words <= word)
    return NULL;
  const unsigned char *text = instruction->bytes + (size_t)word * 4;
  const size_t room = ((size_t)instruction->words - word) * 4;
  return memchr(text, '\0', room) ? (const char *)text : NULL;
}

/* Counts what an instruction is, and keeps it when there are arrays. */
static void take_instruction(parts *parts, const spirv_instruction *it) {
  const bool keep = parts->definitions != NULL;
  const bool is_type = it->opcode >= SPIRV_OP_TYPE_BOOL && it->opcode <= OP_TYPE_LAST;
  if ((is_type || it->opcode == OP_DECORATION_GROUP) && it->words >= 2) {
    if (keep)
      parts->definitions[parts->definition_count] =
          (definition){.id = spirv_word(it, 1), .instruction = *it};
    parts->definition_count++;
  } else if (it->opcode == OP_CONSTANT && it->words >= 4) {
    if (keep)
      parts->definitions[parts->definition_count] =
          (definition){.id = spirv_word(it, 2), .instruction = *it};
    parts->definition_count++;
  } else if (it->opcode == OP_FUNCTION && it->words >= 5) {
    if (keep)
      parts->functions[parts->function_count] = (function){spirv_word(it, 2), *it};
    parts->function_count++;
  } else if (it->opcode == OP_FUNCTION_PARAMETER) {
    parts->parameter_count++;
  } else if (it->opcode == OP_ENTRY_POINT && it->words >= 4 && spirv_word(it, 1) == MODEL_KERNEL &&
             text_at(it, 3)) {
    if (keep)
      parts->entries[parts->entry_count] = (entry){spirv_word(it, 2), text_at(it, 3)};
    parts->entry_count++;
  } else if (it->opcode == OP_MEMORY_MODEL && it->words >= 3) {
    parts->pointer_size = spirv_word(it, 1) == ADDRESSING_PHYSICAL32 ? 4 : 8;
  }
}

static pi_result walk_module(spirv_words module, parts *parts) {
  parts->definition_count = parts->function_count = parts->entry_count = 0;
  parts->parameter_count = 0;
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    take_instruction(parts, &instruction);
  }
  return PI_SUCCESS;
}

static void mark_type(parts *parts, pi_uint32 id) {
  definition *type = find_definition(parts, id);
  if (type)
    type->is_packed = true;
}

/*
 * Marks the structures whose members follow each other without gaps. A group has its decorations
 * before it is handed on.
 */
static pi_result mark_packed(spirv_words module, parts *parts) {
  while (spirv_more(&module)) {
    spirv_instruction it;
    TRY(spirv_next(&module, &it));
    if (it.opcode == SPIRV_OP_DECORATE && it.words >= 3 && spirv_word(&it, 2) == DECORATION_PACKED)
      mark_type(parts, spirv_word(&it, 1));
    if (it.opcode != SPIRV_OP_GROUP_DECORATE || it.words < 2)
      continue;
    const definition *group = find_definition(parts, spirv_word(&it, 1));
    for (pi_uint32 i = 2; group && group->is_packed && i < it.words; i++)
      mark_type(parts, spirv_word(&it, i));
  }
  return PI_SUCCESS;
}

/* ---- Sizes ---- */

enum { DEPTH_MAX = 64 };

static void measure_type(parts *parts, definition *type, int depth);

/* The size of another type, measured if it was not; false when it is not known. */
static bool get_size(parts *parts, pi_uint32 id, int depth, pi_uint32 *size, pi_uint32 *align) {
  definition *type = find_definition(parts, id);
  if (!type)
    return false;
  if (!type->is_known) {
    if (depth >= DEPTH_MAX)
      return false;
    measure_type(parts, type, depth + 1);
  }
  *size = type->size;
  *align = type->align;
  return type->size != 0;
}

static void set_size(definition *type, uint64_t size, pi_uint32 align) {
  if (size <= UINT32_MAX && align != 0) {
    type->size = (pi_uint32)size;
    type->align = align;
  }
}

static void measure_struct(parts *parts, definition *type, int depth) {
  const spirv_instruction *it = &type->instruction;
  uint64_t size = 0;
  pi_uint32 align = 1;
  for (pi_uint32 i = 2; i < it->words; i++) {
    pi_uint32 member;
    pi_uint32 member_align;
    if (!get_size(parts, spirv_word(it, i), depth, &member, &member_align) || size > UINT32_MAX)
      return;
    if (type->is_packed)
      member_align = 1;
    size = (size + member_align - 1) / member_align * member_align + member;
    align = align < member_align ? member_align : align;
  }
  set_size(type, (size + align - 1) / align * align, align);
}

static void measure_array(parts *parts, definition *type, int depth) {
  const spirv_instruction *it = &type->instruction;
  pi_uint32 size;
  pi_uint32 align;
  if (it->words < 4 || !get_size(parts, spirv_word(it, 2), depth, &size, &align))
    return;
  pi_uint32 count = spirv_word(it, 3);
  if (it->opcode == OP_TYPE_ARRAY) {
    const definition *length = find_definition(parts, count);
    /* A specialization constant may be the length: then it is not known. */
    if (!length || length->instruction.opcode != OP_CONSTANT || length->instruction.words > 5 ||
        (length->instruction.words == 5 && spirv_word(&length->instruction, 4) != 0))
      return;
    set_size(type, (uint64_t)size * spirv_word(&length->instruction, 3), align);
    return;
  }
  /* A vector of three takes the place of one of four. */
  const uint64_t all = (uint64_t)size * (count == 3 ? 4 : count);
  if (all <= UINT32_MAX)
    set_size(type, all, (pi_uint32)all);
}

static void measure_type(parts *parts, definition *type, int depth) {
  const spirv_instruction *it = &type->instruction;
  type->is_known = true; /* and of no size, until it has one: a type may contain itself */
  switch (it->opcode) {
  case SPIRV_OP_TYPE_BOOL:
    set_size(type, 1, 1);
    break;
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT: {
    const pi_uint32 width = it->words >= 3 ? spirv_word(it, 2) : 0;
    if (width == 8 || width == 16 || width == 32 || width == 64)
      set_size(type, width / 8, width / 8);
    break;
  }
  case OP_TYPE_POINTER:
    set_size(type, parts->pointer_size, parts->pointer_size);
    break;
  case OP_TYPE_VECTOR:
  case OP_TYPE_ARRAY:
    measure_array(parts, type, depth);
    break;
  case OP_TYPE_STRUCT:
    measure_struct(parts, type, depth);
    break;
  default:
    break;
  }
}

/* ---- Arguments ---- */

static spirv_argument argument_of_pointer(parts *parts, const definition *type) {
  const spirv_instruction *it = &type->instruction;
  pi_uint32 size = 0;
  pi_uint32 align;
  if (it->words < 4)
    return (spirv_argument){SPIRV_ARGUMENT_UNKNOWN, 0};
  switch (spirv_word(it, 2)) {
  case CLASS_WORKGROUP:
    return (spirv_argument){SPIRV_ARGUMENT_LOCAL, 0};
  case CLASS_CROSS_WORKGROUP:
  case CLASS_UNIFORM_CONSTANT:
    return (spirv_argument){SPIRV_ARGUMENT_POINTER, parts->pointer_size};
  case CLASS_FUNCTION: /* a structure that is passed by value */
    if (!get_size(parts, spirv_word(it, 3), 0, &size, &align))
      size = 0;
    return (spirv_argument){SPIRV_ARGUMENT_VALUE, size};
  default:
    return (spirv_argument){SPIRV_ARGUMENT_UNKNOWN, 0};
  }
}

static spirv_argument argument_of(parts *parts, pi_uint32 id) {
  definition *type = find_definition(parts, id);
  pi_uint32 size = 0;
  pi_uint32 align;
  if (!type)
    return (spirv_argument){SPIRV_ARGUMENT_UNKNOWN, 0};
  switch (type->instruction.opcode) {
  case OP_TYPE_POINTER:
    return argument_of_pointer(parts, type);
  case OP_TYPE_IMAGE:
  case OP_TYPE_SAMPLED_IMAGE:
    return (spirv_argument){SPIRV_ARGUMENT_IMAGE, 0};
  case OP_TYPE_SAMPLER:
    return (spirv_argument){SPIRV_ARGUMENT_SAMPLER, 0};
  case SPIRV_OP_TYPE_BOOL:
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT:
  case OP_TYPE_VECTOR:
  case OP_TYPE_ARRAY:
  case OP_TYPE_STRUCT:
    return get_size(parts, id, 0, &size, &align) ? (spirv_argument){SPIRV_ARGUMENT_VALUE, size}
                                                 : (spirv_argument){SPIRV_ARGUMENT_VALUE, 0};
  default:
    return (spirv_argument){SPIRV_ARGUMENT_UNKNOWN, 0};
  }
}

/* The parameters of a function, which follow it; returns how many there are. */
static pi_uint32 read_parameters(spirv_words module, parts *parts, const function *it,
                                 spirv_argument *arguments) {
  pi_uint32 count = 0;
  module.next = it->instruction.position + it->instruction.words;
  while (spirv_more(&module)) {
    spirv_instruction parameter;
    if (spirv_next(&module, &parameter) != PI_SUCCESS)
      break;
    if (parameter.opcode != OP_FUNCTION_PARAMETER) {
      /* Lines of the source may stand between. */
      if (parameter.opcode == 8 || parameter.opcode == 317)
        continue;
      break;
    }
    if (parameter.words >= 3)
      arguments[count++] = argument_of(parts, spirv_word(&parameter, 1));
  }
  return count;
}

/* Has room for the parameters of every entry, of which several may be one function. */
static pi_result make_kernels(spirv_words module, parts *parts, spirv_code *code) {
  size_t used = 0;
  size_t room = parts->parameter_count + 1;
  spirv_kernel *kernels = calloc(parts->entry_count + 1, sizeof *kernels);
  spirv_argument *arguments = calloc(room, sizeof *arguments);
  pi_uint32 *shared = calloc(parts->function_count + 1, sizeof *shared);
  size_t *first = calloc(parts->function_count + 1, sizeof *first);
  if (!kernels || !arguments || !shared || !first) {
    free(kernels);
    free(arguments);
    free(shared);
    free(first);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu kernels",
                        parts->entry_count);
  }
  size_t count = 0;
  for (size_t i = 0; i < parts->entry_count; i++) {
    const function key = {.id = parts->entries[i].function};
    const function *its =
        bsearch(&key, parts->functions, parts->function_count, sizeof key, by_function);
    if (!its)
      continue;
    const size_t index = (size_t)(its - parts->functions);
    if (shared[index] == 0) {
      first[index] = used;
      shared[index] = 1 + read_parameters(module, parts, its, arguments + used);
      used += shared[index] - 1;
    }
    kernels[count++] =
        (spirv_kernel){parts->entries[i].name, shared[index] - 1, arguments + first[index]};
  }
  qsort(kernels, count, sizeof *kernels, by_name);
  free(shared);
  free(first);
  code->kernels = kernels;
  code->kernel_count = count;
  code->arguments = arguments;
  return PI_SUCCESS;
}

static pi_result read_parts(spirv_words module, parts *ret) {
  TRY(walk_module(module, ret));
  definition *definitions = calloc(ret->definition_count + 1, sizeof *definitions);
  function *functions = calloc(ret->function_count + 1, sizeof *functions);
  entry *entries = calloc(ret->entry_count + 1, sizeof *entries);
  ret->definitions = definitions;
  ret->functions = functions;
  ret->entries = entries;
  REQUIRE_MEMORY(definitions && functions && entries, "%zu types of a module",
                 ret->definition_count);
  TRY(walk_module(module, ret));
  qsort(definitions, ret->definition_count, sizeof *definitions, by_id);
  qsort(functions, ret->function_count, sizeof *functions, by_function);
  return mark_packed(module, ret);
}

pi_result spirv_code_read_kernels(spirv_code *code) {
  spirv_words module;
  TRY(spirv_open(code->bytes, code->size, &module));
  parts parts = {.pointer_size = 8};
  pi_result result = read_parts(module, &parts);
  if (result == PI_SUCCESS)
    result = make_kernels(module, &parts, code);
  free(parts.definitions);
  free(parts.functions);
  free(parts.entries);
  return result;
}
