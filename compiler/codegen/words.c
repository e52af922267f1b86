#include "words.h"

#include "../../plugins/base/error.h"
#include "../../plugins/code/spirv.h"
#include "../../plugins/code/spirv_code.h"
#include "capabilities.h"
#include "host_names.h"
#include "local_sizes.h"
#include "rewrite.h"
#include "spec_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OP_NAME = 5,
  OP_EXT_INST_IMPORT = 11,
  OP_MEMORY_MODEL = 14,
  OP_CAPABILITY = 17,
  OP_FUNCTION = 54,
  OP_U_MUL_EXTENDED = 151,
  OP_S_MUL_EXTENDED = 152,
  DECORATION_BUILT_IN = 11,
  DECORATION_LINKAGE = 41,
  LINKAGE_IMPORT = 1,
  BUILT_INS_MAX = 64, /* SPIR-V has 25 for kernels */
};

/* A built-in variable. */
typedef struct built_in {
  uint32_t id;
  uint32_t number;
} built_in;

typedef struct built_ins {
  built_in items[BUILT_INS_MAX];
  size_t count;
} built_ins;

/* Converts an error of the plugins' SPIR-V reader, and keeps its message. */
static specpi_compiler_result adopt_error(pi_result result) {
  const char *message;
  if (result == PI_SUCCESS)
    return SPECPI_COMPILER_SUCCESS;
  plugin_error_last(&message);
  return compiler_error(result == PI_ERROR_OUT_OF_HOST_MEMORY
                            ? SPECPI_COMPILER_ERROR_OUT_OF_MEMORY
                            : SPECPI_COMPILER_ERROR_INVALID_MODULE,
                        "%s", message);
}

/* ---- Built-in variables ---- */

static bool is_built_in(const spirv_instruction *at) {
  return at->opcode == SPIRV_OP_DECORATE && at->words == 4 &&
         spirv_word(at, 2) == DECORATION_BUILT_IN;
}

static const built_in *find_built_in(const built_ins *in, uint32_t id) {
  for (size_t i = 0; i < in->count; i++)
    if (in->items[i].id == id)
      return &in->items[i];
  return NULL;
}

