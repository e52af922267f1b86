#include "variables.h"

#include "../identifier.h"
#include "captures.h"
#include "kinds.h"
#include "scopes.h"
#include "types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The finds of a search, and the cursors that it has yet to look into. */
typedef struct search {
  unit *unit;
  variables *found;
  CXCursorSet seen; /* functions and variables */
  VECTOR(CXCursor) functions;
  VECTOR(CXCursor) patterns; /* variables of class templates */
  CXCursorSet used;          /* those of them of which a variable was made */
  bool in_lambda;            /* what is visited is */
  host_result result;        /* the first failure, whose message is recorded */
} search;

/* The name as people know it. */
static const char *readable(unit *unit, const variable *made) {
  const char *all = made->simple;
  if (made->classes != NULL)
    all = pool_format(&unit->strings, "%s::%s", made->classes, all);
  for (size_t i = made->scopes.count; i-- > 0;) {
    const char *name = made->scopes.items[i].name;
    all = pool_format(&unit->strings, "%s::%s", name != NULL ? name : "(unnamed)", all);
  }
  return all;
}

static host_result refuse_variable(search *at, CXCursor cursor, const char *name,
                                   const char *reason) {
  return host_error(HOST_ERROR_UNSUPPORTED, "%s: '%s' %s", unit_place(at->unit, cursor), name,
                    reason);
}

/* Null when the unit does not define it. What is made of a template has its template's definition.
 */
static CXCursor find_definition(CXCursor cursor) {
  CXCursor defined = libclang.getCursorDefinition(cursor);
  CXCursor pattern = libclang.getSpecializedCursorTemplate(cursor);
  if (libclang.Cursor_isNull(defined) && !libclang.Cursor_isNull(pattern))
    defined = libclang.getCursorDefinition(pattern);
  return defined;
}

/* Fills in what the cursor says of a variable that can have an id. */
static host_result describe_variable(search *at, CXCursor cursor, variable *ret) {
  unit *unit = at->unit;
  CXCursor defined = find_definition(cursor);
  ret->is_defined = !libclang.Cursor_isNull(defined);
  if (!ret->is_defined)
    defined = cursor;
  const enum CX_CXXAccessSpecifier access = libclang.getCXXAccessSpecifier(cursor);
  ret->is_private = access == CX_CXXPrivate || access == CX_CXXProtected;
  ret->classes = scopes_classes(unit, cursor, &ret->is_private);
  HOST_TRY(scopes_read(unit, cursor, &ret->scopes));
  ret->name = readable(unit, ret);
  ret->mangled = pool_take(&unit->strings, libclang.Cursor_getMangling(cursor));
  ret->type = pool_take(&unit->strings, libclang.getTypeSpelling(libclang.getCanonicalType(
                                            libclang.getCursorType(cursor))));
  if (unit->strings.failed)
    return host_error_memory();
  if (!identifier_can_be_id(ret->mangled))
    return refuse_variable(at, cursor, ret->name,
                           "has a name in object files that cannot be an id");
  const enum CXLinkageKind linkage = libclang.getCursorLinkage(cursor);
  ret->is_internal = linkage != CXLinkage_External;
  /* The separator is DPC++'s. */
  ret->id = ret->is_internal ? pool_format(&unit->strings, "%s___%s", unit->prefix, ret->mangled)
                             : ret->mangled;
  CXString file;
  libclang.getPresumedLocation(libclang.getCursorLocation(defined), &file, &ret->line,
                               &ret->column);
  ret->file = pool_take(&unit->strings, file);
  return unit->strings.failed ? host_error_memory() : HOST_SUCCESS;
}

static host_result add_variable(search *at, CXCursor cursor, const char *kind, const char *simple) {
  if (!VECTOR_RESERVE(&at->found->list))
    return host_error_memory();
  variable made = {
      .kind = kind, .simple = simple, .is_constant = strcmp(kind, HOST_CONSTANT_KIND) == 0};
  const host_result result = describe_variable(at, cursor, &made);
  for (size_t i = 0; i < at->found->list.count && result == HOST_SUCCESS; i++)
    if (strcmp(at->found->list.items[i].mangled, made.mangled) == 0) {
      free(made.scopes.items); /* another declaration of it */
      return HOST_SUCCESS;
    }
  if (result == HOST_SUCCESS)
    at->found->list.items[at->found->list.count++] = made;
  else
    free(made.scopes.items);
  return result;
}

