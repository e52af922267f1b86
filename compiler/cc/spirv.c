#define _POSIX_C_SOURCE 200809L /* strdup */
#include "spirv.h"
#include "../../plugins/base/vector.h"

#include <jansson.h>
#include <specpi/compiler.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The instructions that are looked at; the numbers are SPIR-V's. */
enum {
  OP_NAME = 5,
  OP_ENTRY_POINT = 15,
  OP_CAPABILITY = 17,
  OP_TYPE_BOOL = 20,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_SPEC_CONSTANT_TRUE = 48,
  OP_SPEC_CONSTANT_FALSE = 49,
  OP_SPEC_CONSTANT = 50,
  OP_DECORATE = 71,
  OP_GROUP_DECORATE = 74
};
enum { DECORATION_SPEC_ID = 1, MODEL_KERNEL = 6 };

/* The facts about one result of the module. */
typedef struct result {
  char *name;
  bool has_id;
  uint32_t id;
  uint32_t bits; /* of a scalar type; a boolean has 8 */
} result;

typedef struct reader {
  result *results; /* by result id */
  uint32_t bound;
  spirv_module module;
  size_t kernel_capacity;
  size_t constant_capacity;
} reader;

/* ---- Validity ---- */

static spv_result_t refuse_module(const char *file, spv_diagnostic diagnostic, spv_result_t code) {
  char *text = cc_format("%s", diagnostic ? diagnostic->error : "");
  const size_t size = strnlen(text, 500); /* it may come with the instruction, or a list */
  for (size_t i = 0; i < size; i++)
    if ((unsigned char)text[i] < ' ')
      text[i] = ' ';
  cc_error("%s: the SPIR-V is not valid: %.*s%s(error %d of spirv-val)", file, (int)size, text,
           size ? " " : "", (int)code);
  free(text);
  return code;
}

/* The words of a module; NULL after an error. The caller frees them. */
static uint32_t *words_of(const char *file, const void *data, size_t size) {
  if (size % 4 != 0 || size < 20) {
    cc_error("%s: the SPIR-V is not valid: %zu bytes are no header and whole words", file, size);
    return NULL;
  }
  uint32_t *words = cc_new(size, 1);
  memcpy(words, data, size);
  return words;
}

/*
 * Parts of DPC++'s modules that drivers take and spirv-val of Debian 12 refuses are left out of
 * what is validated. SPV_INTEL_memory_access_aliasing declares scopes where constants are, which it
 * takes for instructions of a block. A loop may be merged where it is continued, which counts in
 * shaders alone.
 */
enum {
  OP_LOOP_MERGE = 246,
  OP_DECORATE_ID = 332,
  OP_ALIAS_DOMAIN_DECL = 5911,
  OP_ALIAS_SCOPE_LIST_DECL = 5913,
  DECORATION_ALIAS_SCOPE = 5914,
  DECORATION_NO_ALIAS = 5915,
  ACCESS_HAS_OPERAND = 0x2 | 0x8 | 0x10, /* Aligned, MakePointerAvailable, MakePointerVisible */
  ACCESS_ALIASING = 0x10000 | 0x20000
};

static bool is_left_out(const spv_parsed_instruction_t *at) {
  if (at->opcode == OP_DECORATE || at->opcode == OP_DECORATE_ID)
    return at->num_words > 2 &&
           (at->words[2] == DECORATION_ALIAS_SCOPE || at->words[2] == DECORATION_NO_ALIAS);
  return at->opcode == OP_LOOP_MERGE ||
         (at->opcode >= OP_ALIAS_DOMAIN_DECL && at->opcode <= OP_ALIAS_SCOPE_LIST_DECL);
}

/* A module without these; there are never more words than before. */
typedef struct plain_words {
  uint32_t *words;
  size_t count;
} plain_words;

/*
 * Copies an operand. After the bits of a memory access stand the operands of each, those of the
 * extension last: *kept counts what is to be copied until then, *dropped what is not.
 */
