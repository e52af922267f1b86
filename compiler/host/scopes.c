#include "scopes.h"

#include <string.h>

static bool is_class(enum CXCursorKind kind) {
  return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl;
}

surrounding scopes_surrounding(CXCursor declaration) {
  surrounding found = SURROUNDING_NAMESPACE;
  for (CXCursor at = libclang.getCursorSemanticParent(declaration);;
       at = libclang.getCursorSemanticParent(at)) {
    const enum CXCursorKind kind = libclang.getCursorKind(at);
    if (kind == CXCursor_ClassTemplate || kind == CXCursor_ClassTemplatePartialSpecialization)
      return SURROUNDING_TEMPLATE;
    if (kind == CXCursor_Namespace || kind == CXCursor_TranslationUnit || libclang.isInvalid(kind))
      return found;
    if (is_class(kind))
      found = SURROUNDING_CLASS;
    else if (kind != CXCursor_LinkageSpec && kind != CXCursor_UnexposedDecl)
      return SURROUNDING_FUNCTION;
  }
}

host_result scopes_read(unit *unit, CXCursor declaration, scopes *ret) {
  for (CXCursor at = libclang.getCursorSemanticParent(declaration);
       !libclang.isInvalid(libclang.getCursorKind(at)); at = libclang.getCursorSemanticParent(at)) {
    if (libclang.getCursorKind(at) != CXCursor_Namespace)
      continue;
    if (!VECTOR_RESERVE(ret))
      return host_error_memory();
    const bool unnamed = libclang.Cursor_isAnonymous(at) != 0;
    memmove(ret->items + 1, ret->items, ret->count * sizeof *ret->items);
    ret->items[0] =
        (scope){unnamed ? NULL : pool_take(&unit->strings, libclang.getCursorSpelling(at)),
                libclang.Cursor_isInlineNamespace(at) != 0};
    ret->count++;
  }
  return HOST_SUCCESS;
}

const char *scopes_last_part(const char *name) {
  const char *last = name;
  int depth = 0;
  for (const char *at = name; *at != '\0'; at++) {
    if (*at == '<' || *at == '(' || *at == '[')
      depth++;
    else if (*at == '>' || *at == ')' || *at == ']')
      depth--;
    else if (depth == 0 && at[0] == ':' && at[1] == ':')
      last = at + 2;
  }
  return last;
}

const char *scopes_classes(unit *unit, CXCursor declaration, bool *is_private) {
  const char *all = NULL;
  for (CXCursor at = libclang.getCursorSemanticParent(declaration);
       is_class(libclang.getCursorKind(at)); at = libclang.getCursorSemanticParent(at)) {
    const char *type =
        pool_take(&unit->strings,
                  libclang.getTypeSpelling(libclang.getCanonicalType(libclang.getCursorType(at))));
    all = pool_format(&unit->strings, "%s%s%s", scopes_last_part(type), all != NULL ? "::" : "",
                      all != NULL ? all : "");
    const enum CX_CXXAccessSpecifier access = libclang.getCXXAccessSpecifier(at);
    if (access == CX_CXXPrivate || access == CX_CXXProtected)
      *is_private = true;
  }
  return all;
}

bool scopes_in_sycl(const scopes *all, const char *then) {
  const char *expected[] = {"sycl", then};
  size_t found = 0;
  for (size_t i = 0; i < all->count; i++) {
    const scope *at = &all->items[i];
    if (at->is_inline || (found == 0 && at->name != NULL && strcmp(at->name, "cl") == 0))
      continue;
    if (at->name == NULL || found == 2 || expected[found] == NULL ||
        strcmp(at->name, expected[found]) != 0)
      return false;
    found++;
  }
  return found == (then == NULL ? 1 : 2);
}

bool scopes_begin_in_sycl(const scopes *all) {
  size_t i = 0;
  if (i < all->count && all->items[i].name != NULL && strcmp(all->items[i].name, "cl") == 0)
    i++;
  return i < all->count && all->items[i].name != NULL && strcmp(all->items[i].name, "sycl") == 0;
}

bool scopes_is_named(CXCursor declaration, const char *name) {
  CXString own = libclang.getCursorSpelling(declaration);
  const bool matches =
      libclang.getCString(own) != NULL && strcmp(libclang.getCString(own), name) == 0;
  libclang.disposeString(own);
  return matches;
}
