#include "launch_offset.h"

#include "../attributes.h"
#include "../callers.h"
#include "../calls.h"
#include "../target.h"
#include "../visit.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ID_NAME "_Z13get_global_idj"
#define OFFSET_NAME "_Z17get_global_offsetj"

/* Mark on a function that calls get_global_id or get_global_offset, directly or indirectly. */
#define ASKS "specpi-asks-for-offset"
/* Mark on a function that may still call them outside of itself after inlining, directly or
 * indirectly. */
#define HIDES "specpi-hides-offset"

#define DIMENSIONS 3

/* The entries' module, while it is made. */
typedef struct splitting {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  specpi_compiler_output output;
  /* get_global_id, and the declarations that replace it and get_global_offset until the offset is
   * written; NULL if the module does not call them. */
  LLVMValueRef id, asked_id, asked_offset;
  VECTOR(LLVMValueRef) entries;
} splitting;

/* ---- Functions ---- */

/*
 * Returns whether a function has uses that are not direct calls. Uses by unused constants do not
 * count.
 */
static bool is_pointed_to(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAConstantExpr(user) != NULL && LLVMGetFirstUse(user) == NULL)
      continue;
    if (called_function(user) != function)
      return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == function)
        return true;
  }
  return false;
}

/* ---- Calls that ask for the offset ---- */

/* Returns an OpenCL function that maps a dimension to a number; NULL if the module has none of that
 * name and type. */
static LLVMValueRef find_function(LLVMModuleRef module, const char *name) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (function == NULL || LLVMCountParams(function) != 1)
    return NULL;
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  return LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMIntegerTypeKind &&
                 LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, 0))) == LLVMIntegerTypeKind &&
                 !LLVMIsFunctionVarArg(type)
             ? function
             : NULL;
}

/* Replaces a function by a new declaration, so that calls of it are not inlined. */
static LLVMValueRef ask_for(LLVMModuleRef module, LLVMValueRef function) {
  if (function == NULL)
    return NULL;
  LLVMValueRef made = LLVMAddFunction(module, "", LLVMGlobalGetValueType(function));
  LLVMReplaceAllUsesWith(function, made);
  return made;
}