static void copy_operand(plain_words *to, const spv_parsed_instruction_t *at, uint16_t index,
                         int *kept, int *dropped) {
  const spv_parsed_operand_t *operand = &at->operands[index];
  if (*kept == 0 && *dropped > 0) {
    (*dropped)--;
    return;
  }
  *kept -= *kept > 0;
  uint32_t *copy = to->words + to->count;
  memcpy(copy, at->words + operand->offset, operand->num_words * sizeof *copy);
  to->count += operand->num_words;
  if (operand->type != SPV_OPERAND_TYPE_MEMORY_ACCESS &&
      operand->type != SPV_OPERAND_TYPE_OPTIONAL_MEMORY_ACCESS)
    return;
  *kept = __builtin_popcount(*copy & ACCESS_HAS_OPERAND);
  *dropped = __builtin_popcount(*copy & ACCESS_ALIASING);
  *copy &= ~(uint32_t)ACCESS_ALIASING;
}

static spv_result_t copy_plain(void *data, const spv_parsed_instruction_t *at) {
  plain_words *to = data;
  if (is_left_out(at))
    return SPV_SUCCESS;
  const size_t begin = to->count++;
  int kept = 0, dropped = 0;
  for (uint16_t i = 0; i < at->num_operands; i++)
    copy_operand(to, at, i, &kept, &dropped);
  to->words[begin] = (uint32_t)(to->count - begin) << 16 | at->opcode;
  return SPV_SUCCESS;
}

/* Takes all this out of a module, as far as the module can be read. */
static size_t make_plain(spv_context context, uint32_t *words, size_t count) {
  enum { HEADER = 5 };
  plain_words plain = {cc_new(count, sizeof *words), HEADER};
  memcpy(plain.words, words, HEADER * sizeof *words);
  const bool is_read =
      spvBinaryParse(context, &plain, words, count, NULL, copy_plain, NULL) == SPV_SUCCESS;
  if (is_read)
    memcpy(words, plain.words, plain.count * sizeof *words);
  free(plain.words);
  return is_read ? plain.count : count;
}

/*
 * Since SPIR-V 1.4 an entry point lists all variables that it uses. DPC++ leaves local memory out;
 * this is looked at when all instructions are.
 */
static bool is_tolerated(spv_diagnostic diagnostic) {
  static const char words[] = "Interface variable id <";
  return diagnostic && strncmp(diagnostic->error, words, sizeof words - 1) == 0;
}

bool spirv_validate(const char *file, const void *data, size_t size) {
  uint32_t *words = words_of(file, data, size);
  if (!words)
    return false;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  if (!context)
    cc_no_memory();
  spv_diagnostic diagnostic = NULL;
  const size_t count = make_plain(context, words, size / 4);
  spv_result_t code = spvValidateBinary(context, words, count, &diagnostic);
  if (code != SPV_SUCCESS)
    code = is_tolerated(diagnostic) ? SPV_SUCCESS : refuse_module(file, diagnostic, code);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  free(words);
  return code == SPV_SUCCESS;
}

/* X(number, name): capabilities of graphics, and of what no driver for kernels takes. */
#define REFUSED_CAPABILITIES(X)                                                                    \
  X(0, Matrix)                                                                                     \
  X(1, Shader)                                                                                     \
  X(5844, ArbitraryPrecisionIntegersINTEL)                                                         \
  X(5845, ArbitraryPrecisionFloatingPointINTEL)                                                    \
  X(5922, ArbitraryPrecisionFixedPointINTEL)

static spv_result_t check_capability(void *data, const spv_parsed_instruction_t *at) {
  const char *file = data;
  const char *name = NULL;
  if (at->opcode != OP_CAPABILITY)
    return SPV_SUCCESS;
  switch (at->words[1]) {
#define REFUSED(number, text)                                                                      \
  case number:                                                                                     \
    name = #text;                                                                                  \
    break;
    REFUSED_CAPABILITIES(REFUSED)
#undef REFUSED
  default:
    return SPV_SUCCESS;
  }
  cc_error("%s: its SPIR-V needs the capability %s, which no device for kernels has", file, name);
  return SPV_ERROR_INVALID_CAPABILITY;
}

bool spirv_capabilities(const char *file, const void *data, size_t size) {
  uint32_t *words = words_of(file, data, size);
  spv_context context = words ? spvContextCreate(SPV_ENV_UNIVERSAL_1_6) : NULL;
  if (words && !context)
    cc_no_memory();
  const bool done = words && spvBinaryParse(context, (void *)(uintptr_t)file, words, size / 4, NULL,
                                            check_capability, NULL) == SPV_SUCCESS;
  spvContextDestroy(context);
  free(words);
  return done;
}

