#include "identifiable_class.h"

#include "../note.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* X(class, kind): the kinds that include/sycl marks classes with; clang drops the marks. */
#define CLASSES(X)                                                                                 \
  X("specialization_id", "specialization_id")                                                      \
  X("spec_id", "specialization_id")                                                                \
  X("device_global", "device_global")

/* Operands of nodes. Types and namespaces have the scope and the name at the same places. */
enum { SCOPE = 1, NAME = 2, BASE_TYPE = 3, VARIABLE_SCOPE = 0, VARIABLE_TYPE = 3 };

static LLVMMetadataKind kind_of(LLVMValueRef node) {
  return LLVMGetMetadataKind(LLVMValueAsMetadata(node));
}

/* Returns an operand of a node; NULL if it has no such operand. */
static LLVMValueRef operand_of(LLVMValueRef node, unsigned index) {
  enum { MOST = 32 };
  LLVMValueRef operands[MOST];
  const unsigned count = LLVMGetMDNodeNumOperands(node);
  if (index >= count || count > MOST)
    return NULL;
  LLVMGetMDNodeOperands(node, operands);
  return operands[index];
}

/* Returns whether a node has a name, apart from the arguments of a template. */
static bool is_named(LLVMValueRef node, const char *expected) {
  LLVMValueRef name = operand_of(node, NAME);
  unsigned length = 0;
  const char *text = name != NULL ? LLVMGetMDString(name, &length) : NULL;
  const char *arguments = text != NULL ? memchr(text, '<', length) : NULL;
  const size_t size = arguments != NULL ? (size_t)(arguments - text) : length;
  return text != NULL && size == strlen(expected) && memcmp(text, expected, size) == 0;
}

/* Returns whether the scope of a class is the namespace sycl or a namespace inside. */
static bool is_in_sycl(LLVMValueRef class) {
  LLVMValueRef outermost = NULL;
  for (LLVMValueRef at = operand_of(class, SCOPE);
       at != NULL && kind_of(at) == LLVMDINamespaceMetadataKind; at = operand_of(at, SCOPE))
    outermost = at;
  return outermost != NULL && is_named(outermost, "sycl");
}

/* Returns the class of a variable, without const and aliases; NULL if its type is no class. */
static LLVMValueRef class_of(LLVMValueRef variable) {
  LLVMValueRef type = operand_of(variable, VARIABLE_TYPE);
  while (type != NULL && kind_of(type) == LLVMDIDerivedTypeMetadataKind)
    type = operand_of(type, BASE_TYPE);
  return type != NULL && kind_of(type) == LLVMDICompositeTypeMetadataKind ? type : NULL;
}

static bool is_local(LLVMValueRef variable) {
  LLVMValueRef scope = operand_of(variable, VARIABLE_SCOPE);
  const LLVMMetadataKind kind = scope != NULL ? kind_of(scope) : LLVMDIFileMetadataKind;
  return kind == LLVMDISubprogramMetadataKind || kind == LLVMDILexicalBlockMetadataKind ||
         kind == LLVMDILexicalBlockFileMetadataKind;
}

static const char *described_kind(LLVMValueRef variable) {
  LLVMValueRef class = class_of(variable);
  if (class == NULL || !is_in_sycl(class))
    return NULL;
#define CLASS(name, kind)                                                                          \
  if (is_named(class, name))                                                                       \
    return kind;
  CLASSES(CLASS)
#undef CLASS
  return NULL;
}

/* ---- Variables without a description ---- */

/* Returns whether a variable is one that the source does not declare: clang's own, or a temporary
 * that a reference keeps. */
static bool is_made_by_clang(LLVMValueRef global, const char *name) {
  static const char *const prefixes[] = {"_ZT", "_ZG", "__", "llvm."};
  for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return LLVMGetLinkage(global) == LLVMPrivateLinkage;
}

/* Returns the kind by the name of LLVM's type, such as "class.sycl::specialization_id.4". */
static const char *kind_of_type(const char *type) {
  static const char in_sycl[] = ".sycl::";
  const char *class = strchr(type, '.');
  if (class == NULL || strncmp(class, in_sycl, sizeof in_sycl - 1) != 0)
    return NULL;
  for (const char *at = class; at != NULL; at = strstr(at, "::"))
    class = at += 2;
  const size_t size = strcspn(class, ".");
#define CLASS(name, kind)                                                                          \
  if (size == strlen(name) && memcmp(class, name, size) == 0)                                      \
    return kind;
  CLASSES(CLASS)
#undef CLASS
  return NULL;
}

/* Finds the kind of a variable with the attribute nodebug. */
static specpi_compiler_result find_undescribed(LLVMValueRef global, const char *name,
                                               const char **ret) {
  const char *type = LLVMGetStructName(LLVMGlobalGetValueType(global));
  if (is_made_by_clang(global, name))
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_REQUIRE(type != NULL, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "variable '%s' has no debug information, which its class is read from; remove "
                   "its attribute nodebug",
                   name);
  *ret = kind_of_type(type);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result identifiable_class_find_kind(LLVMValueRef global, const char **ret) {
  *ret = NULL;
  /* References and arrays have the class in their descriptions, too. */
  if (LLVMGetTypeKind(LLVMGlobalGetValueType(global)) != LLVMStructTypeKind)
    return SPECPI_COMPILER_SUCCESS;
  note described;
  COMPILER_TRY(note_read(global, "dbg", &described));
  LLVMValueRef variable = described.count > 0 ? described.operands[0] : NULL;
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  const char *kind = NULL;
  bool local = strncmp(name, "_ZZ", 3) == 0;
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (variable != NULL && kind_of(variable) == LLVMDIGlobalVariableMetadataKind) {
    kind = described_kind(variable);
    local = is_local(variable);
  } else {
    result = find_undescribed(global, name, &kind);
  }
  note_free(&described);
  COMPILER_TRY(result);
  COMPILER_REQUIRE(kind == NULL || !local, SPECPI_COMPILER_ERROR_INVALID_NAME,
                   "variable '%s' is local to a function; variables that have ids are declared in "
                   "a namespace, or as static members of a class",
                   name);
  *ret = kind;
  return SPECPI_COMPILER_SUCCESS;
}