static specpi_compiler_result mark_asking(splitting *splitting) {
  splitting->id = find_function(splitting->module, ID_NAME);
  splitting->asked_id = ask_for(splitting->module, splitting->id);
  splitting->asked_offset =
      ask_for(splitting->module, find_function(splitting->module, OFFSET_NAME));
  if (splitting->id !=
      NULL) /* keeps it until real_id calls it; an unused internal one is removed */
    LLVMSetLinkage(splitting->id, LLVMExternalLinkage);
  if (splitting->asked_id != NULL)
    COMPILER_TRY(callers_mark_users(splitting->asked_id, ASKS));
  if (splitting->asked_offset != NULL)
    COMPILER_TRY(callers_mark_users(splitting->asked_offset, ASKS));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Entries ---- */

static void move_body(LLVMValueRef kernel, LLVMValueRef entry) {
  LLVMBasicBlockRef block;
  while ((block = LLVMGetFirstBasicBlock(kernel)) != NULL) {
    LLVMRemoveBasicBlockFromParent(block);
    LLVMAppendExistingBasicBlock(entry, block);
  }
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
    LLVMReplaceAllUsesWith(LLVMGetParam(kernel, i), LLVMGetParam(entry, i));
  /* Replaces uses in metadata, e.g. the kernel's required size. */
  LLVMReplaceAllUsesWith(kernel, entry);
  LLVMDeleteFunction(kernel);
}

/* Replaces a kernel by its entry with the given name. types has space for the entry's parameters.
 */
static specpi_compiler_result make_entry(splitting *splitting, LLVMValueRef kernel,
                                         const char *name, LLVMTypeRef *types) {
  const unsigned count = LLVMCountParams(kernel);
  LLVMTypeRef type = LLVMGlobalGetValueType(kernel);
  COMPILER_REQUIRE(LLVMGetNamedFunction(splitting->module, name) == NULL &&
                       LLVMGetNamedGlobal(splitting->module, name) == NULL,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "'%s' is the name of a kernel's entry for launches with an offset, and "
                   "something else has it",
                   name);
  LLVMGetParamTypes(type, types);
  types[count] = LLVMArrayType(LLVMInt32TypeInContext(splitting->context), DIMENSIONS);
  if (!VECTOR_RESERVE(&splitting->entries))
    return compiler_error_memory();
  LLVMValueRef made = LLVMAddFunction(
      splitting->module, name, LLVMFunctionType(LLVMGetReturnType(type), types, count + 1, 0));
  LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(kernel));
  callers_remove_mark(kernel, ASKS);
  COMPILER_TRY(attributes_copy_all(kernel, made, count, false));
  move_body(kernel, made);
  splitting->entries.items[splitting->entries.count++] = made;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_kernel(splitting *splitting, const char *kernel_name) {
  LLVMValueRef kernel = LLVMGetNamedFunction(splitting->module, kernel_name);
  if (!callers_has_mark(kernel, ASKS)) {
    LLVMDeleteFunction(kernel);
    return SPECPI_COMPILER_SUCCESS;
  }
  const size_t size = strlen(kernel_name) + sizeof LAUNCH_OFFSET_SUFFIX;
  char *name = malloc(size);
  LLVMTypeRef *types = calloc(LLVMCountParams(kernel) + 1u, sizeof(LLVMTypeRef));
  specpi_compiler_result result;
  if (name == NULL || types == NULL) {
    result = compiler_error_memory();
  } else {
    snprintf(name, size, "%s%s", kernel_name, LAUNCH_OFFSET_SUFFIX);
    result = make_entry(splitting, kernel, name, types);
  }
  free(types);
  free(name);
  return result;
}

/* ---- Calls that were not inlined ---- */

static bool asks_by_pointer(const splitting *splitting) {
  if ((splitting->asked_id != NULL && is_pointed_to(splitting->asked_id)) ||
      (splitting->asked_offset != NULL && is_pointed_to(splitting->asked_offset)))
    return true;
  for (LLVMValueRef function = LLVMGetFirstFunction(splitting->module); function != NULL;
       function = LLVMGetNextFunction(function))
    if (callers_has_mark(function, ASKS) && is_pointed_to(function))
      return true;
  return false;
}

static bool hides(const splitting *splitting, LLVMValueRef instruction, bool by_pointer) {
  if (LLVMIsACallInst(instruction) == NULL)
    return false;
  LLVMValueRef callee = called_function(instruction);
  size_t length;
  if (callee != NULL) /* imported functions of other images may ask, too */
    return callers_has_mark(callee, ASKS) ||
           (LLVMIsDeclaration(callee) &&
            output_has(&splitting->output->imported, LLVMGetValueName2(callee, &length)));
  return by_pointer && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) == NULL;
}

