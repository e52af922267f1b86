/*
 * Uses of specialization constants in a module: calls of functions that SYCL's device headers
 * declare, and of LLVM's alloca intrinsic for SYCL.
 */
#ifndef COMPILER_USES_H
#define COMPILER_USES_H

#include "../plugins/base/vector.h"
#include "error.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/*
 * X(KIND, prefix): prefixes of the declarations' names. The arguments of GET (SYCL 2020) are (name,
 * default, buffer). Those of LEGACY are (name), and the default is zero. Both return the value, or
 * store it through a struct-return parameter before the others. The arguments of ALLOCA are (name,
 * default, buffer, zero of the element type, alignment), and it returns the memory. Functions of
 * types that only one unit knows are static, and have an L after _Z.
 */
#define COMPILER_USES(X)                                                                           \
  X(GET, "_Z37__sycl_getScalar2020SpecConstantValue")                                              \
  X(GET, "_Z40__sycl_getComposite2020SpecConstantValue")                                           \
  X(LEGACY, "_Z33__sycl_getScalarSpecConstantValue")                                               \
  X(LEGACY, "_Z36__sycl_getCompositeSpecConstantValue")                                            \
  X(ALLOCA, "llvm.sycl.alloca.")

typedef enum use_kind { USE_GET, USE_LEGACY, USE_ALLOCA } use_kind;

/* Returns whether a name of length bytes is that of such a declaration, and sets *kind. */
static inline bool use_has_name(const char *name, size_t length, use_kind *kind) {
  static const struct {
    use_kind kind;
    const char *prefix;
    size_t length;
  } prefixes[] = {
#define COMPILER_USE(KIND, prefix) {USE_##KIND, prefix, sizeof(prefix) - 1},
      COMPILER_USES(COMPILER_USE)
#undef COMPILER_USE
  };
  /* Skips the L of a static function. */
  const size_t skip = length > 3 && memcmp(name, "_ZL", 3) == 0 ? 3 : 2;
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (length >= prefixes[i].length - 2 + skip && memcmp(name, prefixes[i].prefix, 2) == 0 &&
        memcmp(name + skip, prefixes[i].prefix + 2, prefixes[i].length - 2) == 0) {
      *kind = prefixes[i].kind;
      return true;
    }
  return false;
}

/*
 * Returns the C++ type that such a function reads: the first template argument in its readable
 * name. The caller frees it. NULL if there is none, or memory is exhausted.
 */
static inline char *use_type_name(const char *readable) {
  static const char before[] = "SpecConstantValue<";
  const char *start = strstr(readable, before);
  if (start == NULL)
    return NULL;
  start += sizeof before - 1;
  const char *end = start;
  for (int depth = 0; *end != '\0' && (depth > 0 || (*end != ',' && *end != '>')); end++)
    if (strchr("<([{", *end) != NULL)
      depth++;
    else if (strchr(">)]}", *end) != NULL)
      depth--;
  const size_t size = (size_t)(end - start);
  char *type = malloc(size + 1);
  if (type != NULL) {
    memcpy(type, start, size);
    type[size] = '\0';
  }
  return type;
}

/* One use. */
typedef struct use {
  use_kind kind;
  LLVMValueRef call;
  LLVMValueRef caller; /* the function that contains the call */
  LLVMValueRef result; /* the struct-return pointer, or NULL if the call returns the value */
  LLVMValueRef name;   /* the argument */
  LLVMValueRef default_object; /* the argument; NULL for LEGACY */
  LLVMValueRef buffer;         /* the argument; NULL for LEGACY */
  LLVMTypeRef type; /* type of the constant; NULL for ALLOCA, where it is the default's type */
} use;

typedef VECTOR(use) use_list;

/*
 * Returns whether a value is a declaration of one of the functions above, and sets *kind.
 */
bool use_is_getter(LLVMValueRef function, use_kind *kind);

/* Reads the arguments of a use again, after values in its call were replaced. */
void use_read_again(use *use);

/*
 * Lists all uses in program order. Calls through pointers, and other uses of the functions, do not
 * count. The caller frees list->items. INVALID_CALL: a call lacks arguments or a result;
 * OUT_OF_MEMORY.
 */
specpi_compiler_result uses_find(LLVMModuleRef module, use_list *list);

#endif
