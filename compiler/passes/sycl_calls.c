/*
 * Calls of functions of other images. Whether such an image exists is known only when a program
 * runs, so this records text about the call for the runtime's error message.
 */
#define _GNU_SOURCE /* asprintf */
#include "sycl_notes.h"
#include "sycl_unit.h"

#include "../calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the first call of a function in the module, or NULL. */
static LLVMValueRef first_call(LLVMValueRef function) {
  LLVMValueRef call = NULL;
  /* LLVM lists uses from the last to the first. */
  for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use))
    if (called_function(LLVMGetUser(use)) == function)
      call = LLVMGetUser(use);
  return call;
}

/* Returns a text like "'f(int)', which kernel 'K' calls (FILE:LINE), in 'g()'", which the caller
 * frees; NULL when memory is exhausted. */
static char *describe_call(const sycl_unit *unit, LLVMValueRef function, const sycl_kernel *root,
                           LLVMValueRef call) {
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  char *kernel = root != NULL ? sycl_readable_kernel(root->name) : strdup("");
  char *name = sycl_readable_name(function);
  char *from = sycl_readable_name(caller);
  char *where = sycl_readable_place(unit, root != NULL ? root->function : NULL, caller, call);
  char *text = NULL;
  int size = -1;
  if (kernel != NULL && name != NULL && from != NULL && where != NULL)
    size = root != NULL ? asprintf(&text, "'%s', which kernel '%s' calls%s, in '%s'", name, kernel,
                                   where, from)
                        : asprintf(&text, "'%s', which '%s' calls%s", name, from, where);
  free(where);
  free(from);
  free(name);
  free(kernel);
  return size < 0 ? NULL : text;
}

static specpi_compiler_result note_call(const sycl_unit *unit, LLVMValueRef function,
                                        LLVMValueRef call) {
  const sycl_kernel *root;
  COMPILER_TRY(
      sycl_find_kernel(unit, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)), &root));
  char *text = describe_call(unit, function, root, call);
  if (text == NULL)
    return compiler_error_memory();
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  sycl_notes_add(unit->module, SYCL_CALLS_METADATA, name, text);
  free(text);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_calls_note(const sycl_unit *unit) {
  for (LLVMValueRef at = LLVMGetFirstFunction(unit->module); at != NULL;
       at = LLVMGetNextFunction(at)) {
    LLVMValueRef call = LLVMIsDeclaration(at) && sycl_is_external(at) ? first_call(at) : NULL;
    if (call != NULL)
      COMPILER_TRY(note_call(unit, at, call));
  }
  return SPECPI_COMPILER_SUCCESS;
}
