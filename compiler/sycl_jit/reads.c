#include "reads.h"

#include "../../plugins/base/find.h"
#include "../../plugins/base/vector.h"
#include "../uses.h"
#include "debug_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
  OP_NAME = 5,
  OP_EXT_INST = 12,
  OP_TYPE_VOID = 19,
  OP_FUNCTION = 54,
  OP_FUNCTION_PARAMETER = 55,
  OP_FUNCTION_CALL = 57,
  OP_DECORATE_ID = 332,
  DECORATION_LINKAGE_ATTRIBUTES = 41,
};

static bool has_id(const uint32_t *ids, size_t count, uint32_t id) {
  return count > 0 && find_id(id, ids, count, sizeof *ids) != NULL;
}

static bool is_gone(const jit_reads *reads, uint32_t id) {
  return has_id(reads->gone, reads->gone_count, id);
}

/* ---- Functions that read constants ---- */

/* Returns whether a name is that of a function by which SYCL 2020 reads a constant. */
static bool is_reader(const char *name) {
  use_kind kind;
  return name != NULL && use_has_name(name, strlen(name), &kind) && kind == USE_GET;
}

/* Returns the name that a linkage decoration gives to a reader; NULL for other instructions. */
static const char *peek_reader(const spirv_instruction *at) {
  const char *name = at->opcode == SPIRV_OP_DECORATE && at->words > 3 &&
                             spirv_word(at, 2) == DECORATION_LINKAGE_ATTRIBUTES
                         ? spirv_text(at, 3)
                         : NULL;
  return is_reader(name) ? name : NULL;
}

