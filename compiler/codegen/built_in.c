#include "built_in.h"

#include "../pointer.h"
#include "words.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
  unsigned long number;
  const char *function;
  unsigned components;
} source;

static const source sources[] = {
#define CODEGEN_BUILT_IN(number, function) {number, function, 0},
#define DIMENSION_FUNCTION(number, function, beyond) {number, function, DIMENSION_COUNT},
    CODEGEN_BUILT_INS(CODEGEN_BUILT_IN) DIMENSION_FUNCTIONS(DIMENSION_FUNCTION)
#undef DIMENSION_FUNCTION
#undef CODEGEN_BUILT_IN
};

/* State of replacing one built-in variable in one function. */
typedef struct replacing {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef variable;
  const source *from;
  const char *bad; /* the kind of a use that cannot be replaced */
} replacing;

/* ---- Values ---- */

/* Calls the variable's OpenCL function, which returns the type and takes 32-bit arguments. */
static LLVMValueRef call_source(const replacing *replacing, LLVMTypeRef type,
                                LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef argument = LLVMInt32TypeInContext(LLVMGetModuleContext(replacing->module));
  LLVMTypeRef of = LLVMFunctionType(type, &argument, count, 0);
  LLVMValueRef function = LLVMGetNamedFunction(replacing->module, replacing->from->function);
  if (function == NULL) {
    function = LLVMAddFunction(replacing->module, replacing->from->function, of);
    LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
  }
  LLVMValueRef call = LLVMBuildCall2(replacing->builder, of, function, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
  return call;
}

/* Calls the function for one component, whose index may have any width. */
static LLVMValueRef call_component(const replacing *replacing, LLVMTypeRef type,
                                   LLVMValueRef index) {
  LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetModuleContext(replacing->module));
  LLVMTypeRef wide = LLVMTypeOf(index);
  if (LLVMGetIntTypeWidth(wide) > LLVMGetIntTypeWidth(word)) {
    LLVMValueRef beyond = LLVMConstInt(wide, DIMENSION_COUNT, 0);
    LLVMValueRef is_known = LLVMBuildICmp(replacing->builder, LLVMIntULT, index, beyond, "");
    index = LLVMBuildSelect(replacing->builder, is_known, index, beyond, "");
    index = LLVMBuildTrunc(replacing->builder, index, word, "");
  } else {
    index = LLVMBuildZExt(replacing->builder, index, word, "");
  }
  return call_source(replacing, type, &index, 1);
}

static LLVMValueRef read_source(const replacing *replacing, LLVMTypeRef type) {
  LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetModuleContext(replacing->module));
  LLVMValueRef value = LLVMGetUndef(type);
  if (replacing->from->components == 0)
    return call_source(replacing, type, NULL, 0);
  for (unsigned i = 0; i < replacing->from->components; i++) {
    LLVMValueRef dimension = LLVMConstInt(index, i, 0);
    value = LLVMBuildInsertElement(replacing->builder, value,
                                   call_source(replacing, LLVMGetElementType(type), &dimension, 1),
                                   dimension, "");
  }
  return value;
}

/* ---- Uses ---- */

/* Builds a constant expression as instructions, with another pointer in place of the variable. */
static LLVMValueRef rebuild_constant(replacing *replacing, LLVMValueRef constant,
                                     LLVMValueRef pointer) {
  if (constant == replacing->variable)
    return pointer;
  if (LLVMIsAConstantExpr(constant) == NULL)
    return constant;
  LLVMValueRef operand = rebuild_constant(replacing, LLVMGetOperand(constant, 0), pointer);
  if (operand == LLVMGetOperand(constant, 0))
    return constant;
  switch (LLVMGetConstOpcode(constant)) {
  case LLVMBitCast:
    return LLVMBuildBitCast(replacing->builder, operand, LLVMTypeOf(constant), "");
  case LLVMAddrSpaceCast:
    return LLVMBuildAddrSpaceCast(replacing->builder, operand, LLVMTypeOf(constant), "");
  case LLVMGetElementPtr: {
    LLVMValueRef indices[4];
    const unsigned count = (unsigned)LLVMGetNumOperands(constant) - 1;
    for (unsigned i = 0; i < count && i < 4; i++)
      indices[i] = LLVMGetOperand(constant, i + 1);
    if (count <= 4)
      return LLVMBuildGEP2(replacing->builder, LLVMGetGEPSourceElementType(constant), operand,
                           indices, count, "");
    break;
  }
  default:
    break;
  }
  replacing->bad = "a constant";
  return constant;
}

/* Returns whether a constant expression uses the variable. */
static bool holds_variable(LLVMValueRef constant, LLVMValueRef variable) {
  if (constant == variable)
    return true;
  if (LLVMIsAConstantExpr(constant) == NULL)
    return false;
  for (int i = 0; i < LLVMGetNumOperands(constant); i++)
    if (holds_variable(LLVMGetOperand(constant, (unsigned)i), variable))
      return true;
  return false;
}

