#include "types.h"

#include "naming.h"
#include "scopes.h"

#include <stdlib.h>
#include <string.h>

/* ---- Finding them ---- */

/* Types that depend on a template's parameters are of no kind that is named here. */
static bool can_be_id(CXType type) {
  switch (type.kind) {
  case CXType_Record:
  case CXType_Enum:
  case CXType_Pointer:
    return true;
  default:
    return type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin &&
           type.kind != CXType_Dependent && type.kind != CXType_Overload;
  }
}

static host_result add_type(variables *found, CXType id) {
  id = libclang.getCanonicalType(id);
  if (!can_be_id(id))
    return HOST_SUCCESS;
  for (size_t i = 0; i < found->ids.count; i++)
    if (libclang.equalTypes(found->ids.items[i], id))
      return HOST_SUCCESS;
  if (!VECTOR_RESERVE(&found->ids))
    return host_error_memory();
  found->ids.items[found->ids.count++] = id;
  return HOST_SUCCESS;
}

/* Returns whether a class is made of the template of that name in sycl, or in a namespace in it. */
static host_result is_made_of(unit *unit, CXCursor class, const char *template, bool *ret) {
  *ret = false;
  if (!scopes_is_named(class, template))
    return HOST_SUCCESS;
  scopes in = {0};
  HOST_TRY(scopes_read(unit, class, &in));
  *ret = scopes_begin_in_sycl(&in);
  free(in.items);
  return HOST_SUCCESS;
}

/* Returns the type that a type points or refers to, or has in an array. */
static CXType innermost(CXType type) {
  for (;;) {
    type = libclang.getCanonicalType(type);
    if (type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
        type.kind == CXType_RValueReference)
      type = libclang.getPointeeType(type);
    else if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
      type = libclang.getArrayElementType(type);
    else
      return type;
  }
}

/* The type of a declaration or an expression: spec_constant<T, ID>, or what points to it. */
static host_result consider_type(unit *unit, variables *found, CXType type) {
  type = innermost(type);
  if (type.kind != CXType_Record || libclang.Type_getNumTemplateArguments(type) != 2)
    return HOST_SUCCESS;
  bool matches;
  HOST_TRY(is_made_of(unit, libclang.getTypeDeclaration(type), "spec_constant", &matches));
  /* The second argument may be a variable, and then it is no type. */
  return matches ? add_type(found, libclang.Type_getTemplateArgumentAsType(type, 1)) : HOST_SUCCESS;
}

host_result types_consider(unit *unit, variables *found, CXCursor cursor) {
  const enum CXCursorKind kind = libclang.getCursorKind(cursor);
  const bool is_expression = libclang.isExpression(kind) != 0;
  if (!is_expression && kind != CXCursor_VarDecl && kind != CXCursor_FieldDecl &&
      kind != CXCursor_ParmDecl)
    return HOST_SUCCESS;
  HOST_TRY(consider_type(unit, found, libclang.getCursorType(cursor)));
  if (!is_expression)
    return HOST_SUCCESS;
  CXCursor to = libclang.getCursorReferenced(cursor);
  if (libclang.getCursorKind(to) != CXCursor_CXXMethod &&
      libclang.getCursorKind(to) != CXCursor_VarDecl)
    return HOST_SUCCESS;
  CXCursor class = libclang.getCursorSemanticParent(to);
  const CXType type = libclang.getCanonicalType(libclang.getCursorType(class));
  if (type.kind != CXType_Record || libclang.Type_getNumTemplateArguments(type) != 1)
    return HOST_SUCCESS;
  bool matches;
  HOST_TRY(is_made_of(unit, class, HOST_TYPE_TEMPLATE, &matches));
  return matches ? add_type(found, libclang.Type_getTemplateArgumentAsType(type, 0)) : HOST_SUCCESS;
}

/* ---- Declaring them ---- */