/* ---- What is in it ---- */

static spv_result_t take_header(void *data, spv_endianness_t endian, uint32_t magic,
                                uint32_t version, uint32_t generator, uint32_t bound,
                                uint32_t schema) {
  (void)endian;
  (void)magic;
  (void)version;
  (void)generator;
  (void)schema;
  reader *reader = data;
  reader->bound = bound;
  reader->results = cc_new(bound, sizeof *reader->results);
  return SPV_SUCCESS;
}

/* The text of an operand, which a NUL ends; the caller frees it. */
static char *text_of(const spv_parsed_instruction_t *at, uint16_t operand) {
  char *text = strdup((const char *)(at->words + at->operands[operand].offset));
  if (!text)
    cc_no_memory();
  return text;
}

static uint32_t word_of(const spv_parsed_instruction_t *at, uint16_t operand) {
  return at->words[at->operands[operand].offset];
}

/* The result of an id, which the parser has checked against the bound. */
static result *result_of(const reader *reader, uint32_t id) {
  return id < reader->bound ? &reader->results[id] : &reader->results[0];
}

static void add_kernel(reader *reader, char *name) {
  spirv_module *module = &reader->module;
  if (!vector_reserve(&module->kernels, &reader->kernel_capacity, module->kernel_count,
                      sizeof name))
    cc_no_memory();
  module->kernels[module->kernel_count++] = name;
}

static void add_constant(reader *reader, const spv_parsed_instruction_t *at) {
  const result *made = result_of(reader, at->result_id);
  const uint32_t bits = result_of(reader, at->type_id)->bits;
  if (!made->has_id || bits == 0 || bits > 64)
    return;
  spirv_constant constant = {.id = made->id, .size = bits / 8};
  if (made->name && !(constant.name = strdup(made->name)))
    cc_no_memory();
  if (at->opcode == OP_SPEC_CONSTANT_TRUE)
    constant.value[0] = 1;
  else if (at->opcode == OP_SPEC_CONSTANT)
    for (uint32_t i = 0; i < constant.size; i++) /* words are in the host's order */
      constant.value[i] =
          (unsigned char)(at->words[at->operands[2].offset + i / 4] >> (8 * (i % 4)));
  spirv_module *module = &reader->module;
  if (!vector_reserve(&module->constants, &reader->constant_capacity, module->constant_count,
                      sizeof constant))
    cc_no_memory();
  module->constants[module->constant_count++] = constant;
}

static void take_decoration(const reader *reader, const spv_parsed_instruction_t *at) {
  if (at->num_operands < 3 || word_of(at, 1) != DECORATION_SPEC_ID)
    return;
  result *target = result_of(reader, word_of(at, 0));
  target->has_id = true;
  target->id = word_of(at, 2);
}

static void take_group(const reader *reader, const spv_parsed_instruction_t *at) {
  const result *group = result_of(reader, word_of(at, 0));
  for (uint16_t i = 1; group->has_id && i < at->num_operands; i++) {
    result *target = result_of(reader, word_of(at, i));
    target->has_id = true;
    target->id = group->id;
  }
}

static spv_result_t take_instruction(void *data, const spv_parsed_instruction_t *at) {
  reader *reader = data;
  switch (at->opcode) {
  case OP_NAME: {
    result *target = result_of(reader, word_of(at, 0));
    free(target->name);
    target->name = text_of(at, 1);
    break;
  }
  case OP_ENTRY_POINT:
    if (word_of(at, 0) == MODEL_KERNEL)
      add_kernel(reader, text_of(at, 2));
    break;
  case OP_DECORATE:
    take_decoration(reader, at);
    break;
  case OP_GROUP_DECORATE:
    take_group(reader, at);
    break;
  case OP_TYPE_BOOL:
    result_of(reader, at->result_id)->bits = 8;
    break;
  case OP_TYPE_INT:
  case OP_TYPE_FLOAT:
    result_of(reader, at->result_id)->bits = word_of(at, 1);
    break;
  case OP_SPEC_CONSTANT_TRUE:
  case OP_SPEC_CONSTANT_FALSE:
  case OP_SPEC_CONSTANT:
    add_constant(reader, at);
    break;
  default:
    break;
  }
  return SPV_SUCCESS;
}

/* ---- Names ---- */

