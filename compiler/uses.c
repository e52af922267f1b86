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

/* Returns the struct-return type of a function's first parameter, or NULL. */
static LLVMTypeRef result_type(LLVMValueRef function) {
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, 1, attributes_kind("sret"));
  return attribute != NULL ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* Returns whether a value is an alignment that LLVM allows: a constant power of two up to 2^30. */
static bool is_alignment(LLVMValueRef value) {
  if (LLVMIsAConstantInt(value) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 64)
    return false;
  const unsigned long long bytes = LLVMConstIntGetZExtValue(value);
  return bytes != 0 && (bytes & (bytes - 1)) == 0 && bytes <= 1u << 30;
}

static specpi_compiler_result refuse_use(const use *use, LLVMValueRef getter, const char *why) {
  size_t length;
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_CALL, "function '%s': a call of '%s' %s",
                        LLVMGetValueName2(use->caller, &length), LLVMGetValueName2(getter, &length),
                        why);
}

static specpi_compiler_result read_call(LLVMValueRef getter, use *use) {
  const unsigned count = LLVMGetNumArgOperands(use->call);
  LLVMTypeRef stored = use->kind != USE_ALLOCA && count > 0 ? result_type(getter) : NULL;
  const unsigned first = stored != NULL ? 1 : 0;
  const unsigned wanted = use->kind == USE_LEGACY ? 1 : use->kind == USE_GET ? 3 : 5;
  if (count < first + wanted)
    return refuse_use(use, getter, "has too few arguments");
  for (unsigned i = 0; i < first + (wanted < 3 ? wanted : 3); i++)
    if (!is_pointer(LLVMGetOperand(use->call, i)))
      return refuse_use(use, getter, "has an argument that is no pointer");
  use->name = LLVMGetOperand(use->call, first);
  if (use->kind != USE_LEGACY) {
    use->default_object = LLVMGetOperand(use->call, first + 1);
    use->buffer = LLVMGetOperand(use->call, first + 2);
  }
  LLVMTypeRef returned = LLVMTypeOf(use->call);
  if (stored != NULL) {
    use->result = LLVMGetOperand(use->call, 0);
    use->type = stored;
    return LLVMGetTypeKind(returned) == LLVMVoidTypeKind
               ? SPECPI_COMPILER_SUCCESS
               : refuse_use(use, getter, "both stores and returns a value");
  }
  if (LLVMGetTypeKind(returned) == LLVMVoidTypeKind)
    return refuse_use(use, getter, "has no result");
  if (use->kind == USE_ALLOCA)
    return LLVMGetTypeKind(returned) == LLVMPointerTypeKind &&
                   is_alignment(LLVMGetOperand(use->call, 4))
               ? SPECPI_COMPILER_SUCCESS
               : refuse_use(use, getter, "returns no pointer, or has no constant alignment");
  use->type = returned;
  return SPECPI_COMPILER_SUCCESS;
}

void use_read_again(use *use) {
  const unsigned first = use->result != NULL ? 1 : 0;
  if (use->result != NULL)
    use->result = LLVMGetOperand(use->call, 0);
  use->name = LLVMGetOperand(use->call, first);
  if (use->kind == USE_LEGACY)
    return;
  use->default_object = LLVMGetOperand(use->call, first + 1);
  use->buffer = LLVMGetOperand(use->call, first + 2);
}

static specpi_compiler_result find_in_block(LLVMBasicBlockRef block, LLVMValueRef caller,
                                            use_list *list) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    LLVMValueRef getter = called_function(at);
    use use = {.call = at, .caller = caller};
    if (getter == NULL || !use_is_getter(getter, &use.kind))
      continue;
    COMPILER_TRY(read_call(getter, &use));
    if (!VECTOR_RESERVE(list))
      return compiler_error_memory();
    list->items[list->count++] = use;
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
