#include "requirements.h"

#include "../plugins/base/digits.h"
#include "mangled.h"

#include "note.h"

#include <stdlib.h>
#include <string.h>

/* Bits of the aspects that are found in the code. */
enum {
#define ASPECT(name, number) BIT_##name,
  REQUIREMENTS_ASPECTS(ASPECT)
#undef ASPECT
};

static const uint32_t aspect_numbers[] = {
#define ASPECT(name, number) number,
    REQUIREMENTS_ASPECTS(ASPECT)
#undef ASPECT
};

static specpi_compiler_result add_aspect(specpi_compiler_output output, uint32_t number) {
  size_t at = output->aspects.count;
  while (at > 0 && output->aspects.items[at - 1] > number)
    at--;
  if (at > 0 && output->aspects.items[at - 1] == number)
    return SPECPI_COMPILER_SUCCESS;
  if (!VECTOR_RESERVE(&output->aspects))
    return compiler_error_memory();
  uint32_t *place = output->aspects.items + at;
  memmove(place + 1, place, (output->aspects.count - at) * sizeof *place);
  *place = number;
  output->aspects.count++;
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Aspects in the code ---- */

static unsigned type_bits(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
    return 1u << BIT_fp16;
  case LLVMDoubleTypeKind:
    return 1u << BIT_fp64;
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
    return type_bits(LLVMGetElementType(type));
  case LLVMStructTypeKind: {
    unsigned bits = 0;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      bits |= type_bits(LLVMStructGetTypeAtIndex(type, i));
    return bits;
  }
  default: /* not the types of pointees, which the code may not use */
    return 0;
  }
}

static bool has_64_bits(LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMDoubleTypeKind ||
         (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64);
}

/*
 * Returns whether a mangled name is that of a 64-bit atomic operation of OpenCL or SPIR-V: its
 * first parameter is a pointer to a 64-bit number, with any qualifiers.
 */
static bool is_atomic64_function(const char *name) {
  size_t length;
  const char *base = mangled_name(name, &length);
  if (base == NULL || (strncmp(base, "atom_", 5) != 0 && strncmp(base, "atomic_", 7) != 0 &&
                       strncmp(base, "__spirv_Atomic", 14) != 0))
    return false;
  const char *at = base + length;
  if (*at != 'P')
    return false;
  for (at++; *at == 'V' || *at == 'K' || *at == 'r' || *at == 'U';) {
    if (*at != 'U') {
      at++;
      continue;
    }
    uint64_t size;
    at++;
    if (!digits_read(&at, NULL, strlen(at), &size) || size > strlen(at))
      return false;
    at += size;
  }
  return *at != '\0' && strchr("lmxyd", *at) != NULL;
}

static bool is_atomic64(LLVMValueRef instruction) {
  size_t length;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMAtomicRMW:
    return has_64_bits(LLVMTypeOf(instruction));
  case LLVMAtomicCmpXchg:
    return has_64_bits(LLVMTypeOf(LLVMGetOperand(instruction, 1)));
  case LLVMLoad:
    return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic &&
           has_64_bits(LLVMTypeOf(instruction));
  case LLVMStore:
    return LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic &&
           has_64_bits(LLVMTypeOf(LLVMGetOperand(instruction, 0)));
  case LLVMCall: {
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(instruction));
    return callee != NULL && is_atomic64_function(LLVMGetValueName2(callee, &length));
  }
  default:
    return false;
  }
}

static unsigned instruction_bits(LLVMValueRef instruction) {
  unsigned bits = type_bits(LLVMTypeOf(instruction));
  const int count = LLVMGetNumOperands(instruction);
  for (unsigned i = 0; i < (unsigned)count; i++)
    bits |= type_bits(LLVMTypeOf(LLVMGetOperand(instruction, i)));
  return bits | (is_atomic64(instruction) ? 1u << BIT_atomic64 : 0);
}

static unsigned function_bits(LLVMValueRef function) {
  unsigned bits = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      bits |= instruction_bits(at);
  return bits;
}