typedef struct writing {
  unit *unit;
  FILE *to;
  CXCursorSet declared;
  const char *separator; /* before the next parameter of a template */
} writing;

static host_result refuse_type(writing *at, CXCursor cursor, const char *name, const char *reason) {
  return host_error(HOST_ERROR_UNSUPPORTED,
                    "%s: '%s' names a specialization constant and %s, so that the integration "
                    "header cannot declare it; declare it in a namespace",
                    unit_place(at->unit, cursor), name, reason);
}

static const char *key_of(enum CXCursorKind kind) {
  return kind == CXCursor_StructDecl ? "struct" : kind == CXCursor_UnionDecl ? "union" : "class";
}

/* template <typename, int...>; defaults are the file's to say. */
static enum CXChildVisitResult write_parameter(CXCursor cursor, CXCursor parent,
                                               CXClientData data) {
  (void)parent;
  writing *at = data;
  const enum CXCursorKind kind = libclang.getCursorKind(cursor);
  if (kind != CXCursor_TemplateTypeParameter && kind != CXCursor_NonTypeTemplateParameter &&
      kind != CXCursor_TemplateTemplateParameter)
    return CXChildVisit_Continue;
  const char *all = pool_take(&at->unit->strings, libclang.getCursorPrettyPrinted(cursor, NULL));
  const char *initial = strstr(all, " = ");
  fprintf(at->to, "%s%.*s", at->separator,
          initial != NULL ? (int)(initial - all) : (int)strlen(all), all);
  at->separator = ", ";
  return CXChildVisit_Continue;
}

static void write_declaration(writing *at, CXCursor cursor, const char *name) {
  const enum CXCursorKind kind = libclang.getCursorKind(cursor);
  if (kind == CXCursor_EnumDecl) {
    const char *type = pool_take(&at->unit->strings,
                                 libclang.getTypeSpelling(libclang.getEnumDeclIntegerType(cursor)));
    fprintf(at->to, "enum %s%s : %s;\n", libclang.EnumDecl_isScoped(cursor) ? "class " : "", name,
            type);
  } else if (kind == CXCursor_ClassTemplate) {
    fputs("template <", at->to);
    at->separator = "";
    libclang.visitChildren(cursor, write_parameter, at);
    fprintf(at->to, "> %s %s;\n", key_of(libclang.getTemplateCursorKind(cursor)), name);
  } else {
    fprintf(at->to, "%s %s;\n", key_of(kind), name);
  }
}

static host_result declare_class(writing *at, CXCursor cursor, const char *name) {
  if (!libclang.CXCursorSet_insert(at->declared, libclang.getCanonicalCursor(cursor)))
    return HOST_SUCCESS;
  const surrounding in = scopes_surrounding(cursor);
  if (in == SURROUNDING_FUNCTION)
    return refuse_type(at, cursor, name, "is local to a function");
  if (in != SURROUNDING_NAMESPACE)
    return refuse_type(at, cursor, name, "is a member of a class");
  const char *simple = pool_take(&at->unit->strings, libclang.getCursorSpelling(cursor));
  if (at->unit->strings.failed)
    return host_error_memory();
  if (libclang.Cursor_isAnonymous(cursor) || simple[0] == '\0' || strchr(simple, '(') != NULL)
    return refuse_type(at, cursor, name, "has no name");
  scopes all = {0};
  const host_result result = scopes_read(at->unit, cursor, &all);
  if (result == HOST_SUCCESS) {
    naming_open(at->to, &all);
    write_declaration(at, cursor, simple);
    naming_close(at->to, &all);
  }
  free(all.items);
  return result;
}

