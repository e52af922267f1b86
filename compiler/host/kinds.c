#include "kinds.h"

#include "scopes.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "sycl-uid-kind=";

/* The text of the mark, or NULL. */
typedef struct marking {
  unit *unit;
  const char *kind;
} marking;

static enum CXChildVisitResult visit_cursor(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  marking *found = data;
  if (libclang.getCursorKind(cursor) != CXCursor_AnnotateAttr)
    return CXChildVisit_Continue;
  CXString text = libclang.getCursorSpelling(cursor);
  const char *name = libclang.getCString(text);
  if (name != NULL && strncmp(name, mark, sizeof mark - 1) == 0)
    found->kind = pool_format(&found->unit->strings, "%s", name + sizeof mark - 1);
  libclang.disposeString(text);
  return found->kind != NULL ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* The kind of a class of another runtime's headers, by its name. */
static host_result find_unmarked(unit *unit, CXCursor class, const char **ret) {
  static const char *const templates[] = {
#define HOST_UNMARKED_KIND(template) template,
      HOST_UNMARKED_KINDS(HOST_UNMARKED_KIND)
#undef HOST_UNMARKED_KIND
  };
  const char *kind = NULL;
  CXString name = libclang.getCursorSpelling(class);
  for (size_t i = 0;
       i < sizeof templates / sizeof templates[0] && libclang.getCString(name) != NULL; i++)
    if (strcmp(libclang.getCString(name), templates[i]) == 0)
      kind = templates[i];
  libclang.disposeString(name);
  if (kind == NULL || libclang.getCursorKind(class) != CXCursor_ClassTemplate)
    return HOST_SUCCESS;
  scopes in = {0};
  const host_result result = scopes_read(unit, class, &in);
  if (result == HOST_SUCCESS && scopes_in_sycl(&in, NULL))
    *ret = kind;
  free(in.items);
  return result;
}

host_result kinds_find(unit *unit, CXType type, const char **ret) {
  *ret = NULL;
  CXCursor class = libclang.getTypeDeclaration(libclang.getCanonicalType(type));
  CXCursor template = libclang.getSpecializedCursorTemplate(class);
  if (!libclang.Cursor_isNull(template))
    class = template;
  if (libclang.Cursor_isNull(class) || libclang.isInvalid(libclang.getCursorKind(class)))
    return HOST_SUCCESS;
  /* A declaration before the definition need not have the mark. */
  CXCursor definition = libclang.getCursorDefinition(class);
  if (!libclang.Cursor_isNull(definition))
    class = definition;
  marking found = {.unit = unit};
  libclang.visitChildren(class, visit_cursor, &found);
  if (found.kind == NULL)
    return find_unmarked(unit, class, ret);
  HOST_REQUIRE(found.kind[0] != '\0' || unit->strings.failed, HOST_ERROR_UNSUPPORTED,
               "%s: the class is marked with no kind of ids", unit_place(unit, class));
  *ret = found.kind;
  return HOST_SUCCESS;
}