/* A function of the C++ runtime, which libclang is built with; malloc made the text. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/*
 * Adds the arguments to the name of what is made of a variable template. libclang does not say
 * them; the name in object files does.
 */
static host_result add_arguments(search *at, CXCursor cursor, const char **simple) {
  static const int no_memory = -1;
  pool *strings = &at->unit->strings;
  const size_t size = strlen(*simple);
  int status = 0;
  char *text =
      __cxa_demangle(pool_take(strings, libclang.Cursor_getMangling(cursor)), NULL, NULL, &status);
  const char *name = text != NULL ? scopes_last_part(text) : "";
  const bool found = strncmp(name, *simple, size) == 0 && name[size] == '<';
  if (found)
    *simple = pool_format(strings, "%s", name);
  free(text);
  if (strings->failed || status == no_memory)
    return host_error_memory();
  return found ? HOST_SUCCESS
               : refuse_variable(
                     at, cursor, *simple,
                     "is made of a variable template, and its name in object files, which "
                     "libclang has, does not say of which arguments");
}

/* Looks at a variable that is declared, or referred to. */
static host_result consider(search *at, CXCursor cursor) {
  cursor = libclang.getCanonicalCursor(cursor);
  if (!libclang.CXCursorSet_insert(at->seen, cursor))
    return HOST_SUCCESS;
  const char *kind;
  HOST_TRY(kinds_find(at->unit, libclang.getCursorType(cursor), &kind));
  if (kind == NULL)
    return HOST_SUCCESS;
  const char *simple = pool_take(&at->unit->strings, libclang.getCursorSpelling(cursor));
  if (libclang.getCursorKind(cursor) != CXCursor_VarDecl)
    HOST_TRY(add_arguments(at, cursor, &simple));
  const surrounding in = scopes_surrounding(cursor);
  if (in == SURROUNDING_TEMPLATE) {
    if (!VECTOR_RESERVE(&at->patterns))
      return host_error_memory();
    at->patterns.items[at->patterns.count++] = cursor;
    return HOST_SUCCESS;
  }
  if (libclang.getCursorLinkage(cursor) == CXLinkage_NoLinkage)
    return refuse_variable(
        at, cursor, simple,
        "is local to a function; variables that have ids are declared in a namespace, "
        "or as static members of a class");
  if (in == SURROUNDING_FUNCTION)
    return HOST_SUCCESS; /* another declaration of one that is found elsewhere */
  if (libclang.getCursorTLSKind(cursor) != CXTLS_None)
    return refuse_variable(at, cursor, simple,
                           "is thread_local, which a variable with an id cannot be");
  CXCursor pattern = libclang.getSpecializedCursorTemplate(cursor);
  if (!libclang.Cursor_isNull(pattern))
    libclang.CXCursorSet_insert(at->used, libclang.getCanonicalCursor(pattern));
  return add_variable(at, cursor, kind, simple);
}

/* Remembers the namespaces of the template that the footer specialises. */
static host_result consider_template(search *at, CXCursor cursor) {
  if (at->found->has_function || !scopes_is_named(cursor, HOST_ID_FUNCTION))
    return HOST_SUCCESS;
  scopes in = {0};
  const host_result result = scopes_read(at->unit, cursor, &in);
  if (result == HOST_SUCCESS && scopes_in_sycl(&in, "detail")) {
    at->found->has_function = true;
    at->found->function = in;
  } else {
    free(in.items);
  }
  return result;
}

/*
 * Functions made of templates are not part of the text; what they refer to is found when their
 * bodies are looked into, once each.
 */
static host_result consider_function(search *at, CXCursor function) {
  if (libclang.Cursor_isNull(libclang.getSpecializedCursorTemplate(function)) ||
      !libclang.CXCursorSet_insert(at->seen, libclang.getCanonicalCursor(function)))
    return HOST_SUCCESS;
  HOST_TRY(captures_consider_function(at->unit, at->found, function));
  CXCursor defined = libclang.getCursorDefinition(function);
  if (!VECTOR_RESERVE(&at->functions))
    return host_error_memory();
  at->functions.items[at->functions.count++] = libclang.Cursor_isNull(defined) ? function : defined;
  return HOST_SUCCESS;
}

