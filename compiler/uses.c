#include "uses.h"

#include "attributes.h"
#include "calls.h"

#include <string.h>

bool use_is_getter(LLVMValueRef function, use_kind *kind) {
  if (LLVMIsAFunction(function) == NULL || !LLVMIsDeclaration(function))
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  return use_has_name(name, length, kind);
}

/* The struct-return type of the function's first parameter, or NULL. */
static LLVMTypeRef result_type(LLVMValueRef function) {
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, 1, attributes_kind("sret"));
  return attribute != NULL ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* A power of two that LLVM allows. */
static bool is_alignment(LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return false;
  const unsigned long long bytes = LLVMConstIntGetZExtValue(value);
  return bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes <= 1u << 30;
}

static specpi_compiler_result refuse_use(const use *it, LLVMValueRef getter, const char *why) {
  size_t length;
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_CALL, "function '%s': a call of '%s' %s",
                        LLVMGetValueName2(it->caller, &length), LLVMGetValueName2(getter, &length),
                        why);
}

static specpi_compiler_result read_call(LLVMValueRef getter, use *it) {
  const unsigned count = LLVMGetNumArgOperands(it->call);
  LLVMTypeRef stored = it->kind != USE_ALLOCA && count > 0 ? result_type(getter) : NULL;
  const unsigned first = stored != NULL ? 1 : 0;
  const unsigned wanted = it->kind == USE_LEGACY ? 1 : it->kind == USE_GET ? 3 : 5;
  if (count < first + wanted)
    return refuse_use(it, getter, "has too few arguments");
  for (unsigned i = 0; i < first + (wanted < 3 ? wanted : 3); i++)
    if (!is_pointer(LLVMGetOperand(it->call, i)))
      return refuse_use(it, getter, "has an argument that is no pointer");
  it->name = LLVMGetOperand(it->call, first);
  if (it->kind != USE_LEGACY) {
    it->default_object = LLVMGetOperand(it->call, first + 1);
    it->buffer = LLVMGetOperand(it->call, first + 2);
  }
  LLVMTypeRef returned = LLVMTypeOf(it->call);
  if (stored != NULL) {
    it->result = LLVMGetOperand(it->call, 0);
    it->type = stored;
    return LLVMGetTypeKind(returned) == LLVMVoidTypeKind
               ? SPECPI_COMPILER_SUCCESS
               : refuse_use(it, getter, "both stores and returns a value");
  }
  if (LLVMGetTypeKind(returned) == LLVMVoidTypeKind)
    return refuse_use(it, getter, "has no result");
  if (it->kind == USE_ALLOCA)
    return LLVMGetTypeKind(returned) == LLVMPointerTypeKind &&
                   is_alignment(LLVMGetOperand(it->call, 4))
               ? SPECPI_COMPILER_SUCCESS
               : refuse_use(it, getter, "returns no pointer, or has no constant alignment");
  it->type = returned;
  return SPECPI_COMPILER_SUCCESS;
}

void use_read_again(use *it) {
  const unsigned first = it->result != NULL ? 1 : 0;
  if (it->result != NULL)
    it->result = LLVMGetOperand(it->call, 0);
  it->name = LLVMGetOperand(it->call, first);
  if (it->kind == USE_LEGACY)
    return;
  it->default_object = LLVMGetOperand(it->call, first + 1);
  it->buffer = LLVMGetOperand(it->call, first + 2);
}

static specpi_compiler_result find_in_block(LLVMBasicBlockRef block, LLVMValueRef caller,
                                            use_list *list) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    LLVMValueRef getter = called_function(at);
    use it = {.call = at, .caller = caller};
    if (getter == NULL || !use_is_getter(getter, &it.kind))
      continue;
    COMPILER_TRY(read_call(getter, &it));
    if (!VECTOR_RESERVE(list))
      return compiler_error_memory();
    list->items[list->count++] = it;
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result uses_find(LLVMModuleRef module, use_list *list) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      COMPILER_TRY(find_in_block(block, function, list));
  return SPECPI_COMPILER_SUCCESS;
}