/* A function of the C++ runtime. The caller frees the text. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

char *jit_reads_type(const jit_reads *reads, uint32_t reader) {
  spirv_words words = reads->module->words;
  spirv_instruction at;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS) {
    const char *mangled = peek_reader(&at);
    if (mangled == NULL || spirv_word(&at, 1) != reader)
      continue;
    char *name = __cxa_demangle(mangled, NULL, NULL, NULL);
    char *type = name != NULL ? use_type_name(name) : NULL;
    free(name);
    return type;
  }
  return NULL;
}

typedef VECTOR(uint32_t) id_list;

static void sort_ids(id_list *list) {
  if (list->count > 0)
    qsort(list->items, list->count, sizeof *list->items, compare_ids);
}

static specpi_compiler_result add_id(id_list *list, uint32_t id) {
  if (!VECTOR_RESERVE(list))
    return compiler_error_memory();
  list->items[list->count++] = id;
  return SPECPI_COMPILER_SUCCESS;
}

/* Lists the readers, by their linkage decorations. */
static specpi_compiler_result find_readers(spirv_words words, id_list *list) {
  spirv_instruction at;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS)
    if (peek_reader(&at) != NULL)
      COMPILER_TRY(add_id(list, spirv_word(&at, 1)));
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds the readers' parameters. */
static specpi_compiler_result find_parameters(const id_list *readers, spirv_words words,
                                              id_list *list) {
  spirv_instruction at;
  bool inside = false;
  while (spirv_more(&words) && spirv_next(&words, &at) == PI_SUCCESS) {
    if (at.opcode == OP_FUNCTION && at.words > 2)
      inside = has_id(readers->items, readers->count, spirv_word(&at, 2));
    if (inside && at.opcode == OP_FUNCTION_PARAMETER && at.words > 2)
      COMPILER_TRY(add_id(list, spirv_word(&at, 2)));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result jit_reads_open(jit_module *module, jit_reads *ret) {
  *ret = (jit_reads){.module = module, .set = debug_info_set(module)};
  id_list readers = {0};
  id_list all = {0};
  specpi_compiler_result result = find_readers(module->words, &readers);
  sort_ids(&readers);
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < readers.count; i++)
    result = add_id(&all, readers.items[i]);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = find_parameters(&readers, module->words, &all);
  sort_ids(&all);
  free(readers.items);
  ret->gone = all.items;
  ret->gone_count = all.count;
  return result;
}

void jit_reads_free(jit_reads *reads) {
  free(reads->gone);
  free(reads->name);
  *reads = (jit_reads){0};
}

/* ---- One call ---- */

/* Reads the text to which an argument leads into reads->name. */
static specpi_compiler_result read_name(jit_reads *reads, uint32_t argument) {
  const specpi_compiler_result code = SPECPI_COMPILER_ERROR_INVALID_NAME;
  const definition *variable = jit_module_variable(reads->module, argument);
  const uint32_t initial = variable != NULL ? jit_module_initial(variable) : 0;
  const definition *text = definitions_find(&reads->module->all, initial);
  const uint32_t size =
      text != NULL ? spirv_types_measure(&reads->module->types, spirv_word(&text->at, 1)) : 0;
  COMPILER_REQUIRE(size > 0, code,
                   "the name of a specialization constant cannot be seen here: the argument of its "
                   "read leads to no text");
  free(reads->name);
  reads->name = calloc((size_t)size + 1, 1);
  if (reads->name == NULL)
    return compiler_error_memory();
  COMPILER_REQUIRE(jit_module_bytes(reads->module, initial, (unsigned char *)reads->name, size) &&
                       *reads->name,
                   code, "the name of a specialization constant is no text");
  return SPECPI_COMPILER_SUCCESS;
}

/* Reads the default to which an argument leads into ret->bytes. */
static specpi_compiler_result read_default(const jit_reads *reads, uint32_t argument,
                                           jit_read *ret) {
  const specpi_compiler_result code = SPECPI_COMPILER_ERROR_INVALID_DEFAULT;
  const definition *variable = jit_module_variable(reads->module, argument);
  COMPILER_REQUIRE(variable != NULL, code,
                   "the default of constant '%s' cannot be seen here: the argument of its read "
                   "leads to no variable",
                   reads->name);
  const uint32_t initial = jit_module_initial(variable);
  COMPILER_REQUIRE(initial != 0, code,
                   "constant '%s' is only declared in this unit, so that its default is not known: "
                   "define its specialization_id in a header, as inline constexpr",
                   reads->name);
  ret->bytes = calloc(ret->size, 1);
  if (ret->bytes == NULL)
    return compiler_error_memory();
  if (jit_module_bytes(reads->module, initial, ret->bytes, ret->size))
    return SPECPI_COMPILER_SUCCESS;
  free(ret->bytes);
  char *type = jit_reads_type(reads, ret->reader);
  compiler_error(code, "the default of constant '%s', of type '%s', is not made of numbers alone",
                 reads->name, type != NULL ? type : "?");
  free(type);
  return code;
}

/* Reads the type of the value that a call returns, or stores through its first argument. */
static specpi_compiler_result read_type(const jit_reads *reads, const spirv_instruction *at,
                                        jit_read *ret) {
  const jit_module *module = reads->module;
  const definition *type = definitions_find(&module->all, spirv_word(at, 1));
  ret->is_stored = type != NULL && type->at.opcode == OP_TYPE_VOID;
  ret->result = spirv_word(at, 2);
  ret->reader = spirv_word(at, 3);
  ret->to = spirv_word(at, 4);
  ret->type = ret->is_stored
                  ? definitions_word(definitions_type(&module->all, ret->to), OP_TYPE_POINTER, 3)
                  : spirv_word(at, 1);
  const definition *read = definitions_find(&module->all, ret->type);
  ret->is_composite = read == NULL || definitions_width(read) == 0;
  ret->size = spirv_types_measure(&reads->module->types, ret->type);
  COMPILER_REQUIRE(ret->size != 0, SPECPI_COMPILER_ERROR_UNSUPPORTED_TYPE,
                   "constant '%s' has a type without a known size, or with a number that has not "
                   "8, 16, 32 or 64 bits",
                   reads->name);
  COMPILER_REQUIRE(ret->size <= SPECPI_COMPILER_CONSTANT_MAX, SPECPI_COMPILER_ERROR_LIMIT,
                   "constant '%s' has more than %u bytes", reads->name,
                   SPECPI_COMPILER_CONSTANT_MAX);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result read_call(jit_reads *reads, const spirv_instruction *at,
                                        jit_read *ret) {
  /* The arguments are name, default and buffer; before them comes the pointer for a composite. */
  enum { ARGUMENTS = 4, READS = 3 };
  COMPILER_REQUIRE(at->words == ARGUMENTS + READS || at->words == ARGUMENTS + READS + 1,
                   SPECPI_COMPILER_ERROR_INVALID_CALL,
                   "a specialization constant is read with %u arguments, expected are 3 or 4",
                   at->words - ARGUMENTS);
  *ret = (jit_read){0};
  const uint32_t name = at->words - READS;
  COMPILER_TRY(read_name(reads, spirv_word(at, name)));
  COMPILER_TRY(read_type(reads, at, ret));
  ret->name = reads->name;
  return read_default(reads, spirv_word(at, name + 1), ret);
}

/* Returns the file of a function or a block. */
static const char *file_of(const jit_reads *reads, uint32_t scope) {
  const definition *found = definitions_find(&reads->module->all, scope);
  const int number = found != NULL ? debug_info_number(reads->set, &found->at) : -1;
  const definition *source =
      number < 0 ? NULL
                 : debug_info_find(reads->module, reads->set,
                                   debug_info_id(&found->at, number == DEBUG_FUNCTION ? 7 : 5),
                                   DEBUG_SOURCE);
  return source != NULL ? debug_info_text(reads->module, &source->at, 5) : "";
}

/* Returns whether a file is not one of the library's own headers, which exist only in memory. */
static bool is_user_file(const char *file) {
  static const char theirs[] = "/sycl-jit-toolchain";
  return strncmp(file, theirs, sizeof theirs - 1) != 0;
}

/* Finds the user's line: reads are in the library's headers, and inlined into the user's code. */
static void find_user_line(jit_reads *reads) {
  uint32_t at = reads->inlined;
  for (int i = 0; i < MODULE_DEPTH_MAX && !is_user_file(reads->file); i++) {
    const definition *next = debug_info_find(reads->module, reads->set, at, DEBUG_INLINED_AT);
    if (next == NULL)
      return;
    reads->line = debug_info_value(reads->module, &next->at, 5);
    reads->file = file_of(reads, debug_info_id(&next->at, 7));
    at = debug_info_id(&next->at, 8);
  }
}

static void take_line(jit_reads *reads, const spirv_instruction *at) {
  const int number = debug_info_number(reads->set, at);
  if (number == DEBUG_SCOPE)
    reads->inlined = debug_info_id(at, 6);
  if (number != DEBUG_LINE)
    return;
  const definition *source =
      debug_info_find(reads->module, reads->set, debug_info_id(at, 5), DEBUG_SOURCE);
  reads->file = source != NULL ? debug_info_text(reads->module, &source->at, 5) : "";
  reads->line = debug_info_value(reads->module, at, 6);
  find_user_line(reads);
}

specpi_compiler_result jit_reads_next(jit_reads *reads, const spirv_instruction *at, jit_read *ret,
                                      bool *is_read) {
  *is_read = false;
  switch (at->opcode) {
  case OP_FUNCTION:
    reads->function = at->words > 2 ? spirv_word(at, 2) : 0;
    reads->line = 0;
    reads->is_inside_gone = is_gone(reads, reads->function);
    break;
  case OP_EXT_INST:
    take_line(reads, at);
    break;
  case OP_FUNCTION_CALL:
    if (at->words > 3 && is_gone(reads, spirv_word(at, 3))) {
      COMPILER_TRY(read_call(reads, at, ret));
      *is_read = true;
    }
    break;
  default:
    break;
  }
  return SPECPI_COMPILER_SUCCESS;
}

void jit_reads_where(const jit_reads *reads, char *ret, size_t size) {
  const char *function = jit_module_name(reads->module, reads->function);
  if (reads->line != 0)
    snprintf(ret, size, "%s:%u: function '%s'", reads->file, reads->line,
             function ? function : "?");
  else
    snprintf(ret, size, "function '%s'", function ? function : "?");
}

/* ---- Copy of the other instructions ---- */

/* Writes a group decoration without the ids that are gone. */
static void copy_group(const jit_reads *reads, const spirv_instruction *at, word_output *to) {
  uint32_t left = 0;
  for (uint32_t i = 2; i < at->words; i++)
    left += !is_gone(reads, spirv_word(at, i));
  if (left == 0)
    return;
  word_output_put(to, (2 + left) << 16 | at->opcode);
  word_output_put(to, spirv_word(at, 1));
  for (uint32_t i = 2; i < at->words; i++)
    if (!is_gone(reads, spirv_word(at, i)))
      word_output_put(to, spirv_word(at, i));
}

bool jit_reads_drops(const jit_reads *reads, const spirv_instruction *at) {
  const bool has_target =
      at->opcode == OP_NAME || at->opcode == SPIRV_OP_DECORATE || at->opcode == OP_DECORATE_ID;
  return reads->is_inside_gone || debug_info_owns(reads->set, at) ||
         (has_target && at->words > 1 && is_gone(reads, spirv_word(at, 1)));
}

void jit_reads_copy(const jit_reads *reads, const spirv_instruction *at, word_output *to) {
  if (at->opcode == SPIRV_OP_GROUP_DECORATE && at->words > 1)
    copy_group(reads, at, to);
  else
    word_output_copy(to, at);
}