/* ---- Metadata of DPC++ ---- */

/* Adds an aspect from metadata, which is a number, or a pair of a name and a number. Negative
 * numbers are internal to DPC++. */
static specpi_compiler_result add_noted(specpi_compiler_output output, LLVMValueRef operand) {
  LLVMValueRef number = operand;
  if (number != NULL && LLVMIsAMDNode(number) != NULL) {
    LLVMValueRef pair[2];
    if (LLVMGetMDNodeNumOperands(number) != 2)
      return SPECPI_COMPILER_SUCCESS;
    LLVMGetMDNodeOperands(number, pair);
    number = pair[1];
  }
  if (number == NULL || LLVMIsAConstantInt(number) == NULL)
    return SPECPI_COMPILER_SUCCESS;
  const long long value = LLVMConstIntGetSExtValue(number);
  return value >= 0 && value <= INT32_MAX ? add_aspect(output, (uint32_t)value)
                                          : SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result read_aspects(LLVMValueRef function, specpi_compiler_output output) {
  note note;
  COMPILER_TRY(note_read(function, "sycl_used_aspects", &note));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (unsigned i = 0; i < note.count && result == SPECPI_COMPILER_SUCCESS; i++)
    result = add_noted(output, note.operands[i]);
  note_free(&note);
  return result;
}

static specpi_compiler_result read_mask(LLVMValueRef function, size_t kernel,
                                        specpi_compiler_output output) {
  note note;
  COMPILER_TRY(note_read(function, "sycl_kernel_omit_args", &note));
  if (note.count == 0) {
    note_free(&note);
    return SPECPI_COMPILER_SUCCESS;
  }
  output_mask made = {.kernel = kernel, .count = note.count};
  made.bits = calloc(note.count / 8 + 1, 1);
  if (made.bits == NULL || !VECTOR_RESERVE(&output->masks)) {
    free(made.bits);
    note_free(&note);
    return compiler_error_memory();
  }
  for (unsigned i = 0; i < note.count; i++)
    if (note.operands[i] != NULL && LLVMIsAConstantInt(note.operands[i]) != NULL &&
        LLVMConstIntGetZExtValue(note.operands[i]) != 0)
      made.bits[i / 8] |= (unsigned char)(1u << i % 8);
  output->masks.items[output->masks.count++] = made;
  note_free(&note);
  return SPECPI_COMPILER_SUCCESS;
}

/* Raises *level to the optimisation level in a kernel's attribute. */
static void read_level(LLVMValueRef function, specpi_compiler_optimization *level) {
  static const char name[] = "sycl-optlevel";
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof name - 1);
  unsigned length;
  if (attribute == NULL)
    return;
  const char *value = LLVMGetStringAttributeValue(attribute, &length);
  if (length != 1 || value[0] < '0' || value[0] > '3')
    return;
  const unsigned found = SPECPI_COMPILER_OPTIMIZATION_O0 + (unsigned)(value[0] - '0');
  if (found > *level)
    *level = (specpi_compiler_optimization)found;
}

specpi_compiler_result requirements_find(LLVMModuleRef module, specpi_compiler_output output) {
  unsigned bits = 0;
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value)) {
    if (LLVMIsDeclaration(value))
      continue;
    bits |= function_bits(value);
    COMPILER_TRY(read_aspects(value, output));
  }
  for (size_t i = 0; i < sizeof aspect_numbers / sizeof aspect_numbers[0]; i++)
    if (bits >> i & 1)
      COMPILER_TRY(add_aspect(output, aspect_numbers[i]));
  const bool unknown = output->optimization == SPECPI_COMPILER_OPTIMIZATION_UNKNOWN;
  for (size_t i = 0; i < output->kernels.count; i++) {
    LLVMValueRef kernel = LLVMGetNamedFunction(module, output->kernels.items[i].name);
    COMPILER_TRY(read_mask(kernel, i, output));
    if (unknown)
      read_level(kernel, &output->optimization);
  }
  return SPECPI_COMPILER_SUCCESS;
}
