#include "signature.h"

#include "../plugins/base/error.h"
#include "../plugins/base/find.h"
#include "../plugins/code/code_head.h"
#include "../plugins/code/code_info.h"
#include "../plugins/code/spirv_code.h"
#include "../plugins/code/spirv_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the SPIR-V specification. */
enum {
  OP_STRING = 7,
  DECORATION_FUNC_PARAM_ATTR = 38,
  ATTRIBUTE_NO_CAPTURE = 5,
  ATTRIBUTE_NO_WRITE = 6,
  ATTRIBUTE_NO_READ_WRITE = 7,
};

/* The start of a text with a kernel's parameter types in OpenCL C. NAME.float*,uint, follows. */
#define TYPES_OF "kernel_arg_type."

/* Attributes of a parameter, by its result id: 1 << ATTRIBUTE_ for each. */
typedef struct attributes {
  uint32_t id;
  uint32_t bits;
} attributes;

struct signatures {
  spirv_code *code; /* for SPIR-V; or NULL */
  spirv_types types;
  attributes *attributes; /* sorted by id */
  size_t attribute_count;
  const char **texts; /* the texts after TYPES_OF, sorted */
  size_t text_count;
  code_info *info; /* for PTX; or NULL */
  bool *taken;     /* indexed by a kernel's first argument (SPIR-V) or its number (PTX) */
};

