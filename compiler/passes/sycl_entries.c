#include "sycl_unit.h"

#include "../attributes.h"
#include "../pointer.h"

#include <stdlib.h>
#include <string.h>

static specpi_compiler_result refuse_entry(const sycl_unit *unit, LLVMValueRef function,
                                           const char *why) {
  char *name = sycl_readable_name(function);
  char *where = sycl_readable_place(unit, NULL, function, NULL);
  const bool done = name != NULL && where != NULL;
  if (done)
    compiler_error(SPECPI_COMPILER_ERROR_INVALID_KERNEL, "function '%s'%s %s", name, where, why);
  free(where);
  free(name);
  return done ? SPECPI_COMPILER_ERROR_INVALID_KERNEL : compiler_error_memory();
}

/* Refuses a kernel, maybe because of another one. end is the text after the other kernel's place.
 */
static specpi_compiler_result refuse_kernel(const sycl_unit *unit, const sycl_kernel *kernel,
                                            specpi_compiler_result code, const char *why,
                                            const sycl_kernel *other, const char *end) {
  char *name = sycl_readable_kernel(kernel->name);
  char *where = sycl_readable_kernel_place(unit, kernel->function);
  char *there = other != NULL ? sycl_readable_kernel_place(unit, other->function) : strdup("");
  const bool done = name != NULL && where != NULL && there != NULL;
  if (done)
    compiler_error(code, "kernel '%s'%s %s%s%s", name, where, why, there, end);
  free(there);
  free(where);
  free(name);
  return done ? code : compiler_error_memory();
}

/* ---- Kernels ---- */

/* Reads the kernel's name, which is the call's argument; the caller frees it. */
static specpi_compiler_result read_name(const sycl_unit *unit, LLVMValueRef call, char **ret) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMValueRef global = pointer_global(LLVMGetOperand(call, 0), unit->data_layout);
  LLVMValueRef string = global != NULL ? LLVMGetInitializer(global) : NULL;
  if (!pointer_is_text(string))
    return refuse_entry(unit, caller, "is a kernel whose name is no string literal");
  size_t length;
  const char *bytes = LLVMGetAsString(string, &length);
  if (length > 0 && bytes[length - 1] == '\0')
    length--;
  if (length == 0 || memchr(bytes, '\0', length) != NULL)
    return refuse_entry(unit, caller, "is a kernel whose name is empty, or has a NUL in it");
  *ret = strndup(bytes, length);
  return *ret != NULL ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

static specpi_compiler_result add_kernel(sycl_unit *unit, LLVMValueRef call) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  char *name = NULL;
  COMPILER_TRY(read_name(unit, call, &name));
  if (!VECTOR_RESERVE(&unit->kernels)) {
    free(name);
    return compiler_error_memory();
  }
  const sycl_kernel made = {.function = function, .name = name};
  unit->kernels.items[unit->kernels.count++] = made;
  for (size_t i = 0; i + 1 < unit->kernels.count; i++) {
    const sycl_kernel *other = &unit->kernels.items[i];
    if (other->function == function)
      return refuse_entry(unit, function, "is a kernel twice");
    if (strcmp(other->name, name) == 0)
      return refuse_kernel(unit, &made, SPECPI_COMPILER_ERROR_CONFLICT,
                           "has the name of another kernel of this unit", other,
                           "; each needs its own");
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result find_kernels(sycl_unit *unit) {
  LLVMValueRef mark = LLVMGetNamedFunction(unit->module, SYCL_UNIT_ENTRY);
  if (mark == NULL)
    return SPECPI_COMPILER_SUCCESS;
  LLVMUseRef use;
  while ((use = LLVMGetFirstUse(mark)) != NULL) {
    LLVMValueRef call = LLVMGetUser(use);
    COMPILER_REQUIRE(LLVMIsACallInst(call) != NULL && LLVMGetCalledValue(call) == mark &&
                         LLVMGetNumArgOperands(call) == 1,
                     SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                     SYCL_UNIT_ENTRY " is used otherwise than by calls with one argument");
    COMPILER_TRY(add_kernel(unit, call));
    LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDeleteFunction(mark);
  return SPECPI_COMPILER_SUCCESS;
}

/* Compares kernels by their order in the module; LLVM lists uses from the last to the first. */
static int compare_places(const sycl_unit *unit, const sycl_kernel *left,
                          const sycl_kernel *right) {
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL;
       at = LLVMGetNextFunction(at)) {
    if (at == left->function)
      return -1;
    if (at == right->function)
      return 1;
  }
  return 0;
}

static void sort_kernels(sycl_unit *unit) {
  for (size_t i = 1; i < unit->kernels.count; i++)
    for (size_t j = i;
         j > 0 && compare_places(unit, &unit->kernels.items[j], &unit->kernels.items[j - 1]) < 0;
         j--) {
      const sycl_kernel moved = unit->kernels.items[j];
      unit->kernels.items[j] = unit->kernels.items[j - 1];
      unit->kernels.items[j - 1] = moved;
    }
}

/* ---- Functions of several images ---- */

bool sycl_is_external(LLVMValueRef function) {
  static const char kind[] = "llvm.assume";
  static const char wanted[] = SYCL_UNIT_EXTERNAL;
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind, sizeof kind - 1);
  if (attribute == NULL)
    return false;
  unsigned length;
  const char *list = LLVMGetStringAttributeValue(attribute, &length);
  /* The attribute's value is a list with commas. */
  for (unsigned at = 0; at < length;) {
    const char *end = memchr(list + at, ',', length - at);
    const unsigned size = end != NULL ? (unsigned)(end - (list + at)) : length - at;
    if (size == sizeof wanted - 1 && memcmp(list + at, wanted, size) == 0)
      return true;
    at += size + 1;
  }
  return false;
}