/* Declares what the type's name needs, from the inside to the outside. */
static host_result declare_type(writing *at, CXType type) {
  type = innermost(type);
  if (type.kind != CXType_Record && type.kind != CXType_Enum)
    return HOST_SUCCESS;
  for (int i = 0; i < libclang.Type_getNumTemplateArguments(type); i++)
    HOST_TRY(declare_type(at, libclang.Type_getTemplateArgumentAsType(type, (unsigned)i)));
  CXCursor cursor = libclang.getTypeDeclaration(type);
  CXCursor template = libclang.getSpecializedCursorTemplate(cursor);
  return declare_class(at, libclang.Cursor_isNull(template) ? cursor : template,
                       pool_take(&at->unit->strings, libclang.getTypeSpelling(type)));
}

/* ---- Their names ---- */

/* A type, as the header declares it. */
typedef struct id_type {
  char *declarations;
  unsigned first_line; /* of its part of the text that is tried */
  const char *place;
  const char *name; /* as the header has it */
  const char *mangled;
} id_type;

typedef struct id_types {
  unit *unit;
  const variables *found;
  id_type *items;
  char *text;
  size_t size;
} id_types;

#define NAME_FUNCTION "__sycl_name_"

static host_result describe_type(id_types *all, CXCursorSet declared, size_t which) {
  const CXType type = all->found->ids.items[which];
  id_type *ret = &all->items[which];
  const char *spelling = pool_take(&all->unit->strings, libclang.getTypeSpelling(type));
  const char *name = naming_speakable(all->unit, spelling);
  const bool is_class = type.kind == CXType_Record || type.kind == CXType_Enum;
  ret->name = pool_format(&all->unit->strings, "%s%s", is_class ? "::" : "", name);
  ret->place = is_class ? unit_place(all->unit, libclang.getTypeDeclaration(type))
                        : all->unit->options->file;
  size_t size;
  FILE *to = open_memstream(&ret->declarations, &size);
  if (to == NULL)
    return host_error_memory();
  writing at = {.unit = all->unit, .to = to, .declared = declared};
  const host_result result = declare_type(&at, type);
  return fclose(to) == 0 ? result : host_error_memory();
}

static unsigned count_lines(const char *text) {
  unsigned lines = 0;
  for (; (text = strchr(text, '\n')) != NULL; text++)
    lines++;
  return lines;
}

/* The declarations, with functions whose mangled names have those of the types, and the file. */
static host_result write_text(id_types *all) {
  FILE *to = open_memstream(&all->text, &all->size);
  if (to == NULL)
    return host_error_memory();
  unsigned line = 1;
  for (size_t i = 0; i < all->found->ids.count; i++) {
    id_type *at = &all->items[i];
    at->first_line = line;
    fprintf(to, "%svoid " NAME_FUNCTION "%zu(%s *);\n", at->declarations, i, at->name);
    line += count_lines(at->declarations) + 1;
  }
  fwrite(all->unit->text, 1, all->unit->size, to);
  return fclose(to) == 0 ? HOST_SUCCESS : host_error_memory();
}

static host_result check_errors(id_types *all, CXTranslationUnit parsed) {
  const CXFile file = libclang.getFile(parsed, all->unit->options->file);
  for (unsigned i = 0; i < libclang.getNumDiagnostics(parsed); i++) {
    CXDiagnostic diagnostic = libclang.getDiagnostic(parsed, i);
    const bool fails = libclang.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    CXFile where;
    unsigned line;
    libclang.getExpansionLocation(libclang.getDiagnosticLocation(diagnostic), &where, &line, NULL,
                                  NULL);
    const char *reason =
        fails ? pool_take(&all->unit->strings, libclang.getDiagnosticSpelling(diagnostic)) : "";
    libclang.disposeDiagnostic(diagnostic);
    if (!fails)
      continue;
    /* An error in the file itself follows from one of the types; it is not known of which. */
    size_t which = 0;
    while (which + 1 < all->found->ids.count && libclang.File_isEqual(where, file) &&
           all->items[which + 1].first_line <= line)
      which++;
    if (all->unit->strings.failed)
      return host_error_memory();
    return host_error(HOST_ERROR_UNSUPPORTED,
                      "%s: '%s' names a specialization constant and cannot be declared before the "
                      "file: libclang says: %s",
                      all->items[which].place, all->items[which].name, reason);
  }
  return HOST_SUCCESS;
}