static int compare_ids(const void *a, const void *b) {
  const uint32_t left = ((const spirv_constant *)a)->id;
  const uint32_t right = ((const spirv_constant *)b)->id;
  return left < right ? -1 : left > right;
}

static int compare_names(const void *a, const void *b) {
  const spirv_constant *left = *(spirv_constant *const *)a;
  const spirv_constant *right = *(spirv_constant *const *)b;
  const int order = strcmp(left->name ? left->name : "", right->name ? right->name : "");
  return order ? order : compare_ids(left, right);
}

/*
 * Returns whether property sets can have the name in each of their forms, and it is not one that is
 * made.
 */
static bool is_usable(const char *name) {
  if (!name || !*name || *name == '[' || strpbrk(name, "=\r\n") || strncmp(name, "spec_", 5) == 0)
    return false;
  json_t *text = json_string(name); /* NULL when it is not UTF-8 */
  json_decref(text);
  return text != NULL;
}

/* Returns whether constants with the same id have the same size; an error if not. */
static bool sizes_agree(const char *file, const spirv_module *module) {
  for (size_t i = 1; i < module->constant_count; i++) {
    const spirv_constant *left = &module->constants[i - 1];
    const spirv_constant *right = &module->constants[i];
    if (left->id == right->id && left->size != right->size)
      return CC_FAIL("%s: constants of %u and of %u bytes have the SpecId %u", file, left->size,
                     right->size, left->id);
  }
  return true;
}

/* Leaves one constant of each id, the first one, and none whose id means padding to runtimes. */
static void unite_decorations(const char *file, spirv_module *module) {
  size_t kept = 0;
  for (size_t i = 0; i < module->constant_count; i++) {
    const spirv_constant *constant = &module->constants[i];
    const bool padding = constant->id == SPECPI_COMPILER_PADDING;
    if (padding)
      fprintf(stderr,
              "specpi-cc: warning: %s: the constant with SpecId %u is left out: in records of "
              "constants this number is padding\n",
              file, constant->id);
    if (padding || (kept > 0 && module->constants[kept - 1].id == constant->id))
      free(constant->name);
    else
      module->constants[kept++] = *constant;
  }
  module->constant_count = kept;
}

static void name_constants(spirv_module *module) {
  const size_t count = module->constant_count;
  spirv_constant **order = cc_new(count, sizeof *order);
  for (size_t i = 0; i < count; i++)
    order[i] = &module->constants[i];
  qsort(order, count, sizeof *order, compare_names);
  for (size_t i = 0; i < count;) {
    size_t end = i + 1;
    while (end < count && order[i]->name && order[end]->name &&
           strcmp(order[i]->name, order[end]->name) == 0)
      end++;
    const bool replaced = end - i > 1 || !is_usable(order[i]->name);
    for (; i < end; i++)
      if (replaced) {
        free(order[i]->name);
        order[i]->name = cc_format("spec_%u", order[i]->id);
      }
  }
  free(order);
}

bool spirv_read(const char *file, const void *data, size_t size, spirv_module *ret) {
  uint32_t *words = words_of(file, data, size);
  if (!words)
    return false;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  if (!context)
    cc_no_memory();
  reader reader = {0};
  spv_diagnostic diagnostic = NULL;
  spv_result_t code =
      spvBinaryParse(context, &reader, words, size / 4, take_header, take_instruction, &diagnostic);
  if (code != SPV_SUCCESS)
    code = refuse_module(file, diagnostic, code);
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  free(words);
  for (uint32_t i = 0; i < reader.bound; i++)
    free(reader.results[i].name);
  free(reader.results);
  if (reader.module.constant_count > 0)
    qsort(reader.module.constants, reader.module.constant_count, sizeof *reader.module.constants,
          compare_ids);
  if (code != SPV_SUCCESS || !sizes_agree(file, &reader.module)) {
    spirv_free(&reader.module);
    return false;
  }
  unite_decorations(file, &reader.module);
  name_constants(&reader.module);
  *ret = reader.module;
  return true;
}

void spirv_free(spirv_module *module) {
  for (size_t i = 0; i < module->kernel_count; i++)
    free(module->kernels[i]);
  free(module->kernels);
  for (size_t i = 0; i < module->constant_count; i++)
    free(module->constants[i].name);
  free(module->constants);
  *module = (spirv_module){0};
}