static int compare_texts(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Records an instruction about parameters. Both lists must have space for one more element. */
static void take_instruction(signatures *signatures, const spirv_instruction *one) {
  const char *text = one->opcode == OP_STRING && one->words >= 3 ? spirv_text(one, 2) : NULL;
  if (text && strncmp(text, TYPES_OF, strlen(TYPES_OF)) == 0)
    signatures->texts[signatures->text_count++] = text + strlen(TYPES_OF);
  if (one->opcode == SPIRV_OP_DECORATE && one->words >= 4 &&
      spirv_word(one, 2) == DECORATION_FUNC_PARAM_ATTR && spirv_word(one, 3) <= 31)
    signatures->attributes[signatures->attribute_count++] =
        (attributes){spirv_word(one, 1), 1u << spirv_word(one, 3)};
}

/* Reads the attributes and the parameter types as texts, and merges a parameter's attributes. */
static pi_result read_words(signatures *signatures, spirv_words module) {
  size_t count = 1;
  spirv_instruction one;
  for (spirv_words all = module; spirv_more(&all) && spirv_next(&all, &one) == PI_SUCCESS;)
    count += one.opcode == OP_STRING || one.opcode == SPIRV_OP_DECORATE;
  signatures->attributes = calloc(count, sizeof *signatures->attributes);
  REQUIRE_MEMORY(signatures->attributes, "the attributes of %zu parameters", count);
  signatures->texts = calloc(count, sizeof *signatures->texts);
  REQUIRE_MEMORY(signatures->texts, "%zu texts of a module", count);
  while (spirv_more(&module) && spirv_next(&module, &one) == PI_SUCCESS)
    take_instruction(signatures, &one);
  qsort(signatures->attributes, signatures->attribute_count, sizeof *signatures->attributes,
        compare_ids);
  qsort(signatures->texts, signatures->text_count, sizeof *signatures->texts, compare_texts);
  return PI_SUCCESS;
}

static int by_kernel(const void *kernel, const void *text) {
  const size_t length = strlen(kernel);
  const char *other = *(const char *const *)text;
  const int order = strncmp(kernel, other, length);
  return order != 0 ? order : '.' - other[length];
}

/* Returns the type of a parameter as a text that ends at a comma; NULL if the module has none. */
static const char *find_type(const signatures *signatures, const char *kernel, size_t index) {
  const char **found = bsearch(kernel, signatures->texts, signatures->text_count,
                               sizeof *signatures->texts, by_kernel);
  if (!found)
    return NULL;
  const char *type = *found + strlen(kernel) + 1;
  for (; index != 0; index--) {
    type = strchr(type, ',');
    if (!type)
      return NULL;
    type++;
  }
  return strchr(type, ',') ? type : NULL;
}

static uint32_t find_attributes(const signatures *signatures, uint32_t id) {
  const attributes *found = find_id(id, signatures->attributes, signatures->attribute_count,
                                    sizeof *signatures->attributes);
  uint32_t bits = 0;
  for (; found && found < signatures->attributes + signatures->attribute_count && found->id == id;
       found++)
    bits |= found->bits;
  return bits;
}

static pi_result read_spirv(signatures *signatures, const void *bytes, size_t size) {
  spirv_words module;
  TRY(spirv_code_create(bytes, size, &signatures->code));
  TRY(spirv_code_read_all(signatures->code));
  TRY(spirv_open(signatures->code->bytes, signatures->code->size, &module));
  TRY(spirv_types_read(module, &signatures->types));
  spirv_types_name(&signatures->types, module);
  TRY(read_words(signatures, module));
  size_t capacity = 1;
  for (size_t i = 0; i < signatures->code->kernel_count; i++) {
    const spirv_kernel *kernel = &signatures->code->kernels[i];
    const size_t end =
        (size_t)(kernel->arguments - signatures->code->arguments) + kernel->argument_count;
    capacity = capacity < end ? end : capacity;
  }
  signatures->taken = calloc(capacity, sizeof *signatures->taken);
  REQUIRE_MEMORY(signatures->taken, "%zu parameters", capacity);
  return PI_SUCCESS;
}

static pi_result read_ptx(signatures *signatures, const char *text, size_t size) {
  signatures->info = code_new();
  REQUIRE_MEMORY(signatures->info, "kernels of PTX");
  TRY(ptx_read_kernels(text, size, signatures->info));
  code_sort(signatures->info);
  signatures->taken = calloc(signatures->info->count + 1, sizeof *signatures->taken);
  REQUIRE_MEMORY(signatures->taken, "%zu kernels", signatures->info->count);
  return PI_SUCCESS;
}

bool signatures_read(specpi_image image, signatures **ret) {
  *ret = NULL;
  size_t size;
  const void *bytes = specpiImageGetBytes(image, &size);
  const code_kind kind = code_head_read(bytes, size).kind;
  if (kind != CODE_IS_SPIRV && kind != CODE_IS_PTX)
    return true;
  signatures *signatures = calloc(1, sizeof *signatures);
  if (!signatures)
    return false;
  const pi_result result = kind == CODE_IS_SPIRV ? read_spirv(signatures, bytes, size)
                                                 : read_ptx(signatures, bytes, size);
  if (result == PI_SUCCESS)
    *ret = signatures;
  else
    signatures_free(signatures);
  return result != PI_ERROR_OUT_OF_HOST_MEMORY;
}

void signatures_free(signatures *signatures) {
  if (!signatures)
    return;
  spirv_types_free(&signatures->types);
  free(signatures->attributes);
  free(signatures->texts);
  spirv_code_release(signatures->code);
  code_release(signatures->info);
  free(signatures->taken);
  free(signatures);
}

/* A kernel in one of the lists; both are NULL if it is in neither. */
typedef struct found {
  const spirv_kernel *spirv;
  const code_kernel *ptx;
} found;

static found find_kernel(const signatures *signatures, const char *name) {
  found ret = {NULL, NULL};
  if (signatures && signatures->code)
    spirv_code_find_kernel(signatures->code, name, &ret.spirv);
  else if (signatures)
    ret.ptx = code_find(signatures->info, name);
  if (ret.ptx && (ret.ptx->parameter_count == CODE_UNKNOWN || !ret.ptx->declarations))
    ret.ptx = NULL;
  return ret;
}

bool signatures_count(const signatures *signatures, const char *kernel, size_t *count) {
  const found found = find_kernel(signatures, kernel);
  if (!found.spirv && !found.ptx)
    return false;
  *count = found.spirv ? found.spirv->argument_count : found.ptx->parameter_count;
  return true;
}

size_t signatures_take(signatures *signatures, const char *kernel) {
  size_t count;
  if (!signatures_count(signatures, kernel, &count) || count == 0)
    return 0;
  const found found = find_kernel(signatures, kernel);
  bool *taken =
      &signatures->taken[found.spirv ? found.spirv->arguments - signatures->code->arguments
                                     : found.ptx - signatures->info->kernels];
  if (*taken)
    return 0;
  *taken = true;
  return count;
}

static specpi_parameter_kind kind_of(spirv_argument_kind kind) {
  static const specpi_parameter_kind kinds[] = {[SPIRV_ARGUMENT_UNKNOWN] = SPECPI_PARAMETER_UNKNOWN,
                                                [SPIRV_ARGUMENT_VALUE] = SPECPI_PARAMETER_VALUE,
                                                [SPIRV_ARGUMENT_POINTER] = SPECPI_PARAMETER_POINTER,
                                                [SPIRV_ARGUMENT_LOCAL] = SPECPI_PARAMETER_LOCAL,
                                                [SPIRV_ARGUMENT_IMAGE] = SPECPI_PARAMETER_IMAGE,
                                                [SPIRV_ARGUMENT_SAMPLER] =
                                                    SPECPI_PARAMETER_SAMPLER};
  return kinds[kind];
}

/*
 * The access through a pointer. The compiler marks pointers through which the kernel never writes.
 * If a pointer is not captured, the compiler saw all its uses; without the mark the kernel then
 * writes.
 */
static specpi_access access_of(const signatures *signatures, const spirv_argument *argument) {
  const spirv_type *type = spirv_types_find(&signatures->types, argument->type);
  const uint32_t bits = find_attributes(signatures, argument->id);
  if ((bits & (1u << ATTRIBUTE_NO_WRITE | 1u << ATTRIBUTE_NO_READ_WRITE)) != 0 ||
      (type && spirv_word(&type->instruction, 2) == SPIRV_CLASS_UNIFORM_CONSTANT))
    return SPECPI_ACCESS_READ;
  return bits >> ATTRIBUTE_NO_CAPTURE & 1 ? SPECPI_ACCESS_WRITTEN : SPECPI_ACCESS_UNKNOWN;
}

static void describe_spirv(const signatures *signatures, const spirv_kernel *kernel, size_t index,
                           specpi_parameter *ret) {
  const spirv_argument *argument = &kernel->arguments[index];
  /* A copy, because measuring a structure stores its size there. */
  spirv_types types = signatures->types;
  ret->kind = kind_of(argument->kind);
  ret->size = argument->size;
  ret->scalar = spirv_types_scalar(&types, argument->type);
  if (ret->kind == SPECPI_PARAMETER_POINTER || ret->kind == SPECPI_PARAMETER_LOCAL) {
    const spirv_type *type = spirv_types_find(&types, argument->type);
    ret->access = access_of(signatures, argument);
    ret->pointee_size = spirv_types_measure(&types, spirv_word(&type->instruction, 3));
    const char *words = ret->pointee_size == 1 ? find_type(signatures, kernel->name, index) : NULL;
    ret->may_be_void = ret->pointee_size == 1 && (!words || strncmp(words, "void*", 5) == 0);
  }
  spirv_types_describe(&types, argument->type, ret->type, sizeof ret->type);
}

/* Describes a parameter of PTX. An integer of 64 bits, or of 32 for local memory, may be a pointer
 * that is not marked as one; its kind stays UNKNOWN. */
static void describe_ptx(const code_kernel *kernel, size_t index, specpi_parameter *ret) {
  const code_declaration *as = &kernel->declarations[index];
  ret->size = kernel->parameters[index].size;
  if (as->space)
    ret->kind =
        strcmp(as->space, "shared") == 0 ? SPECPI_PARAMETER_LOCAL : SPECPI_PARAMETER_POINTER;
  else if (as->count != 0 || ret->size < 4 || as->type[0] == 'f')
    ret->kind = SPECPI_PARAMETER_VALUE;
  if (as->count != 0)
    snprintf(ret->type, sizeof ret->type, "%s[%u]", as->type, as->count);
  else if (as->space)
    snprintf(ret->type, sizeof ret->type, "%s to %s memory", as->type, as->space);
  else
    snprintf(ret->type, sizeof ret->type, "%s", as->type);
}

void signatures_describe(const signatures *signatures, const char *kernel, size_t index,
                         specpi_parameter *ret) {
  const found found = find_kernel(signatures, kernel);
  *ret = (specpi_parameter){.kind = SPECPI_PARAMETER_UNKNOWN};
  if (found.spirv)
    describe_spirv(signatures, found.spirv, index, ret);
  else if (found.ptx)
    describe_ptx(found.ptx, index, ret);
}