static enum CXChildVisitResult take_name(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  id_types *all = data;
  if (libclang.getCursorKind(cursor) != CXCursor_FunctionDecl)
    return CXChildVisit_Continue;
  const char *name = pool_take(&all->unit->strings, libclang.getCursorSpelling(cursor));
  if (strncmp(name, NAME_FUNCTION, strlen(NAME_FUNCTION)) != 0)
    return CXChildVisit_Continue;
  const size_t which = strtoul(name + strlen(NAME_FUNCTION), NULL, 10);
  const char *mangled = pool_take(&all->unit->strings, libclang.Cursor_getMangling(cursor));
  const char *argument = strstr(mangled, name);
  /* This is the argument of a pointer to it; nothing before it can be abbreviated in it. */
  if (which < all->found->ids.count && argument != NULL && argument[strlen(name)] == 'P')
    all->items[which].mangled = argument + strlen(name) + 1;
  return CXChildVisit_Continue;
}

static host_result find_names(id_types *all) {
  CXTranslationUnit parsed = NULL;
  HOST_TRY(write_text(all));
  if (all->unit->strings.failed)
    return host_error_memory();
  HOST_TRY(unit_parse_declarations(all->unit, all->text, all->size, &parsed));
  host_result result = check_errors(all, parsed);
  libclang.visitChildren(libclang.getTranslationUnitCursor(parsed), take_name, all);
  libclang.disposeTranslationUnit(parsed);
  for (size_t i = 0; i < all->found->ids.count && result == HOST_SUCCESS; i++)
    if (all->items[i].mangled == NULL && !all->unit->strings.failed)
      result = host_error(HOST_ERROR_INTERNAL, "%s: '%s' has no mangled name", all->items[i].place,
                          all->items[i].name);
  return result;
}

/* ---- The header's part ---- */

static void write_all(const id_types *all, FILE *to) {
  const scopes *in = &all->found->function;
  naming_open(to, in);
  fputs("template <typename Id> struct " HOST_TYPE_TEMPLATE ";\n", to);
  naming_close(to, in);
  for (size_t i = 0; i < all->found->ids.count; i++) {
    const id_type *at = &all->items[i];
    fputs(at->declarations, to);
    naming_open(to, in);
    fprintf(to,
            "template <> struct " HOST_TYPE_TEMPLATE "<%s> {\n"
            "  static constexpr const char *getName() {\n"
            "    return \"_ZTS%s\";\n"
            "  }\n"
            "};\n",
            at->name, at->mangled);
    naming_close(to, in);
  }
}

host_result types_write(unit *unit, const variables *found, FILE *to) {
  id_types all = {.unit = unit, .found = found};
  if (found->ids.count == 0)
    return HOST_SUCCESS;
  HOST_REQUIRE(found->has_function, HOST_ERROR_UNSUPPORTED,
               "%s has types that name specialization constants, and does not include "
               "sycl::detail::" HOST_ID_FUNCTION,
               unit->options->file);
  all.items = calloc(found->ids.count, sizeof *all.items);
  if (all.items == NULL)
    return host_error_memory();
  CXCursorSet declared = libclang.createCXCursorSet();
  host_result result = HOST_SUCCESS;
  for (size_t i = 0; i < found->ids.count && result == HOST_SUCCESS; i++)
    result = describe_type(&all, declared, i);
  libclang.disposeCXCursorSet(declared);
  if (result == HOST_SUCCESS)
    result = find_names(&all);
  if (result == HOST_SUCCESS)
    write_all(&all, to);
  for (size_t i = 0; i < found->ids.count; i++)
    free(all.items[i].declarations);
  free(all.items);
  free(all.text);
  return result;
}
