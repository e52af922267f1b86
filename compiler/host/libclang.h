/*
 * libclang's functions, found at run time: specpi-cc runs where there is no libclang, and what
 * needs it says so. libclang.NAME(...) is clang_NAME(...), once libclang_load has succeeded.
 */
#ifndef COMPILER_HOST_LIBCLANG_H
#define COMPILER_HOST_LIBCLANG_H

#include "host.h"

#include <clang-c/Index.h>

/* X(NAME): every function that is called. */
#define LIBCLANG_FUNCTIONS(X)                                                                      \
  X(CXCursorSet_contains)                                                                          \
  X(CXCursorSet_insert)                                                                            \
  X(Cursor_getMangling)                                                                            \
  X(Cursor_getNumTemplateArguments)                                                                \
  X(Cursor_getTemplateArgumentType)                                                                \
  X(Cursor_isAnonymous)                                                                            \
  X(Cursor_isInlineNamespace)                                                                      \
  X(Cursor_isNull)                                                                                 \
  X(EnumDecl_isScoped)                                                                             \
  X(File_isEqual)                                                                                  \
  X(Location_isInSystemHeader)                                                                     \
  X(Type_getNumTemplateArguments)                                                                  \
  X(Type_getTemplateArgumentAsType)                                                                \
  X(Type_visitFields)                                                                              \
  X(createCXCursorSet)                                                                             \
  X(createIndex)                                                                                   \
  X(disposeCXCursorSet)                                                                            \
  X(disposeDiagnostic)                                                                             \
  X(disposeIndex)                                                                                  \
  X(disposeString)                                                                                 \
  X(disposeTranslationUnit)                                                                        \
  X(equalTypes)                                                                                    \
  X(getArrayElementType)                                                                           \
  X(getCString)                                                                                    \
  X(getCXXAccessSpecifier)                                                                         \
  X(getCanonicalCursor)                                                                            \
  X(getCanonicalType)                                                                              \
  X(getCursorDefinition)                                                                           \
  X(getCursorKind)                                                                                 \
  X(getCursorLinkage)                                                                              \
  X(getCursorLocation)                                                                             \
  X(getCursorPrettyPrinted)                                                                        \
  X(getCursorReferenced)                                                                           \
  X(getCursorSemanticParent)                                                                       \
  X(getCursorSpelling)                                                                             \
  X(getCursorTLSKind)                                                                              \
  X(getCursorType)                                                                                 \
  X(getDiagnostic)                                                                                 \
  X(getDiagnosticLocation)                                                                         \
  X(getDiagnosticSeverity)                                                                         \
  X(getDiagnosticSpelling)                                                                         \
  X(getEnumDeclIntegerType)                                                                        \
  X(getExpansionLocation)                                                                          \
  X(getFile)                                                                                       \
  X(getFileContents)                                                                               \
  X(getNumDiagnostics)                                                                             \
  X(getPointeeType)                                                                                \
  X(getPresumedLocation)                                                                           \
  X(getSpecializedCursorTemplate)                                                                  \
  X(getSpellingLocation)                                                                           \
  X(getTemplateCursorKind)                                                                         \
  X(getTranslationUnitCursor)                                                                      \
  X(getTypeDeclaration)                                                                            \
  X(getTypeSpelling)                                                                               \
  X(isExpression)                                                                                  \
  X(isInvalid)                                                                                     \
  X(parseTranslationUnit2)                                                                         \
  X(visitChildren)

typedef struct libclang_table {
#define LIBCLANG_MEMBER(name) __typeof__(clang_##name) *name;
  LIBCLANG_FUNCTIONS(LIBCLANG_MEMBER)
#undef LIBCLANG_MEMBER
} libclang_table;

extern libclang_table libclang;

/*
 * Opens libclang, once in a process. HOST_ERROR_NO_LIBCLANG: it is not there, or lacks a function;
 * the message has the names that were tried.
 */
host_result libclang_load(void);

#endif
