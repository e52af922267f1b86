#include "spir.h"

#include "bitcode.h"
#include "space_casts.h"
#include "target.h"
#include "visit.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * X(spir, nvptx): address spaces: private, global, constant, local, generic, Intel's two for parts
 * of global memory, and that of SPIR-V's inputs, which have become local variables of functions
 * (codegen/built_in.h). Constant memory becomes global, because a kernel's argument may be a
 * buffer, and NVPTX's constant memory cannot hold buffers.
 */
#define SPIR_SPACES(X)                                                                             \
  X(0, 0)                                                                                          \
  X(1, 1)                                                                                          \
  X(2, 1)                                                                                          \
  X(3, 3)                                                                                          \
  X(4, 0)                                                                                          \
  X(5, 1)                                                                                          \
  X(6, 1)                                                                                          \
  X(7, 0)

static uint32_t map_space(uint64_t space) {
  static const uint32_t spaces[] = {
#define SPIR_SPACE(spir, nvptx) [spir] = (nvptx),
      SPIR_SPACES(SPIR_SPACE)
#undef SPIR_SPACE
  };
  return space < sizeof spaces / sizeof spaces[0] ? spaces[space] : BITCODE_NO_SPACE;
}

/* ---- Casts between address spaces which become one ---- */

/* Replaces a cast by casts to and from an integer, which LLVM can read for all address spaces. */
static void detour(void *data, LLVMValueRef value) {
  LLVMBuilderRef builder = data;
  if (LLVMIsAAddrSpaceCastInst(value) == NULL)
    return;
  LLVMValueRef from = LLVMGetOperand(value, 0);
  if (map_space(space_casts_of(from)) != map_space(space_casts_of(value)))
    return;
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeRef integer = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    integer = LLVMVectorType(integer, LLVMGetVectorSize(type));
  LLVMPositionBuilderBefore(builder, value);
  /* The builder folds constants, so the results may be constant expressions. */
  LLVMValueRef number = LLVMBuildPtrToInt(builder, from, integer, "");
  LLVMReplaceAllUsesWith(value, LLVMBuildIntToPtr(builder, number, type, ""));
  LLVMInstructionEraseFromParent(value);
}

/* Replaces casts to and from an integer by the pointer, once the address spaces are the same. */
static void shorten(void *data, LLVMValueRef value) {
  LLVMBuilderRef builder = data;
  LLVMValueRef number = LLVMIsAIntToPtrInst(value) != NULL ? LLVMGetOperand(value, 0) : NULL;
  if (number == NULL || LLVMIsAPtrToIntInst(number) == NULL)
    return;
  LLVMValueRef from = LLVMGetOperand(number, 0);
  if (space_casts_of(from) != space_casts_of(value) ||
      LLVMGetTypeKind(LLVMTypeOf(from)) != LLVMGetTypeKind(LLVMTypeOf(value)))
    return;
  LLVMPositionBuilderBefore(builder, value);
  LLVMReplaceAllUsesWith(value, LLVMBuildBitCast(builder, from, LLVMTypeOf(value), ""));
  LLVMInstructionEraseFromParent(value);
  if (LLVMGetFirstUse(number) == NULL)
    LLVMInstructionEraseFromParent(number);
}

/* Returns the replacement of a constant expression that casts within one address space, which LLVM
 * can read, unlike an instruction; NULL for other casts. */
static LLVMValueRef shorten_constant(LLVMValueRef cast) {
  LLVMValueRef from = LLVMGetOperand(cast, 0);
  return space_casts_of(from) == space_casts_of(cast) ? LLVMConstBitCast(from, LLVMTypeOf(cast))
                                                      : NULL;
}

/* ---- Names and conventions ---- */

void spir_map_name(char *name, size_t *length) {
  static const char mark[] = "U3AS";
  const size_t size = strlen(mark);
  size_t to = 0;
  for (size_t from = 0; from < *length;) {
    const bool marked = *length - from > size && memcmp(name + from, mark, size) == 0 &&
                        name[from + size] >= '0' && name[from + size] <= '9';
    if (!marked) {
      name[to++] = name[from++];
      continue;
    }
    const uint32_t space = map_space((uint64_t)(name[from + size] - '0'));
    from += size + 1;
    if (space == 0 || space == BITCODE_NO_SPACE)
      continue;
    memmove(name + to, mark, size);
    to += size;
    name[to++] = (char)('0' + (int)space);
  }
  name[to] = '\0';
  *length = to;
}

