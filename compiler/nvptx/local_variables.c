#include "local_variables.h"

#include "../../plugins/base/vector.h"
#include "../output.h"
#include "../target.h"
#include "../value_set.h"
#include "launch_offset.h"
#include "local_arguments.h"

#include <stdlib.h>
#include <string.h>

/* Limit in PTX of a kernel's static shared memory, in bytes. */
enum { STATIC_MAX = 48 << 10 };

typedef struct local_variable {
  LLVMValueRef variable;
  uint64_t size, align;
  uint64_t offset;     /* offset in the dynamic memory, if the variable is moved */
  value_set functions; /* functions that use it, directly or indirectly */
  bool is_moved, is_placed;
} local_variable;

typedef struct placing {
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  VECTOR(local_variable) variables;
  VECTOR(LLVMValueRef) kernels; /* kernels and their entries for launches with an offset */
  value_set comparing;          /* functions that compare a local pointer with NULL, and callers */
} placing;

static uint64_t align_offset(uint64_t offset, uint64_t align) {
  return (offset + align - 1) / align * align;
}

/* ---- Users of variables ---- */

/* Adds all functions that use a value, directly, through constants, or through calls; false when
 * memory is exhausted. */
static bool add_users(LLVMValueRef value, value_set *to) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool added = false;
    if (LLVMIsAInstruction(user) != NULL) {
      LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
      if (!value_set_add(to, function, &added) || (added && !add_users(function, to)))
        return false;
    } else if (LLVMIsAGlobalValue(user) == NULL && !add_users(user, to)) {
      return false;
    }
  }
  return true;
}

static bool is_local_pointer(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         LLVMGetPointerAddressSpace(type) == TARGET_LOCAL_SPACE;
}

/* Returns whether an instruction compares a local pointer with NULL, or converts it to a number. */
static bool compares_null(LLVMValueRef instruction) {
  LLVMValueRef first = LLVMGetNumOperands(instruction) > 0 ? LLVMGetOperand(instruction, 0) : NULL;
  if (first == NULL || !is_local_pointer(first))
    return false;
  return LLVMIsAPtrToIntInst(instruction) != NULL ||
         (LLVMIsAICmpInst(instruction) != NULL &&
          (LLVMIsNull(first) || LLVMIsNull(LLVMGetOperand(instruction, 1))));
}

