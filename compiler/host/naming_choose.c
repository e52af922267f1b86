/* Tries the namings of all variables out, in one more reading of the file. */
#include "naming.h"

#include "../../plugins/base/find.h"

#include <stdlib.h>
#include <string.h>

/* One naming of one variable. */
typedef struct trial {
  size_t which;
  naming how;
  const char *expression;
  bool reaches;       /* it refers to the variable */
  const char *reason; /* libclang's first error in it; NULL */
} trial;

/* From this line of the text to the next such line is a trial. */
typedef struct span {
  unsigned first_line;
  size_t trial;
} span;

typedef struct trials {
  unit *unit;
  const variables *found;
  VECTOR(trial) list;
  VECTOR(span) spans;
  char *text; /* the file's, and after it all trials */
  size_t size;
  size_t counted; /* so much of the text has lines before the current one */
  unsigned line;
  CXFile file;
} trials;

static bool applies(const variable *which, naming how) {
  if (how == NAMING_ACCESS || how == NAMING_ACCESS_INSIDE)
    return which->classes != NULL; /* an argument of a public template can be private, too */
  if (how == NAMING_EXTERN)
    return which->classes == NULL;
  return !which->is_private;
}

static unsigned count_lines(const char *text, size_t size) {
  unsigned lines = 0;
  for (const char *at = text; (at = memchr(at, '\n', size - (size_t)(at - text))) != NULL; at++)
    lines++;
  return lines;
}

/* All text that is written from here on belongs to the trial. */
static bool begin_span(trials *all, FILE *to, size_t number) {
  if (fflush(to) != 0 || !VECTOR_RESERVE(&all->spans))
    return false;
  all->line += count_lines(all->text + all->counted, all->size - all->counted);
  all->counted = all->size;
  all->spans.items[all->spans.count++] = (span){all->line, number};
  return true;
}

/* The declarations of all namings that may do. */
static bool write_declarations(trials *all, FILE *to) {
  for (size_t which = 0; which < all->found->list.count; which++)
    for (naming how = 0; how < NAMING_COUNT; how++) {
      const variable *variable = &all->found->list.items[which];
      const size_t number = all->list.count;
      if (!applies(variable, how))
        continue;
      if (!VECTOR_RESERVE(&all->list) || !begin_span(all, to, number))
        return false;
      all->list.items[all->list.count++] =
          (trial){.which = which,
                  .how = how,
                  .expression = naming_write(all->unit, to, variable, how, number)};
    }
  return true;
}

/*
 * Writes uses in place of the footer's specialisations, in their namespaces; they instantiate
 * nothing.
 */
static bool write_uses(trials *all, FILE *to) {
  naming_open(to, &all->found->function);
  for (size_t i = 0; i < all->list.count; i++) {
    if (!begin_span(all, to, i))
      return false;
    const trial *at = &all->list.items[i];
    if (at->how != NAMING_EXTERN)
      fprintf(to,
              "template <auto &> struct __sycl_trial_%zu;\n"
              "extern __sycl_trial_%zu<%s> *__sycl_tried_%zu;\n",
              i, i, at->expression, i);
    fprintf(to, "static auto &__sycl_reached_%zu = %s;\n", i, at->expression);
  }
  naming_close(to, &all->found->function);
  return true;
}

static host_result write_text(trials *all) {
  FILE *to = open_memstream(&all->text, &all->size);
  if (to == NULL)
    return host_error_memory();
  all->line = 1;
  fwrite(all->unit->text, 1, all->unit->size, to);
  fputs("\n\n", to); /* the last line may end in a backslash */
  const bool written = write_declarations(all, to) && write_uses(all, to);
  return fclose(to) == 0 && written ? HOST_SUCCESS : host_error_memory();
}

/* Puts a span that starts on the line before it, so that find_first returns the one after. */
static int by_first_line(const void *line, const void *span) {
  return ((const struct span *)span)->first_line <= *(const unsigned *)line ? 1 : -1;
}