static enum CXChildVisitResult visit_cursor(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  search *at = data;
  const enum CXCursorKind kind = libclang.getCursorKind(cursor);
  at->result = types_consider(at->unit, at->found, cursor);
  if (at->result == HOST_SUCCESS && at->in_lambda)
    at->result = captures_consider(at->unit, at->found, cursor);
  if (at->result != HOST_SUCCESS)
    return CXChildVisit_Break;
  if (kind == CXCursor_LambdaExpr && !at->in_lambda) {
    at->in_lambda = true;
    libclang.visitChildren(cursor, visit_cursor, at);
    at->in_lambda = false;
    return at->result == HOST_SUCCESS ? CXChildVisit_Continue : CXChildVisit_Break;
  }
  if (kind == CXCursor_VarDecl) {
    at->result = consider(at, cursor);
  } else if (kind == CXCursor_FunctionDecl) {
    at->found->has_register =
        at->found->has_register || scopes_is_named(cursor, HOST_REGISTER_FUNCTION);
  } else if (kind == CXCursor_FunctionTemplate) {
    at->result = consider_template(at, cursor);
  } else if (libclang.isExpression(kind)) {
    CXCursor to = libclang.getCursorReferenced(cursor);
    switch (libclang.getCursorKind(to)) {
    case CXCursor_VarDecl:
    case CXCursor_UnexposedDecl: /* made of a variable template */
      at->result = consider(at, to);
      break;
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
      at->result = consider_function(at, to);
      break;
    default:
      break;
    }
  }
  return at->result == HOST_SUCCESS ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* Returns whether the last of the options that are about the warning asks for it. */
static bool wants_warning(const host_options *options) {
  bool wanted = true;
  for (size_t i = 0; i < options->argument_count; i++)
    if (strcmp(options->arguments[i], "-W" HOST_UNUSED_WARNING) == 0)
      wanted = true;
    else if (strcmp(options->arguments[i], "-Wno-" HOST_UNUSED_WARNING) == 0 ||
             strcmp(options->arguments[i], "-w") == 0)
      wanted = false;
  return wanted;
}

/* Variables of templates of which this unit uses none: that may be a surprise. */
static void warn_of_names(search *at) {
  unit *unit = at->unit;
  const char *all = "";
  const size_t count = wants_warning(unit->options) ? at->patterns.count : 0;
  for (size_t i = 0; i < count; i++) {
    const CXCursor pattern = at->patterns.items[i];
    if (libclang.CXCursorSet_contains(at->used, pattern) ||
        libclang.Location_isInSystemHeader(libclang.getCursorLocation(pattern)))
      continue;
    const char *name = pool_take(&unit->strings, libclang.getCursorSpelling(pattern));
    all = pool_format(&unit->strings,
                      "%s%s: '%s' is a member of a template; only what is made of the template and "
                      "used in this file gets an id, and nothing is [-W" HOST_UNUSED_WARNING "]\n",
                      all, unit_place(unit, pattern), name);
  }
  at->found->warnings = all;
}

host_result variables_find(unit *unit, variables *ret) {
  search at = {.unit = unit,
               .found = ret,
               .seen = libclang.createCXCursorSet(),
               .used = libclang.createCXCursorSet(),
               .result = HOST_SUCCESS};
  ret->captured = libclang.createCXCursorSet();
  libclang.visitChildren(libclang.getTranslationUnitCursor(unit->parsed), visit_cursor, &at);
  for (size_t i = 0; i < at.functions.count && at.result == HOST_SUCCESS; i++)
    libclang.visitChildren(at.functions.items[i], visit_cursor, &at);
  if (at.result == HOST_SUCCESS)
    warn_of_names(&at);
  captures_sort(ret);
  libclang.disposeCXCursorSet(at.seen);
  libclang.disposeCXCursorSet(at.used);
  free(at.functions.items);
  free(at.patterns.items);
  if (at.result == HOST_SUCCESS && unit->strings.failed)
    return host_error_memory();
  return at.result;
}

bool variables_are_registered(const variables *found) {
  for (size_t i = 0; i < found->list.count; i++)
    if (found->list.items[i].is_defined)
      return found->has_register;
  return false;
}

void variables_release(variables *found) {
  for (size_t i = 0; i < found->list.count; i++)
    free(found->list.items[i].scopes.items);
  free(found->list.items);
  free(found->function.items);
  free(found->ids.items);
  free(found->captures.items);
  free(found->lambdas.items);
  if (found->captured != NULL)
    libclang.disposeCXCursorSet(found->captured);
}