/* Marks functions and entries with calls that may ask for the offset but were not inlined. */
static specpi_compiler_result mark_hiding(const splitting *splitting) {
  const bool by_pointer = asks_by_pointer(splitting);
  for (LLVMValueRef function = LLVMGetFirstFunction(splitting->module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at))
        if (hides(splitting, at, by_pointer))
          COMPILER_TRY(callers_mark(function, HIDES));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The offset ---- */

static void replace_instruction(LLVMValueRef instruction, LLVMValueRef value) {
  LLVMReplaceAllUsesWith(instruction, value);
  LLVMInstructionEraseFromParent(instruction);
}

/* Builds the offset of a dimension, which need not be constant; 0 if there is no such dimension. */
static LLVMValueRef offset_of(const splitting *splitting, LLVMValueRef entry,
                              LLVMValueRef dimension, LLVMTypeRef type) {
  LLVMValueRef all = LLVMGetParam(entry, LLVMCountParams(entry) - 1);
  LLVMValueRef value = LLVMConstNull(LLVMInt32TypeInContext(splitting->context));
  for (unsigned i = 0; i < DIMENSIONS; i++) {
    LLVMValueRef is = LLVMBuildICmp(splitting->builder, LLVMIntEQ, dimension,
                                    LLVMConstInt(LLVMTypeOf(dimension), i, 0), "");
    if (!LLVMIsNull(is)) /* null: a constant dimension that is not i */
      value = LLVMBuildSelect(splitting->builder, is,
                              LLVMBuildExtractValue(splitting->builder, all, i, ""), value, "");
  }
  return LLVMBuildZExtOrBitCast(splitting->builder, value, type, "");
}

static LLVMValueRef real_id(const splitting *splitting, LLVMValueRef instruction) {
  LLVMValueRef dimension = LLVMGetOperand(instruction, 0);
  return LLVMBuildCall2(splitting->builder, LLVMGlobalGetValueType(splitting->id), splitting->id,
                        &dimension, 1, "");
}

static void add_offset(void *data, LLVMValueRef instruction) {
  const splitting *splitting = data;
  LLVMValueRef callee = called_function(instruction);
  if (callee == NULL || (callee != splitting->asked_id && callee != splitting->asked_offset))
    return;
  LLVMValueRef entry = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  LLVMPositionBuilderBefore(splitting->builder, instruction);
  LLVMValueRef value =
      offset_of(splitting, entry, LLVMGetOperand(instruction, 0), LLVMTypeOf(instruction));
  if (callee == splitting->asked_id)
    value = LLVMBuildAdd(splitting->builder, real_id(splitting, instruction), value, "");
  replace_instruction(instruction, value);
}

/* Replaces a call outside of the entries: the id is the launch's own, the offset is 0. */
static void leave_offset(void *data, LLVMValueRef instruction) {
  const splitting *splitting = data;
  LLVMValueRef callee = called_function(instruction);
  if (callee == NULL || (callee != splitting->asked_id && callee != splitting->asked_offset))
    return;
  LLVMPositionBuilderBefore(splitting->builder, instruction);
  replace_instruction(instruction, callee == splitting->asked_id
                                       ? real_id(splitting, instruction)
                                       : LLVMConstNull(LLVMTypeOf(instruction)));
}

/* Writes the offset into the entries. Removes entries with calls that could not be inlined. */
static void settle_entries(splitting *splitting) {
  size_t kept = 0;
  for (size_t i = 0; i < splitting->entries.count; i++) {
    LLVMValueRef entry = splitting->entries.items[i];
    if (callers_has_mark(entry, HIDES)) {
      LLVMDeleteFunction(entry);
      continue;
    }
    visit_function(entry, add_offset, splitting);
    splitting->entries.items[kept++] = entry;
  }
  splitting->entries.count = kept;
  for (LLVMValueRef function = LLVMGetFirstFunction(splitting->module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    visit_function(function, leave_offset, splitting);
    callers_remove_mark(function, ASKS);
    callers_remove_mark(function, HIDES);
  }
  if (splitting->id == NULL)
    return;
  LLVMReplaceAllUsesWith(splitting->asked_id, splitting->id); /* uses that are not calls */
  if (!LLVMIsDeclaration(splitting->id))
    LLVMSetLinkage(splitting->id, LLVMInternalLinkage);
}

/* ---- Variables ---- */

static bool is_of_llvm(LLVMValueRef global) {
  size_t length;
  return strncmp(LLVMGetValueName2(global, &length), "llvm.", strlen("llvm.")) == 0;
}

/* Returns whether kernels and entries must share a variable. All others may be duplicated. */
static bool is_shared(LLVMValueRef global) {
  return !LLVMIsDeclaration(global) && !LLVMIsGlobalConstant(global) && !is_of_llvm(global) &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != TARGET_LOCAL_SPACE;
}

/* Makes the shared variables of the kernels' module external, so that the entries' module links
 * with them. */
static specpi_compiler_result show_variables(LLVMModuleRef module, launch_offset *to) {
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global != NULL;
       global = LLVMGetNextGlobal(global)) {
    size_t length;
    if (!is_shared(global) || LLVMGetLinkage(global) == LLVMExternalLinkage)
      continue;
    if (!VECTOR_RESERVE(&to->variables))
      return compiler_error_memory();
    LLVMGetValueName2(global, &length);
    if (length == 0)
      LLVMSetValueName2(global, "unnamed", strlen("unnamed"));
    to->variables.items[to->variables.count++] =
        (launch_offset_variable){.variable = global, .linkage = LLVMGetLinkage(global)};
    LLVMSetLinkage(global, LLVMExternalLinkage);
  }
  return SPECPI_COMPILER_SUCCESS;
}

static void hide_variables(const launch_offset *offset) {
  for (size_t i = 0; i < offset->variables.count; i++)
    LLVMSetLinkage(offset->variables.items[i].variable, offset->variables.items[i].linkage);
}

/* Makes the entries' module use the kernels' shared variables, and makes all others internal. */
static void settle_variables(LLVMModuleRef entries) {
  LLVMValueRef next;
  for (LLVMValueRef global = LLVMGetFirstGlobal(entries); global != NULL; global = next) {
    next = LLVMGetNextGlobal(global);
    if (is_of_llvm(global)) {
      if (LLVMGetFirstUse(global) == NULL)
        LLVMDeleteGlobal(global);
      continue;
    }
    LLVMSetComdat(global, NULL);
    if (is_shared(global))
      LLVMSetLinkage(global, LLVMAvailableExternallyLinkage);
    else if (!LLVMIsDeclaration(global))
      LLVMSetLinkage(global, LLVMInternalLinkage);
  }
}

/* Makes the entries' copies of exported functions internal; the kernels' module exports them. */
static void hide_exported(LLVMModuleRef module, specpi_compiler_output output) {
  for (size_t i = 0; i < output->exported.count; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, output->exported.items[i]);
    if (function != NULL && !LLVMIsDeclaration(function))
      LLVMSetLinkage(function, LLVMInternalLinkage);
  }
}