/* The trial at a place; NULL when it is none's. */
static trial *find_trial(const trials *all, CXSourceLocation place) {
  CXFile file;
  unsigned line;
  libclang.getExpansionLocation(place, &file, &line, NULL, NULL);
  if (!libclang.File_isEqual(file, all->file))
    return NULL;
  const size_t after = find_first(&line, all->spans.items, all->spans.count,
                                  sizeof *all->spans.items, by_first_line);
  return after == 0 ? NULL : &all->list.items[all->spans.items[after - 1].trial];
}

static enum CXChildVisitResult visit_cursor(CXCursor cursor, CXCursor parent, CXClientData data) {
  trials *all = data;
  if (libclang.getCursorKind(parent) == CXCursor_TranslationUnit &&
      find_trial(all, libclang.getCursorLocation(cursor)) == NULL)
    return CXChildVisit_Continue;
  if (!libclang.isExpression(libclang.getCursorKind(cursor)))
    return CXChildVisit_Recurse;
  CXCursor to = libclang.getCursorReferenced(cursor);
  trial *in = find_trial(all, libclang.getCursorLocation(cursor));
  const enum CXCursorKind kind = libclang.getCursorKind(to);
  /* libclang has another kind for specialisations of a variable template. */
  if ((kind != CXCursor_VarDecl && kind != CXCursor_UnexposedDecl) || in == NULL)
    return CXChildVisit_Recurse;
  CXString mangled = libclang.Cursor_getMangling(to);
  const variable *meant = &all->found->list.items[in->which];
  if (libclang.getCString(mangled) != NULL &&
      strcmp(libclang.getCString(mangled), meant->mangled) == 0)
    in->reaches = true; /* others may be there, too, as arguments of templates */
  libclang.disposeString(mangled);
  return CXChildVisit_Recurse;
}

static void read_errors(trials *all, CXTranslationUnit parsed) {
  for (unsigned i = 0; i < libclang.getNumDiagnostics(parsed); i++) {
    CXDiagnostic diagnostic = libclang.getDiagnostic(parsed, i);
    trial *in = find_trial(all, libclang.getDiagnosticLocation(diagnostic));
    if (in != NULL && in->reason == NULL &&
        libclang.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      in->reason = pool_take(&all->unit->strings, libclang.getDiagnosticSpelling(diagnostic));
    libclang.disposeDiagnostic(diagnostic);
  }
}

/* The first naming of each variable that works. The trials of a variable follow each other. */
static host_result pick_naming(const trials *all, naming *ret) {
  const trial *at = all->list.items;
  const trial *const end = at + all->list.count;
  for (size_t which = 0; which < all->found->list.count; which++) {
    const trial *chosen = NULL;
    const char *reason = "the name is another variable's";
    for (; at < end && at->which == which; at++) {
      if (at->reason != NULL)
        reason = at->reason;
      else if (at->reaches && chosen == NULL)
        chosen = at;
    }
    const variable *variable = &all->found->list.items[which];
    HOST_REQUIRE(chosen != NULL, HOST_ERROR_UNSUPPORTED,
                 "%s:%u: '%s' cannot be named at the end of the file: libclang says: %s",
                 variable->file, variable->line, variable->name, reason);
    ret[which] = chosen->how;
  }
  return HOST_SUCCESS;
}

static host_result try_out(trials *all, naming *ret) {
  CXTranslationUnit parsed = NULL;
  HOST_TRY(write_text(all));
  HOST_TRY(unit_parse_declarations(all->unit, all->text, all->size, &parsed));
  all->file = libclang.getFile(parsed, all->unit->options->file);
  read_errors(all, parsed);
  libclang.visitChildren(libclang.getTranslationUnitCursor(parsed), visit_cursor, all);
  const host_result result =
      all->unit->strings.failed ? host_error_memory() : pick_naming(all, ret);
  libclang.disposeTranslationUnit(parsed);
  return result;
}

host_result naming_choose(unit *unit, const variables *found, naming **ret) {
  trials all = {.unit = unit, .found = found};
  naming *chosen = calloc(found->list.count + 1, sizeof *chosen);
  if (chosen == NULL)
    return host_error_memory();
  const host_result result = found->list.count > 0 ? try_out(&all, chosen) : HOST_SUCCESS;
  free(all.list.items);
  free(all.spans.items);
  free(all.text);
  if (result == HOST_SUCCESS)
    *ret = chosen;
  else
    free(chosen);
  return result;
}
