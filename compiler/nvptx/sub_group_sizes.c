#include "sub_group_sizes.h"

#include "../callers.h"
#include "../calls.h"
#include "../target.h"

#define SIZE_NAME "__specpi_sub_group_size"

/* Mark on a function that asks for the size, directly or indirectly. */
#define ASKS "specpi-asks-for-sub-group-size"

static LLVMTypeRef size_type(LLVMModuleRef module) {
  return LLVMInt32TypeInContext(LLVMGetModuleContext(module));
}

void sub_group_sizes_allow(LLVMModuleRef module) {
  LLVMAddFunction(module, SIZE_NAME, LLVMFunctionType(size_type(module), NULL, 0, 0));
}

static uint32_t size_of_kernel(const specpi_compiler_kernel *kernel) {
  return kernel->required_sub_group_size != 0 ? kernel->required_sub_group_size
                                              : TARGET_NVPTX_SUB_GROUP;
}

specpi_compiler_result sub_group_sizes_check(LLVMModuleRef module, specpi_compiler_output output) {
  const bool has_segments = LLVMGetNamedFunction(module, SIZE_NAME) != NULL;
  for (size_t i = 0; i < output->kernels.count; i++) {
    const specpi_compiler_kernel *kernel = &output->kernels.items[i];
    const uint32_t size = size_of_kernel(kernel);
    COMPILER_REQUIRE(size == TARGET_NVPTX_SUB_GROUP || (has_segments && (size == 8 || size == 16)),
                     SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                     "kernel '%s' requires sub-groups of %u work-items, and there are those of "
                     "%s%d",
                     kernel->name, (unsigned)size, has_segments ? "8, 16 and " : "",
                     TARGET_NVPTX_SUB_GROUP);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns the size that all kernels have in common, or 0. Without kernels it is a warp's size. */
static uint32_t find_common_size(specpi_compiler_output output) {
  const uint32_t first =
      output->kernels.count != 0 ? size_of_kernel(output->kernels.items) : TARGET_NVPTX_SUB_GROUP;
  for (size_t i = 1; i < output->kernels.count; i++)
    if (size_of_kernel(&output->kernels.items[i]) != first)
      return 0;
  return first;
}

static void define_size(LLVMModuleRef module, LLVMValueRef function, uint32_t size) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
  LLVMBuildRet(builder, LLVMConstInt(size_type(module), size, 0));
  LLVMDisposeBuilder(builder);
  LLVMSetLinkage(function, LLVMInternalLinkage);
}

/* Replaces a kernel's calls that ask for the size by the size. */
static void write_size(LLVMValueRef asked, LLVMValueRef kernel, LLVMValueRef size) {
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(asked); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (called_function(user) != asked ||
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != kernel)
      continue;
    LLVMReplaceAllUsesWith(user, size);
    LLVMInstructionEraseFromParent(user);
  }
}

/* Refuses used functions that still ask for the size: it would depend on the calling kernel. */
static specpi_compiler_result check_written(LLVMValueRef asked) {
  for (LLVMUseRef use = LLVMGetFirstUse(asked); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    size_t length;
    if (called_function(user) != asked)
      continue;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    const char *name = LLVMGetValueName2(function, &length);
    COMPILER_REQUIRE(LLVMGetFirstUse(function) == NULL, SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                     "function '%s' depends on the size of sub-groups, and cannot be inlined into "
                     "the module's kernels, whose sizes differ: require one size of all of them, "
                     "or put them into modules of their own",
                     name);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Makes exported functions that ask internal: kernels of other modules may have other sizes. */
static void hide_asking(LLVMModuleRef module, specpi_compiler_output output) {
  for (size_t i = 0; i < output->exported.count; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, output->exported.items[i]);
    if (function != NULL && callers_has_mark(function, ASKS))
      LLVMSetLinkage(function, LLVMInternalLinkage);
  }
}

/* Writes each kernel's size into the kernel, if the sizes differ. */
static specpi_compiler_result write_sizes(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                          specpi_compiler_output output, LLVMValueRef asked) {
  COMPILER_TRY(callers_mark_users(asked, ASKS));
  hide_asking(module, output);
  COMPILER_TRY(callers_inline(module, machine, ASKS));
  for (size_t i = 0; i < output->kernels.count; i++) {
    const specpi_compiler_kernel *kernel = &output->kernels.items[i];
    write_size(asked, LLVMGetNamedFunction(module, kernel->name),
               LLVMConstInt(size_type(module), size_of_kernel(kernel), 0));
  }
  return check_written(asked);
}

specpi_compiler_result sub_group_sizes_write(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                             specpi_compiler_output output) {
  LLVMValueRef asked = LLVMGetNamedFunction(module, SIZE_NAME);
  if (asked == NULL)
    return SPECPI_COMPILER_SUCCESS;
  const uint32_t size = find_common_size(output);
  if (size == 0)
    COMPILER_TRY(write_sizes(module, machine, output, asked));
  /* If sizes differ, only dead code still asks. */
  define_size(module, asked, size != 0 ? size : TARGET_NVPTX_SUB_GROUP);
  return SPECPI_COMPILER_SUCCESS;
}
