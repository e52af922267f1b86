/* Mode native: makes each scalar of a constant a SPIR-V specialization constant. */
#include "spec_constants.h"

#include "../target.h"
#include "leaf_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALAR_FUNCTION "_Z20__spirv_SpecConstant"
#define COMPOSITE_FUNCTION "_Z29__spirv_SpecConstantComposite"

typedef VECTOR(char) text;

static specpi_compiler_result add_text(text *to, const char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!VECTOR_RESERVE(to))
      return compiler_error_memory();
    to->items[to->count++] = bytes[i];
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_number(text *to, const char *before, unsigned number) {
  char bytes[32];
  const int count = snprintf(bytes, sizeof bytes, "%s%u_", before, number);
  return add_text(to, bytes, (size_t)count);
}

/*
 * Adds a type's mangled form to a function's name. The translator to SPIR-V reads only the part
 * before it, but functions of different types need different names.
 */
static specpi_compiler_result add_type(text *to, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    switch (LLVMGetIntTypeWidth(type)) {
    case 1:
      return add_text(to, "b", 1);
    case 8:
      return add_text(to, "a", 1);
    case 16:
      return add_text(to, "s", 1);
    case 32:
      return add_text(to, "i", 1);
    default:
      return add_text(to, "x", 1);
    }
  case LLVMHalfTypeKind:
    return add_text(to, "Dh", 2);
  case LLVMFloatTypeKind:
    return add_text(to, "f", 1);
  case LLVMDoubleTypeKind:
    return add_text(to, "d", 1);
  case LLVMArrayTypeKind:
    COMPILER_TRY(add_number(to, "A", LLVMGetArrayLength(type)));
    return add_type(to, LLVMGetElementType(type));
  case LLVMVectorTypeKind:
    COMPILER_TRY(add_number(to, "Dv", LLVMGetVectorSize(type)));
    return add_type(to, LLVMGetElementType(type));
  default: {
    /* A structure: layout_check_type allows no other types. That of a complex number has no name.
     */
    const char *name = LLVMGetStructName(type);
    return name != NULL ? add_text(to, name, strlen(name)) : add_text(to, "struct", 6);
  }
  }
}

/* Finds or declares the function of a name and a type. Adds a NUL to the name. */
static specpi_compiler_result declare_function(pass *p, text *name, LLVMTypeRef type,
                                               LLVMValueRef *ret) {
  const size_t length = name->count;
  LLVMValueRef function;
  for (unsigned n = 1;; n++) {
    COMPILER_TRY(add_text(name, "", 1));
    function = LLVMGetNamedFunction(p->module, name->items);
    if (function == NULL || LLVMGlobalGetValueType(function) == type)
      break;
    /* The name is taken: a structure's name may look like other mangled types. */
    name->count = length;
    COMPILER_TRY(add_number(name, ".", n));
  }
  if (function == NULL) {
    function = LLVMAddFunction(p->module, name->items, type);
    if (target_is_spir(p->module))
      LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
  }
  *ret = function;
  return SPECPI_COMPILER_SUCCESS;
}

/* Calls the function of a name with arguments and a result type; frees the name. */
static specpi_compiler_result call_function(pass *p, text *name, LLVMTypeRef result,
                                            LLVMValueRef *arguments, unsigned count,
                                            LLVMValueRef *ret) {
  LLVMTypeRef *types = malloc((count + 1u) * sizeof *types);
  specpi_compiler_result status = types != NULL ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
  if (status == SPECPI_COMPILER_SUCCESS) {
    for (unsigned i = 0; i < count; i++)
      types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef function;
    status = declare_function(p, name, type, &function);
    if (status == SPECPI_COMPILER_SUCCESS) {
      *ret = LLVMBuildCall2(p->builder, type, function, arguments, count, "");
      LLVMSetInstructionCallConv(*ret, LLVMGetFunctionCallConv(function));
    }
  }
  free(types);
  free(name->items);
  return status;
}

static specpi_compiler_result call_scalar(pass *p, uint32_t id, LLVMValueRef default_value,
                                          LLVMValueRef *ret) {
  text name = {0};
  LLVMTypeRef type = LLVMTypeOf(default_value);
  specpi_compiler_result result = add_text(&name, SCALAR_FUNCTION "i", sizeof SCALAR_FUNCTION);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = add_type(&name, type);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(name.items);
    return result;
  }
  LLVMValueRef arguments[] = {LLVMConstInt(LLVMInt32TypeInContext(p->context), id, 0),
                              default_value};
  return call_function(p, &name, type, arguments, 2, ret);
}