/*
 * Returns whether every unit that uses a function has its own definition: inline functions and
 * templates.
 */
static bool is_own(LLVMLinkage linkage) {
  return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage ||
         linkage == LLVMAvailableExternallyLinkage;
}

static specpi_compiler_result find_exported(sycl_unit *unit) {
  for (LLVMValueRef function = LLVMGetFirstFunction(unit->module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function) || !sycl_is_external(function) ||
        is_own(LLVMGetLinkage(function)))
      continue;
    const LLVMLinkage linkage = LLVMGetLinkage(function);
    if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
      return refuse_entry(unit, function,
                          "is declared SYCL_EXTERNAL, and other units cannot name it");
    if (!VECTOR_RESERVE(&unit->exported))
      return compiler_error_memory();
    unit->exported.items[unit->exported.count++] = function;
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_entries_find(sycl_unit *unit) {
  COMPILER_TRY(find_kernels(unit));
  sort_kernels(unit);
  return find_exported(unit);
}

/* ---- Checks of kernels ---- */

/* Returns whether an argument is passed by value, as a kernel's function object must be. */
static bool is_passed(LLVMValueRef function, unsigned index) {
  return LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, index))) != LLVMPointerTypeKind ||
         LLVMGetEnumAttributeAtIndex(function, index + 1, attributes_kind("byval")) != NULL;
}

static specpi_compiler_result check_kernel(const sycl_unit *unit, const sycl_kernel *kernel) {
  const specpi_compiler_result code = SPECPI_COMPILER_ERROR_INVALID_KERNEL;
  LLVMTypeRef type = LLVMGlobalGetValueType(kernel->function);
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) != LLVMVoidTypeKind || LLVMIsFunctionVarArg(type))
    return refuse_kernel(unit, kernel, code,
                         "returns a value, or has a variable number of arguments", NULL, "");
  for (unsigned i = 0; i < LLVMCountParams(kernel->function); i++)
    if (!is_passed(kernel->function, i))
      return refuse_kernel(unit, kernel, code,
                           "has a function object that is not trivially copyable, which a device "
                           "cannot be given",
                           NULL, "");
  /* Uses that are still live are calls from other kernels or exported functions. */
  if (pointer_is_live(kernel->function))
    return refuse_kernel(unit, kernel, code,
                         "is called by another kernel or by an exported function", NULL, "");
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_entries_finish(sycl_unit *unit) {
  for (size_t i = 0; i < unit->kernels.count; i++) {
    const sycl_kernel *kernel = &unit->kernels.items[i];
    COMPILER_TRY(check_kernel(unit, kernel));
    LLVMSetFunctionCallConv(kernel->function, LLVMSPIRKERNELCallConv);
    LLVMSetLinkage(kernel->function, LLVMExternalLinkage);
    /* The type's typeinfo may already have the kernel's name. */
    LLVMValueRef other = LLVMGetNamedGlobal(unit->module, kernel->name);
    if (other == NULL)
      other = LLVMGetNamedFunction(unit->module, kernel->name);
    if (other != NULL && other != kernel->function)
      LLVMSetValueName2(other, "", 0);
    LLVMSetValueName2(kernel->function, kernel->name, strlen(kernel->name));
  }
  return SPECPI_COMPILER_SUCCESS;
}