static specpi_compiler_result rename_declaration(LLVMModuleRef module, LLVMValueRef function) {
  size_t length;
  const char *old = LLVMGetValueName2(function, &length);
  if (length < 2 || memcmp(old, "_Z", 2) != 0)
    return SPECPI_COMPILER_SUCCESS;
  char *name = strndup(old, length);
  if (name == NULL)
    return compiler_error_memory();
  size_t mapped = length;
  spir_map_name(name, &mapped);
  LLVMValueRef existing =
      mapped != length || strcmp(name, old) != 0 ? LLVMGetNamedFunction(module, name) : function;
  if (existing == NULL) {
    LLVMSetValueName2(function, name, mapped);
  } else if (existing != function) {
    LLVMReplaceAllUsesWith(function, LLVMConstBitCast(existing, LLVMTypeOf(function)));
    LLVMDeleteFunction(function);
  }
  free(name);
  return SPECPI_COMPILER_SUCCESS;
}

static void map_call(void *data, LLVMValueRef value) {
  (void)data;
  if (LLVMIsACallInst(value) != NULL)
    LLVMSetInstructionCallConv(value, LLVMGetInstructionCallConv(value) == LLVMSPIRKERNELCallConv
                                          ? LLVMPTXKernelCallConv
                                          : LLVMCCallConv);
}

static specpi_compiler_result map_functions(LLVMModuleRef module) {
  LLVMValueRef next;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL; function = next) {
    next = LLVMGetNextFunction(function);
    LLVMSetFunctionCallConv(function, LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv
                                          ? LLVMPTXKernelCallConv
                                          : LLVMCCallConv);
    if (LLVMIsDeclaration(function))
      COMPILER_TRY(rename_declaration(module, function));
  }
  visit_instructions(module, map_call, NULL);
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The whole ---- */

static specpi_compiler_result read_mapped(specpi_compiler compiler, LLVMModuleRef module,
                                          LLVMModuleRef *ret) {
  LLVMMemoryBufferRef written = LLVMWriteBitcodeToMemoryBuffer(module);
  const size_t size = LLVMGetBufferSize(written);
  unsigned char *bytes = malloc(size);
  specpi_compiler_result result = bytes != NULL ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
  if (bytes != NULL) {
    memcpy(bytes, LLVMGetBufferStart(written), size);
    result = bitcode_map_spaces(bytes, size, map_space);
  }
  LLVMDisposeMemoryBuffer(written);
  if (result == SPECPI_COMPILER_SUCCESS) {
    LLVMMemoryBufferRef mapped =
        LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)bytes, size, "mapped");
    if (LLVMParseBitcodeInContext2(compiler->llvm, mapped, ret))
      result = compiler_error(SPECPI_COMPILER_ERROR_INVALID_TARGET,
                              "the module cannot be mapped to NVPTX's address spaces: %s",
                              compiler->diagnostic);
    LLVMDisposeMemoryBuffer(mapped);
  }
  free(bytes);
  return result;
}

static specpi_compiler_result finish_kernels(LLVMModuleRef module, LLVMBuilderRef builder) {
  space_casts_replace(module, shorten_constant);
  visit_instructions(module, shorten, builder);
  /* Removes SPIR's triple and data layout. */
  LLVMSetTarget(module, "");
  LLVMSetDataLayout(module, "");
  COMPILER_TRY(target_apply(module, TARGET_NVPTX));
  COMPILER_TRY(map_functions(module));
  char *message = NULL;
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    result = compiler_error(SPECPI_COMPILER_ERROR_INVALID_TARGET,
                            "the module cannot be mapped to nvptx64: %s", message);
  LLVMDisposeMessage(message);
  return result;
}

specpi_compiler_result spir_map(specpi_compiler compiler, LLVMModuleRef module,
                                LLVMModuleRef *ret) {
  COMPILER_REQUIRE(
      LLVMGetFirstGlobalAlias(module) == NULL && LLVMGetFirstGlobalIFunc(module) == NULL,
      SPECPI_COMPILER_ERROR_INVALID_TARGET, "the module has aliases, which NVPTX has not");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(compiler->llvm);
  visit_instructions(module, detour, builder);
  LLVMModuleRef mapped = NULL;
  specpi_compiler_result result = read_mapped(compiler, module, &mapped);
  if (result == SPECPI_COMPILER_SUCCESS) {
    size_t length;
    const char *identifier = LLVMGetModuleIdentifier(module, &length);
    LLVMSetModuleIdentifier(mapped, identifier, length);
    result = finish_kernels(mapped, builder);
    if (result == SPECPI_COMPILER_SUCCESS)
      *ret = mapped;
    else
      LLVMDisposeModule(mapped);
  }
  LLVMDisposeBuilder(builder);
  return result;
}
