/*
 * Reads the kernels of a SPIR-V module and the kinds of their arguments. The module may be damaged:
 * for any n bytes the memory is O(n) and the time is O(n log n), and an argument whose type is not
 * understood has the kind SPIRV_ARGUMENT_UNKNOWN.
 */
#include "spirv_code.h"

#include "../base/error.h"
#include "../base/find.h"
#include "spirv_types.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
  OP_FUNCTION = 54,
  OP_FUNCTION_PARAMETER = 55,
  MODEL_KERNEL = 6,
};

typedef struct function {
  pi_uint32 id;
  spirv_instruction instruction;
} function;

typedef struct entry {
  pi_uint32 function;
  const char *name;
} entry;

typedef struct parts {
  spirv_types types;
  function *functions;
  entry *entries;
  size_t function_count, entry_count;
  size_t parameter_count; /* sum for all functions */
} parts;

static int by_name(const void *left, const void *right) {
  return strcmp(((const spirv_kernel *)left)->name, ((const spirv_kernel *)right)->name);
}

/* ---- Collecting ---- */

/* Counts an instruction, and stores it if the arrays are allocated. */
static void take_instruction(parts *parts, const spirv_instruction *instruction) {
  const bool keep = parts->functions != NULL;
  if (instruction->opcode == OP_FUNCTION && instruction->words >= 5) {
    if (keep)
      parts->functions[parts->function_count] =
          (function){spirv_word(instruction, 2), *instruction};
    parts->function_count++;
  } else if (instruction->opcode == OP_FUNCTION_PARAMETER) {
    parts->parameter_count++;
  } else if (instruction->opcode == SPIRV_OP_ENTRY_POINT && instruction->words >= 4 &&
             spirv_word(instruction, 1) == MODEL_KERNEL && spirv_text(instruction, 3)) {
    if (keep)
      parts->entries[parts->entry_count] =
          (entry){spirv_word(instruction, 2), spirv_text(instruction, 3)};
    parts->entry_count++;
  }
}

static pi_result walk_module(spirv_words module, parts *parts) {
  parts->function_count = parts->entry_count = 0;
  parts->parameter_count = 0;
  while (spirv_more(&module)) {
    spirv_instruction instruction;
    TRY(spirv_next(&module, &instruction));
    take_instruction(parts, &instruction);
  }
  return PI_SUCCESS;
}

/* ---- Arguments ---- */

static spirv_argument argument_of_pointer(parts *parts, const spirv_type *type) {
  const spirv_instruction *instruction = &type->instruction;
  spirv_argument ret = {.kind = SPIRV_ARGUMENT_UNKNOWN, .type = type->id};
  if (instruction->words < 4)
    return ret;
  switch (spirv_word(instruction, 2)) {
  case SPIRV_CLASS_WORKGROUP:
    ret.kind = SPIRV_ARGUMENT_LOCAL;
    break;
  case SPIRV_CLASS_CROSS_WORKGROUP:
  case SPIRV_CLASS_UNIFORM_CONSTANT:
    ret.kind = SPIRV_ARGUMENT_POINTER;
    ret.size = parts->types.pointer_size;
    break;
  case SPIRV_CLASS_FUNCTION: /* a structure that is passed by value */
    ret.kind = SPIRV_ARGUMENT_VALUE;
    ret.size = spirv_types_measure(&parts->types, spirv_word(instruction, 3));
    break;
  default:
    break;
  }
  return ret;
}

static spirv_argument argument_of(parts *parts, pi_uint32 id) {
  const spirv_type *type = spirv_types_find(&parts->types, id);
  spirv_argument ret = {.kind = SPIRV_ARGUMENT_UNKNOWN, .type = id};
  if (!type)
    return ret;
  switch (type->instruction.opcode) {
  case SPIRV_OP_TYPE_POINTER:
    return argument_of_pointer(parts, type);
  case SPIRV_OP_TYPE_IMAGE:
  case SPIRV_OP_TYPE_SAMPLED_IMAGE:
    ret.kind = SPIRV_ARGUMENT_IMAGE;
    break;
  case SPIRV_OP_TYPE_SAMPLER:
    ret.kind = SPIRV_ARGUMENT_SAMPLER;
    break;
  case SPIRV_OP_TYPE_BOOL:
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT:
  case SPIRV_OP_TYPE_VECTOR:
  case SPIRV_OP_TYPE_ARRAY:
  case SPIRV_OP_TYPE_STRUCT:
    ret.kind = SPIRV_ARGUMENT_VALUE;
    ret.size = spirv_types_measure(&parts->types, id);
    break;
  default:
    break;
  }
  return ret;
}

/* Reads the parameters, which follow a function's instruction. Returns their number. */
static pi_uint32 read_parameters(spirv_words module, parts *parts, const function *function,
                                 spirv_argument *arguments) {
  pi_uint32 count = 0;
  module.next = function->instruction.position + function->instruction.words;
  while (spirv_more(&module)) {
    spirv_instruction parameter;
    if (spirv_next(&module, &parameter) != PI_SUCCESS)
      break;
    if (parameter.opcode != OP_FUNCTION_PARAMETER) {
      /* OpLine and OpNoLine may stand between parameters. */
      if (parameter.opcode == 8 || parameter.opcode == 317)
        continue;
      break;
    }
    if (parameter.words >= 3) {
      arguments[count] = argument_of(parts, spirv_word(&parameter, 1));
      arguments[count++].id = spirv_word(&parameter, 2);
    }
  }
  return count;
}

/* Makes a kernel of each entry point. Entry points of the same function share its arguments. */
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
    const function *function = find_id(parts->entries[i].function, parts->functions,
                                       parts->function_count, sizeof *parts->functions);
    if (!function)
      continue;
    const size_t index = (size_t)(function - parts->functions);
    if (shared[index] == 0) {
      first[index] = used;
      shared[index] = 1 + read_parameters(module, parts, function, arguments + used);
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
  TRY(spirv_types_read(module, &ret->types));
  TRY(walk_module(module, ret));
  function *functions = calloc(ret->function_count + 1, sizeof *functions);
  entry *entries = calloc(ret->entry_count + 1, sizeof *entries);
  ret->functions = functions;
  ret->entries = entries;
  REQUIRE_MEMORY(functions && entries, "%zu functions of a module", ret->function_count);
  TRY(walk_module(module, ret));
  qsort(functions, ret->function_count, sizeof *functions, compare_ids);
  return PI_SUCCESS;
}

pi_result spirv_code_read_kernels(spirv_code *code) {
  spirv_words module;
  TRY(spirv_open(code->bytes, code->size, &module));
  parts parts = {.functions = NULL};
  pi_result result = read_parts(module, &parts);
  if (result == PI_SUCCESS)
    result = make_kernels(module, &parts, code);
  spirv_types_free(&parts.types);
  free(parts.functions);
  free(parts.entries);
  return result;
}