/* ---- The whole ---- */

static specpi_compiler_result make_entries(splitting *splitting, LLVMTargetMachineRef machine,
                                           specpi_compiler_output output) {
  hide_exported(splitting->module, output);
  COMPILER_TRY(mark_asking(splitting));
  for (size_t i = 0; i < output->kernels.count; i++)
    COMPILER_TRY(replace_kernel(splitting, output->kernels.items[i].name));
  settle_variables(splitting->module);
  COMPILER_TRY(callers_inline(splitting->module, machine, ASKS));
  COMPILER_TRY(mark_hiding(splitting));
  settle_entries(splitting);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result launch_offset_split(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                           specpi_compiler_output output, launch_offset *ret) {
  *ret = (launch_offset){0};
  if (find_function(module, ID_NAME) == NULL && find_function(module, OFFSET_NAME) == NULL)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(show_variables(module, ret));
  ret->entries = LLVMCloneModule(module);
  LLVMStripModuleDebugInfo(ret->entries);
  splitting splitting = {
      .module = ret->entries, .context = LLVMGetModuleContext(module), .output = output};
  splitting.builder = LLVMCreateBuilderInContext(splitting.context);
  const specpi_compiler_result result = make_entries(&splitting, machine, output);
  if (result == SPECPI_COMPILER_SUCCESS && splitting.entries.count == 0) {
    hide_variables(ret);
    launch_offset_free(ret);
    *ret = (launch_offset){0};
  }
  LLVMDisposeBuilder(splitting.builder);
  free(splitting.entries.items);
  return result;
}

void launch_offset_clear(LLVMModuleRef module) {
  splitting splitting = {.module = module, .asked_offset = find_function(module, OFFSET_NAME)};
  if (splitting.asked_offset == NULL)
    return;
  splitting.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  visit_instructions(module, leave_offset, &splitting);
  LLVMDisposeBuilder(splitting.builder);
}

static bool has_shared_variables(LLVMModuleRef module) {
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global != NULL;
       global = LLVMGetNextGlobal(global))
    if (is_shared(global))
      return true;
  return false;
}

/* Returns the first function after last; NULL if not all functions after last are entries. */
static LLVMValueRef first_entry(LLVMValueRef last) {
  LLVMValueRef first = NULL;
  for (LLVMValueRef function = LLVMGetNextFunction(last); function != NULL;
       function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function))
      continue;
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    const size_t suffix = strlen(LAUNCH_OFFSET_SUFFIX);
    if (LLVMGetLinkage(function) == LLVMInternalLinkage || length < suffix ||
        strcmp(name + length - suffix, LAUNCH_OFFSET_SUFFIX) != 0)
      return NULL;
    if (first == NULL)
      first = function;
  }
  return first;
}

specpi_compiler_result launch_offset_join(LLVMModuleRef module, launch_offset *offset) {
  if (offset->entries == NULL)
    return SPECPI_COMPILER_SUCCESS;
  LLVMModuleRef entries = offset->entries;
  LLVMValueRef last = LLVMGetLastFunction(module);
  offset->entries = NULL; /* LLVMLinkModules2 disposes of the module */
  COMPILER_REQUIRE(!LLVMLinkModules2(module, entries), SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM cannot link the entries for launches with an offset");
  /* Without shared variables, the driver may load the kernels with or without the entries.
   * Otherwise each loaded module would have its own variables. */
  if (!has_shared_variables(module))
    offset->first = first_entry(last);
  hide_variables(offset);
  return SPECPI_COMPILER_SUCCESS;
}

void launch_offset_free(launch_offset *offset) {
  if (offset->entries != NULL)
    LLVMDisposeModule(offset->entries);
  free(offset->variables.items);
}
