#include "captures.h"

#include "../identifier.h"

#include <stdlib.h>
#include <string.h>

/* A template of include/sycl, <kernel's name, function object>. */
#define LAYOUT_FUNCTION "layout_of"

/* A parameter of a template's pack is several variables of one name, which GCC does not name. */
static bool is_pack(unit *unit, CXCursor variable) {
  const char *type =
      pool_take(&unit->strings, libclang.getTypeSpelling(libclang.getCursorType(variable)));
  const size_t size = strlen(type);
  return size >= 3 && strcmp(type + size - 3, "...") == 0;
}

host_result captures_consider(unit *unit, variables *found, CXCursor cursor) {
  const enum CXCursorKind kind = libclang.getCursorKind(cursor);
  CXCursor to = kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl
                    ? cursor
                    : libclang.getCursorReferenced(cursor);
  const enum CXCursorKind what = libclang.getCursorKind(to);
  if ((what != CXCursor_VarDecl && what != CXCursor_ParmDecl) ||
      libclang.getCursorLinkage(to) != CXLinkage_NoLinkage ||
      !libclang.CXCursorSet_insert(found->captured, to))
    return HOST_SUCCESS;
  const char *name = pool_take(&unit->strings, libclang.getCursorSpelling(to));
  if (name[0] == '\0')
    return HOST_SUCCESS;
  if (!VECTOR_RESERVE(&found->captures))
    return host_error_memory();
  found->captures.items[found->captures.count++] = (capture){name, is_pack(unit, to)};
  return HOST_SUCCESS;
}

/* ---- What clang's lambdas capture ---- */

static bool is_lambda(unit *unit, CXType type) {
  static const char start[] = "(lambda at ";
  const char *text = pool_take(&unit->strings, libclang.getTypeSpelling(type));
  return strncmp(text, start, sizeof start - 1) == 0;
}

/*
 * "FUNCTION COUNT": the simple name of the function that a lambda is in, and how many lambdas there
 * are from there to it, itself too. NULL: it is in no function with a plain name.
 */
static const char *place_of(unit *unit, CXType lambda) {
  unsigned count = 0;
  CXCursor at;
  for (CXType type = lambda; is_lambda(unit, type); type = libclang.getCursorType(at)) {
    at = libclang.getCursorSemanticParent(libclang.getTypeDeclaration(type));
    count++;
    const char *name = pool_take(&unit->strings, libclang.getCursorSpelling(at));
    const enum CXCursorKind kind = libclang.getCursorKind(at);
    if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod)
      return NULL;
    if (identifier_is_plain(name))
      return pool_format(&unit->strings, "%s %u", name, count);
    at = libclang.getCursorSemanticParent(at);
  }
  return NULL;
}

/* The list of a lambda's captures, as it grows. */
typedef struct listing {
  unit *unit;
  variables *found;
  const char *names;
  host_result result;
} listing;

static host_result add_lambda(unit *unit, variables *found, CXType type, const char *kernel);

/* A lambda's members have no names; each is where the source first names what it captures. */
static enum CXVisitorResult list_member(CXCursor member, CXClientData data) {
  listing *at = data;
  CXFile file;
  unsigned offset;
  size_t size;
  libclang.getSpellingLocation(libclang.getCursorLocation(member), &file, NULL, NULL, &offset);
  const char *text = file != NULL ? libclang.getFileContents(at->unit->parsed, file, &size) : NULL;
  size_t end = offset;
  while (text != NULL && end < size && identifier_is_plain((char[]){text[end], '\0'}))
    end++;
  if (end > offset)
    at->names =
        pool_format(&at->unit->strings, "%s %.*s", at->names, (int)(end - offset), text + offset);
  const CXType type = libclang.getCanonicalType(libclang.getCursorType(member));
  at->result = add_lambda(at->unit, at->found, type, "");
  return at->result == HOST_SUCCESS ? CXVisit_Continue : CXVisit_Break;
}

static host_result add_lambda(unit *unit, variables *found, CXType type, const char *kernel) {
  type = libclang.getCursorType(libclang.getTypeDeclaration(type)); /* without const */
  const char *place = is_lambda(unit, type) ? place_of(unit, type) : NULL;
  if (place == NULL)
    return HOST_SUCCESS;
  listing all = {unit, found, "", HOST_SUCCESS};
  libclang.Type_visitFields(type, list_member, &all);
  HOST_TRY(all.result);
  if (!VECTOR_RESERVE(&found->lambdas))
    return host_error_memory();
  found->lambdas.items[found->lambdas.count++] =
      pool_format(&unit->strings, "%s %s:%s ", kernel, place, all.names);
  return HOST_SUCCESS;
}

host_result captures_consider_function(unit *unit, variables *found, CXCursor function) {
  const char *name = pool_take(&unit->strings, libclang.getCursorSpelling(function));
  if (strcmp(name, LAYOUT_FUNCTION) != 0 || libclang.Cursor_getNumTemplateArguments(function) != 2)
    return HOST_SUCCESS;
  const CXType kernel = libclang.Cursor_getTemplateArgumentType(function, 0);
  const CXType type =
      libclang.getCanonicalType(libclang.Cursor_getTemplateArgumentType(function, 1));
  const char *named = "";
  if (!libclang.equalTypes(libclang.getCanonicalType(kernel), type))
    named =
        pool_take(&unit->strings, libclang.getCursorSpelling(libclang.getTypeDeclaration(kernel)));
  return named[0] == '\0' || identifier_is_plain(named) ? add_lambda(unit, found, type, named)
                                                        : HOST_SUCCESS;
}

/* ---- The header's part ---- */

static int compare_captures(const void *left, const void *right) {
  return strcmp(((const capture *)left)->name, ((const capture *)right)->name);
}

/* Returns whether the name is the same as the one before. */
static bool is_again(const variables *found, size_t i) {
  return i > 0 && compare_captures(&found->captures.items[i - 1], &found->captures.items[i]) == 0;
}

void captures_sort(variables *found) {
  if (found->captures.count > 0)
    qsort(found->captures.items, found->captures.count, sizeof *found->captures.items,
          compare_captures);
}

void captures_write(const variables *found, FILE *to) {
  if (!found->has_function)
    return;
  fputs("#define SPECPI_CAPTURED_NAMES(SPECPI_X) SPECPI_X(this)", to);
  for (size_t i = 0; i < found->captures.count; i++)
    if (!is_again(found, i))
      fprintf(to, " \\\n  SPECPI_X(%s)", found->captures.items[i].name);
  fputs("\n#define SPECPI_CAPTURED_PACKS \" ", to);
  for (size_t i = 0; i < found->captures.count; i++)
    if (found->captures.items[i].is_pack && found->captures.items[i].name[0] != '_')
      fprintf(to, "%s ", found->captures.items[i].name);
  fputs("\"\n#define SPECPI_CLANG_CAPTURES \"|\"", to);
  for (size_t i = 0; i < found->lambdas.count; i++)
    fprintf(to, " \\\n  \"%s|\"", found->lambdas.items[i]);
  fputc('\n', to);
}
