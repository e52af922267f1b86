/*
 * Replaces types that devices lack. No kernel computes with them: they are members of a function
 * object, or types that pointers point to. But the translator to SPIR-V refuses them, so types of
 * the same size and alignment take their place. The replacement is done in the module's text,
 * because typed pointers may contain the types.
 */
#include "sycl_unit.h"

#include <ctype.h>
#include <llvm-c/IRReader.h>
#include <stdlib.h>
#include <string.h>

#define SAME_SIZE "<2 x i64>"

static const char *const words[] = {"x86_fp80", "fp128", "i128"};
#define WORD_COUNT (sizeof words / sizeof words[0])

static bool is_in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '-' || c == '"';
}

/* Returns the length of the type's name that starts as a whole word at a place; 0 if none does. */
static size_t word_size(const char *text, const char *at) {
  for (size_t i = 0; i < WORD_COUNT; i++) {
    const size_t size = strlen(words[i]);
    if (strncmp(at, words[i], size) == 0 && !is_in_name(at[size]) &&
        (at == text || (!is_in_name(at[-1]) && at[-1] != '%' && at[-1] != '@')))
      return size;
  }
  return 0;
}

/* Copies the text with other types. Returns NULL when memory is exhausted. *any is set if there
 * were any to replace. */
static char *replace_types(const char *text, bool *any) {
  size_t count = 0;
  for (const char *at = text; *at != '\0'; at++)
    if (word_size(text, at) != 0)
      count++;
  *any = count > 0;
  char *made = malloc(strlen(text) + count * strlen(SAME_SIZE) + 1);
  char *to = made;
  for (const char *at = text; made != NULL && *at != '\0';) {
    const size_t size = word_size(text, at);
    if (size == 0) {
      *to++ = *at++;
      continue;
    }
    memcpy(to, SAME_SIZE, strlen(SAME_SIZE));
    to += strlen(SAME_SIZE);
    at += size;
  }
  if (made != NULL)
    *to = '\0';
  return made;
}

static specpi_compiler_result read_again(sycl_unit *unit, const char *text) {
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "kernels");
  LLVMModuleRef made;
  char *message = NULL;
  if (LLVMParseIRInContext(unit->context, buffer, &made, &message)) {
    compiler_error(SPECPI_COMPILER_ERROR_INVALID_KERNEL,
                   "the kernels have types of 128 bits that cannot be left out: %s",
                   message != NULL ? message : "");
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_INVALID_KERNEL;
  }
  LLVMDisposeModule(unit->module);
  unit->module = made;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result sycl_types_replace(sycl_unit *unit) {
  char *text = LLVMPrintModuleToString(unit->module);
  bool any;
  char *made = replace_types(text, &any);
  LLVMDisposeMessage(text);
  if (made == NULL)
    return compiler_error_memory();
  const specpi_compiler_result result = any ? read_again(unit, made) : SPECPI_COMPILER_SUCCESS;
  free(made);
  return result;
}