static void replace_operands(replacing *replacing, LLVMValueRef instruction, LLVMValueRef pointer) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (!holds_variable(operand, replacing->variable))
      continue;
    if (LLVMIsAPHINode(instruction) != NULL)
      LLVMPositionBuilderBefore(
          replacing->builder,
          LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(instruction, (unsigned)i)));
    else
      LLVMPositionBuilderBefore(replacing->builder, instruction);
    LLVMSetOperand(instruction, (unsigned)i, rebuild_constant(replacing, operand, pointer));
  }
}

static bool has_operand(LLVMValueRef instruction, LLVMValueRef variable) {
  for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
    if (holds_variable(LLVMGetOperand(instruction, (unsigned)i), variable))
      return true;
  return false;
}

/* Builds a local copy of the variable at the function's start; the pointer keeps its type. */
static LLVMValueRef make_local(const replacing *replacing, LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(replacing->variable);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMPositionBuilder(replacing->builder, entry, LLVMGetFirstInstruction(entry));
  LLVMValueRef local = LLVMBuildAlloca(replacing->builder, type, "");
  LLVMBuildStore(replacing->builder, read_source(replacing, type), local);
  return LLVMBuildAddrSpaceCast(replacing->builder, local, LLVMTypeOf(replacing->variable), "");
}

static void replace_in(replacing *replacing, LLVMValueRef function) {
  LLVMValueRef pointer = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      if (!has_operand(at, replacing->variable))
        continue;
      if (pointer == NULL)
        pointer = make_local(replacing, function);
      replace_operands(replacing, at, pointer);
    }
}

/* ---- Components ---- */

/* Returns the index of the variable's component that an instruction reads, or NULL. */
static LLVMValueRef read_index(const replacing *replacing, LLVMValueRef at) {
  LLVMValueRef from = LLVMGetOperand(at, 0);
  LLVMValueRef index;
  if (LLVMIsAExtractElementInst(at) != NULL && LLVMIsALoadInst(from) != NULL) {
    index = LLVMGetOperand(at, 1);
    from = LLVMGetOperand(from, 0);
  } else if (LLVMIsALoadInst(at) != NULL && LLVMIsAGetElementPtrInst(from) != NULL &&
             LLVMGetNumOperands(from) == 3 && LLVMIsNull(LLVMGetOperand(from, 1))) {
    index = LLVMGetOperand(from, 2);
    from = LLVMGetOperand(from, 0);
  } else {
    return NULL;
  }
  return pointer_strip(from) == replacing->variable ? index : NULL;
}

/* Replaces reads of a component whose index is computed, or is beyond the first three. */
static void replace_components(const replacing *replacing, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      LLVMValueRef index = LLVMGetNumOperands(at) > 0 ? read_index(replacing, at) : NULL;
      if (index == NULL || (LLVMIsAConstantInt(index) != NULL &&
                            LLVMConstIntGetZExtValue(index) < replacing->from->components))
        continue;
      LLVMPositionBuilderBefore(replacing->builder, at);
      LLVMReplaceAllUsesWith(at, call_component(replacing, LLVMTypeOf(at), index));
      LLVMInstructionEraseFromParent(at);
    }
  }
}

/* ---- The whole ---- */

static specpi_compiler_result find_source(LLVMValueRef variable, const char *number,
                                          const source **ret) {
  const unsigned long wanted = strtoul(number, NULL, 10);
  *ret = NULL;
  for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
    if (sources[i].number == wanted)
      *ret = &sources[i];
  COMPILER_REQUIRE(*ret != NULL, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "there is no PTX for the built-in variable %lu of SPIR-V", wanted);
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  const bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  COMPILER_REQUIRE(
      (*ret)->components == 0 || (vector && LLVMGetVectorSize(type) == (*ret)->components),
      SPECPI_COMPILER_ERROR_INVALID_MODULE,
      "the built-in variable %lu of SPIR-V is no vector of %u numbers", wanted, (*ret)->components);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_variable(LLVMModuleRef module, LLVMValueRef variable,
                                               const char *number) {
  replacing replacing = {.module = module, .variable = variable};
  COMPILER_TRY(find_source(variable, number, &replacing.from));
  replacing.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    if (replacing.from->components > 0)
      replace_components(&replacing, function);
    replace_in(&replacing, function);
  }
  LLVMDisposeBuilder(replacing.builder);
  COMPILER_REQUIRE(replacing.bad == NULL, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the built-in variable %s of SPIR-V is used by %s that is not known", number,
                   replacing.bad);
  /* All remaining uses are in constants that nothing uses. */
  LLVMReplaceAllUsesWith(variable, LLVMGetUndef(LLVMTypeOf(variable)));
  LLVMDeleteGlobal(variable);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result built_in_replace(LLVMModuleRef module) {
  LLVMValueRef next;
  for (LLVMValueRef value = LLVMGetFirstGlobal(module); value != NULL; value = next) {
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    next = LLVMGetNextGlobal(value);
    if (strncmp(name, WORDS_BUILT_IN, strlen(WORDS_BUILT_IN)) == 0)
      COMPILER_TRY(replace_variable(module, value, name + strlen(WORDS_BUILT_IN)));
  }
  return SPECPI_COMPILER_SUCCESS;
}