static specpi_compiler_result list_comparing(placing *placing) {
  for (LLVMValueRef function = LLVMGetFirstFunction(placing->module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at)) {
        bool added = false;
        if (compares_null(at) && (!value_set_add(&placing->comparing, function, &added) ||
                                  (added && !add_users(function, &placing->comparing))))
          return compiler_error_memory();
      }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result list_variables(placing *placing) {
  for (LLVMValueRef global = LLVMGetFirstGlobal(placing->module); global != NULL;
       global = LLVMGetNextGlobal(global)) {
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != TARGET_LOCAL_SPACE ||
        LLVMIsDeclaration(global))
      continue;
    if (!VECTOR_RESERVE(&placing->variables))
      return compiler_error_memory();
    local_variable *made = &placing->variables.items[placing->variables.count++];
    const unsigned align = LLVMGetAlignment(global);
    *made = (local_variable){
        .variable = global,
        .size = LLVMABISizeOfType(placing->layout, LLVMGlobalGetValueType(global)),
        .align = align != 0 ? align : LLVMPreferredAlignmentOfGlobal(placing->layout, global)};
    if (!add_users(global, &made->functions))
      return compiler_error_memory();
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result list_kernels(placing *placing) {
  for (LLVMValueRef function = LLVMGetFirstFunction(placing->module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    if (LLVMGetFunctionCallConv(function) != LLVMPTXKernelCallConv)
      continue;
    if (!VECTOR_RESERVE(&placing->kernels))
      return compiler_error_memory();
    placing->kernels.items[placing->kernels.count++] = function;
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Places ---- */

static void choose_variables(placing *placing) {
  for (size_t k = 0; k < placing->kernels.count; k++) {
    uint64_t end = 0;
    for (size_t i = 0; i < placing->variables.count; i++) {
      const local_variable *variable = &placing->variables.items[i];
      if (value_set_has(&variable->functions, placing->kernels.items[k]))
        end = align_offset(end, variable->align) + variable->size +
              (placing->comparing.count > 0 ? variable->align : 0);
    }
    for (size_t i = 0; i < placing->variables.count && end > STATIC_MAX; i++)
      placing->variables.items[i].is_moved |=
          value_set_has(&placing->variables.items[i].functions, placing->kernels.items[k]);
  }
}

/* Returns the end of a kernel's placed variables, and of the bytes at address 0 that must be free.
 */
static uint64_t placed_end(const placing *placing, LLVMValueRef kernel) {
  uint64_t end = value_set_has(&placing->comparing, kernel) ? LOCAL_ARGUMENTS_ALIGNMENT : 0;
  for (size_t i = 0; i < placing->variables.count; i++) {
    const local_variable *variable = &placing->variables.items[i];
    if (variable->is_placed && value_set_has(&variable->functions, kernel) &&
        end < variable->offset + variable->size)
      end = variable->offset + variable->size;
  }
  return end;
}

static void place_variable(const placing *placing, local_variable *variable) {
  for (size_t k = 0; k < placing->kernels.count; k++) {
    const uint64_t end = value_set_has(&variable->functions, placing->kernels.items[k])
                             ? placed_end(placing, placing->kernels.items[k])
                             : 0;
    if (variable->offset < end)
      variable->offset = end;
  }
  variable->offset = align_offset(variable->offset, variable->align);
  variable->is_placed = true;
}

/* Replaces a variable by the address at an offset in other memory. */
static void replace_variable(const placing *placing, const local_variable *variable,
                             LLVMValueRef memory, uint64_t at) {
  LLVMContextRef context = LLVMGetModuleContext(placing->module);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), at, 0);
  LLVMReplaceAllUsesWith(variable->variable,
                         LLVMConstGEP2(LLVMInt8TypeInContext(context), memory, &offset, 1));
  LLVMDeleteGlobal(variable->variable);
}

/* Adds padding before a variable that is not moved, so that it is not at address 0. */
static void pad_variable(const placing *placing, const local_variable *variable) {
  LLVMTypeRef type = LLVMArrayType(LLVMInt8TypeInContext(LLVMGetModuleContext(placing->module)),
                                   (unsigned)(variable->align + variable->size));
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(placing->module, type, "__specpi_local_variable",
                                                  TARGET_LOCAL_SPACE);
  LLVMSetInitializer(made, LLVMGetUndef(type));
  LLVMSetLinkage(made, LLVMInternalLinkage);
  LLVMSetAlignment(made, (unsigned)variable->align);
  replace_variable(placing, variable, made, variable->align);
}

/* Sets a kernel's local_memory to the larger of its own need and that of its entry for launches
 * with an offset. */
static specpi_compiler_result note_memory(const placing *placing, specpi_compiler_kernel *kernel) {
  uint64_t end = 0;
  const size_t length = strlen(kernel->name);
  for (size_t k = 0; k < placing->kernels.count; k++) {
    size_t name_length;
    const char *name = LLVMGetValueName2(placing->kernels.items[k], &name_length);
    const uint64_t value =
        strncmp(name, kernel->name, length) == 0 &&
                (name[length] == '\0' || strcmp(name + length, LAUNCH_OFFSET_SUFFIX) == 0)
            ? placed_end(placing, placing->kernels.items[k])
            : 0;
    if (end < value)
      end = value;
  }
  end = align_offset(end, LOCAL_ARGUMENTS_ALIGNMENT);
  COMPILER_REQUIRE(end <= INT32_MAX, SPECPI_COMPILER_ERROR_LIMIT,
                   "kernel '%s' has %llu bytes of local variables", kernel->name,
                   (unsigned long long)end);
  kernel->local_memory = (uint32_t)end;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result place_all(placing *placing, specpi_compiler_output output) {
  COMPILER_TRY(list_variables(placing));
  COMPILER_TRY(list_kernels(placing));
  COMPILER_TRY(list_comparing(placing));
  choose_variables(placing);
  for (size_t i = 0; i < placing->variables.count; i++)
    if (placing->variables.items[i].is_moved)
      place_variable(placing, &placing->variables.items[i]);
  for (size_t i = 0; i < output->kernels.count; i++)
    COMPILER_TRY(note_memory(placing, &output->kernels.items[i]));
  for (size_t i = 0; i < placing->variables.count; i++)
    if (placing->variables.items[i].is_moved)
      replace_variable(placing, &placing->variables.items[i],
                       local_arguments_memory(placing->module), placing->variables.items[i].offset);
    else if (placing->comparing.count > 0)
      pad_variable(placing, &placing->variables.items[i]);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result local_variables_place(LLVMModuleRef module, LLVMTargetDataRef layout,
                                             specpi_compiler_output output) {
  placing placing = {.module = module, .layout = layout};
  const specpi_compiler_result result = place_all(&placing, output);
  for (size_t i = 0; i < placing.variables.count; i++)
    value_set_free(&placing.variables.items[i].functions);
  value_set_free(&placing.comparing);
  free(placing.variables.items);
  free(placing.kernels.items);
  return result;
}