static specpi_compiler_result name_composite(LLVMTypeRef type, LLVMValueRef *parts, unsigned count,
                                             text *name) {
  COMPILER_TRY(add_text(name, COMPOSITE_FUNCTION, sizeof COMPOSITE_FUNCTION - 1));
  for (unsigned i = 0; i < count; i++)
    COMPILER_TRY(add_type(name, LLVMTypeOf(parts[i])));
  COMPILER_TRY(add_text(name, "_R", 2));
  return add_type(name, type);
}

static specpi_compiler_result call_composite(pass *p, LLVMTypeRef type, LLVMValueRef *parts,
                                             unsigned count, LLVMValueRef *ret) {
  text name = {0};
  const specpi_compiler_result result = name_composite(type, parts, count, &name);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(name.items);
    return result;
  }
  return call_function(p, &name, type, parts, count, ret);
}

/* Builds the part of a constant at the node *next: first its elements, then the composite. */
static specpi_compiler_result build_value(pass *p, uint32_t first_id, const layout *as,
                                          const image *own, size_t *next, LLVMValueRef *ret) {
  const node *node = &as->nodes.items[(*next)++];
  switch (node->kind) {
  case NODE_SCALAR:
    return call_scalar(p, first_id + node->id, image_scalar(own, node), ret);
  case NODE_HOLE:
    *ret = LLVMGetUndef(node->type);
    return SPECPI_COMPILER_SUCCESS;
  case NODE_AGGREGATE:
    break;
  }
  LLVMValueRef *parts = malloc((node->parts + 1u) * sizeof *parts);
  if (parts == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (uint32_t i = 0; i < node->parts && result == SPECPI_COMPILER_SUCCESS; i++)
    result = build_value(p, first_id, as, own, next, &parts[i]);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = call_composite(p, node->type, parts, node->parts, ret);
  free(parts);
  return result;
}

/* Returns whether a constant is a boolean: one bit in a register, but a byte for the host. */
static bool is_boolean_in_byte(const spec_constant *constant) {
  LLVMTypeRef type = constant->type;
  LLVMTypeRef stored = LLVMTypeOf(constant->default_value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1 &&
         LLVMGetTypeKind(stored) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(stored) == 8;
}

static specpi_compiler_result value(pass *p, const spec_use *use, const layout *as,
                                    const image *own, LLVMValueRef *ret) {
  const spec_constant *constant = &p->constants.items[use->constant];
  if (is_boolean_in_byte(constant)) {
    LLVMValueRef byte = LLVMConstInt(LLVMInt8TypeInContext(p->context), own->bytes[0], 0);
    COMPILER_TRY(call_scalar(p, constant->first_id, byte, &byte));
    /* Any nonzero value is true. */
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(byte));
    *ret = LLVMBuildICmp(p->builder, LLVMIntNE, byte, zero, "tobool");
    return SPECPI_COMPILER_SUCCESS;
  }
  size_t next = 0;
  LLVMValueRef made;
  COMPILER_TRY(build_value(p, constant->first_id, as, own, &next, &made));
  *ret = use->call.kind == USE_ALLOCA ? spec_alloca(p, use, made) : made;
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns the first id after all those that the module's own calls already use. */
static uint64_t first_free_id(const pass *p) {
  uint64_t id = 0;
  for (LLVMValueRef function = LLVMGetFirstFunction(p->module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (strncmp(name, SCALAR_FUNCTION, sizeof SCALAR_FUNCTION - 1) != 0)
      continue;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      LLVMValueRef first = LLVMIsACallInst(user) != NULL && LLVMGetNumArgOperands(user) > 0
                               ? LLVMIsAConstantInt(LLVMGetOperand(user, 0))
                               : NULL;
      if (first != NULL && LLVMGetIntTypeWidth(LLVMTypeOf(first)) <= 64 &&
          LLVMConstIntGetZExtValue(first) >= id)
        id = (uint64_t)LLVMConstIntGetZExtValue(first) + 1;
    }
  }
  return id;
}

static bool records(use_kind kind) {
  (void)kind;
  return true;
}

static specpi_compiler_result prepare_native(pass *p) {
  return leaf_ids_assign(p, p->constants.count > 0 ? first_free_id(p) : 0);
}

const spec_mode spec_mode_native = {.records = records, .prepare = prepare_native, .value = value};