static specpi_compiler_result take_instruction(const spirv_instruction *at, built_ins *ret) {
  if (at->opcode == OP_CAPABILITY && at->words == 2)
    return capability_check(spirv_word(at, 1));
  if (!is_built_in(at) || find_built_in(ret, spirv_word(at, 1)) != NULL)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_REQUIRE(ret->count < BUILT_INS_MAX, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the SPIR-V module has more than %d built-in variables", BUILT_INS_MAX);
  ret->items[ret->count++] = (built_in){.id = spirv_word(at, 1), .number = spirv_word(at, 3)};
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns whether an instruction sets a built-in variable's name or linkage, which put_linkage
 * replaces. */
static bool is_replaced(const spirv_instruction *at, const built_ins *in) {
  const bool names = at->opcode == OP_NAME && at->words > 2;
  const bool links =
      at->opcode == SPIRV_OP_DECORATE && at->words > 3 && spirv_word(at, 2) == DECORATION_LINKAGE;
  return (names || links) && find_built_in(in, spirv_word(at, 1)) != NULL;
}

/* Writes a name, and an import by that name, in place of a variable's BuiltIn decoration. */
static void put_linkage(word_output *to, const built_in *in) {
  char name[32] = {0}; /* padded with NULs to whole words */
  const size_t length = (size_t)snprintf(name, sizeof name, WORDS_BUILT_IN "%u", in->number);
  const uint32_t words = (uint32_t)(length / 4 + 1);
  word_output_put(to, (2 + words) << 16 | OP_NAME);
  word_output_put(to, in->id);
  word_output_bytes(to, name, (size_t)words * 4);
  word_output_put(to, (4 + words) << 16 | SPIRV_OP_DECORATE);
  word_output_put(to, in->id);
  word_output_put(to, DECORATION_LINKAGE);
  word_output_bytes(to, name, (size_t)words * 4);
  word_output_put(to, LINKAGE_IMPORT);
}

/* ---- The copy ---- */

/* Facts about a module before it is copied. */
typedef struct module_facts {
  built_ins found;
  host_names names;
  definitions all;
  bool multiplies; /* the module has OpUMulExtended or OpSMulExtended */
} module_facts;

/* Writes a variable's host name; false if the instruction is not its decoration. */
static bool put_host_name(const module_facts *facts, const spirv_instruction *at, word_output *to) {
  /* The name is written twice, with fewer than eight other words. */
  if (!word_output_reserve(to, ((size_t)at->words * 2 + 8) * 4))
    return true;
  const size_t bytes = host_names_put(&facts->names, at, to->bytes + to->size);
  to->size += bytes;
  return bytes != 0;
}

/* Imports OpenCL.std. */
static void put_numbers(rewriting *r) {
  static const char name[16] = "OpenCL.std";
  r->numbers = r->bound++;
  word_output_put(&r->globals, 5u << 16 | OP_EXT_INST_IMPORT);
  word_output_put(&r->globals, r->numbers);
  word_output_bytes(&r->globals, name, 12);
}

/* Writes all instructions after the header. */
static specpi_compiler_result put_instructions(spirv_words words, const module_facts *facts,
                                               rewriting *r) {
  spirv_instruction at;
  built_ins written = {.count = 0};
  while (spirv_more(&words)) {
    COMPILER_TRY(adopt_error(spirv_next(&words, &at)));
    r->in_functions = r->in_functions || at.opcode == OP_FUNCTION;
    if (at.opcode == OP_MEMORY_MODEL && r->numbers == 0 && facts->multiplies)
      put_numbers(r);
    if (put_host_name(facts, &at, rewrite_output(r)) || host_names_own(&facts->names, &at) ||
        is_replaced(&at, &facts->found))
      continue;
    if (!is_built_in(&at)) {
      COMPILER_TRY(rewrite_put(r, &at));
    } else if (find_built_in(&written, spirv_word(&at, 1)) == NULL) {
      COMPILER_TRY(take_instruction(&at, &written));
      put_linkage(rewrite_output(r), &written.items[written.count - 1]);
    }
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Finds the ids of types and of OpenCL.std that the module has and replacements need. */
static void find_common(const module_facts *facts, rewriting *r) {
  for (size_t i = 0; i < facts->all.count; i++) {
    const definition *of = &facts->all.items[i];
    const uint32_t width = definitions_word(of, OP_TYPE_INT, 2);
    const char *name = of->at.opcode == OP_EXT_INST_IMPORT ? spirv_text(&of->at, 2) : NULL;
    if (width == 64)
      r->addresses = of->id;
    if (width == 32)
      r->words = of->id;
    if (name != NULL && strcmp(name, "OpenCL.std") == 0)
      r->numbers = of->id;
  }
}

static specpi_compiler_result copy_with(spirv_words words, const module_facts *facts,
                                        rewriting *r) {
  enum { BOUND = 3 }; /* word of the id bound in the header */
  const size_t header = words.next * 4;
  word_output_bytes(&r->globals, words.bytes, header);
  find_common(facts, r);
  COMPILER_TRY(put_instructions(words, facts, r));
  word_output_bytes(&r->globals, r->functions.bytes, r->functions.size);
  if (r->globals.has_failed || r->functions.has_failed)
    return compiler_error_memory();
  spirv_store(r->globals.bytes + (size_t)BOUND * 4, r->bound);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result read_facts(spirv_words words, module_facts *ret) {
  spirv_instruction at;
  for (spirv_words spirv_words = words; spirv_more(&spirv_words);) {
    COMPILER_TRY(adopt_error(spirv_next(&spirv_words, &at)));
    COMPILER_TRY(take_instruction(&at, &ret->found));
    COMPILER_TRY(rewrite_check(&at));
    ret->multiplies =
        ret->multiplies || at.opcode == OP_U_MUL_EXTENDED || at.opcode == OP_S_MUL_EXTENDED;
  }
  COMPILER_TRY(definitions_read(words, &ret->all));
  COMPILER_TRY(spec_ops_evaluate(words, &ret->all));
  return adopt_error(host_names_read(words, &ret->names));
}

static specpi_compiler_result copy_module(const void *module, size_t size, word_output *to) {
  spirv_words words;
  module_facts facts = {.found = {.count = 0}};
  COMPILER_TRY(adopt_error(spirv_open(module, size, &words)));
  rewriting r = {.all = &facts.all, .bound = spirv_load(words.bytes + 12)};
  specpi_compiler_result result = read_facts(words, &facts);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = copy_with(words, &facts, &r);
  host_names_free(&facts.names);
  definitions_free(&facts.all);
  free(r.functions.bytes);
  if (result != SPECPI_COMPILER_SUCCESS)
    free(r.globals.bytes);
  else
    *to = r.globals;
  return result;
}

/* ---- Values ---- */

static pi_result set_values(spirv_code *code, const codegen_value *values, size_t count,
                            spirv_code **ret) {
  code_constants *constants;
  TRY(code_constants_read(code->bytes, code->size, &constants));
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < count && result == PI_SUCCESS; i++)
    result = code_constants_set(constants, values[i].id, values[i].size, values[i].bytes);
  if (result == PI_SUCCESS)
    result = spirv_code_specialise(code, constants, ret);
  code_constants_free(constants);
  return result;
}

specpi_compiler_result words_prepare(const void *module, size_t size, const codegen_value *values,
                                     size_t value_count, unsigned char **ret, size_t *ret_size) {
  spirv_code *code;
  spirv_code *specialised = NULL;
  COMPILER_TRY(adopt_error(spirv_code_create(module, size, &code)));
  specpi_compiler_result result = adopt_error(set_values(code, values, value_count, &specialised));
  spirv_code_release(code);
  if (specialised == NULL)
    return result;
  word_output made = {0};
  result = copy_module(specialised->bytes, specialised->size, &made);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = local_sizes_settle(made.bytes, made.size);
  spirv_code_release(specialised);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(made.bytes);
    return result;
  }
  *ret = made.bytes;
  *ret_size = made.size;
  return SPECPI_COMPILER_SUCCESS;
}
