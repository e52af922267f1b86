/* Tries the namings of all variables out, in one more reading of the file. */
#include "naming.h"

#include <stdlib.h>
#include <string.h>

/* One naming of one variable, on its own lines of the text. */
typedef struct trial {
  size_t which;
  naming how;
  unsigned first_line;
  bool reaches;       /* it refers to the variable */
  const char *reason; /* libclang's first error in it; NULL */
} trial;

typedef struct trials {
  unit *it;
  const variables *found;
  VECTOR(trial) list;
  unsigned end_line; /* the line after the last trial */
  CXFile file;
} trials;

static bool applies(const variable *which, naming how) {
  if (how == NAMING_ACCESS || how == NAMING_ACCESS_INSIDE)
    return which->is_private;
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

/* What stands for the footer's specialisation, in its namespaces; it instantiates nothing. */
static void write_trial(trials *all, FILE *to, size_t number, const trial *made) {
  const char *expression =
      naming_write(all->it, to, &all->found->list.items[made->which], made->how, number);
  naming_open(to, &all->found->function);
  if (made->how != NAMING_EXTERN)
    fprintf(to,
            "template <auto &> struct __sycl_trial_%zu;\n"
            "extern __sycl_trial_%zu<%s> *__sycl_tried_%zu;\n",
            number, number, expression, number);
  fprintf(to, "static auto &__sycl_reached_%zu = %s;\n", number, expression);
  naming_close(to, &all->found->function);
}

/* The file's text and, after it, all trials. The caller frees *ret. */
static host_result write_text(trials *all, char **ret, size_t *size) {
  FILE *to = open_memstream(ret, size);
  if (to == NULL)
    return host_error_memory();
  fwrite(all->it->text, 1, all->it->size, to);
  fputs("\n\n", to); /* the last line may end in a backslash */
  bool failed = fflush(to) != 0;
  unsigned line = failed ? 0 : 1 + count_lines(*ret, *size);
  size_t counted = failed ? 0 : *size;
  for (size_t which = 0; which < all->found->list.count && !failed; which++)
    for (naming how = 0; how < NAMING_COUNT && !failed; how++) {
      if (!applies(&all->found->list.items[which], how))
        continue;
      if (!VECTOR_RESERVE(&all->list)) {
        failed = true;
        break;
      }
      trial *made = &all->list.items[all->list.count];
      *made = (trial){.which = which, .how = how, .first_line = line};
      write_trial(all, to, all->list.count++, made);
      failed = fflush(to) != 0;
      if (failed)
        break;
      line += count_lines(*ret + counted, *size - counted);
      counted = *size;
    }
  all->end_line = line;
  failed = fclose(to) != 0 || failed;
  return failed ? host_error_memory() : HOST_SUCCESS;
}

/* The trial at a place; NULL when it is none's. */
static trial *find(const trials *all, CXSourceLocation place) {
  CXFile file;
  unsigned line;
  clang_getExpansionLocation(place, &file, &line, NULL, NULL);
  if (!clang_File_isEqual(file, all->file) || line >= all->end_line)
    return NULL;
  trial *last = NULL;
  for (size_t low = 0, high = all->list.count; low < high;) {
    const size_t middle = low + (high - low) / 2;
    if (all->list.items[middle].first_line <= line) {
      last = &all->list.items[middle];
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return last;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  trials *all = data;
  if (clang_getCursorKind(parent) == CXCursor_TranslationUnit &&
      find(all, clang_getCursorLocation(cursor)) == NULL)
    return CXChildVisit_Continue;
  if (!clang_isExpression(clang_getCursorKind(cursor)))
    return CXChildVisit_Recurse;
  CXCursor to = clang_getCursorReferenced(cursor);
  trial *in = find(all, clang_getCursorLocation(cursor));
  if (clang_getCursorKind(to) != CXCursor_VarDecl || in == NULL)
    return CXChildVisit_Recurse;
  CXString mangled = clang_Cursor_getMangling(to);
  const variable *meant = &all->found->list.items[in->which];
  if (clang_getCString(mangled) != NULL && strcmp(clang_getCString(mangled), meant->mangled) == 0)
    in->reaches = true;
  else if (in->reason == NULL)
    in->reason = "another variable is found by the name";
  clang_disposeString(mangled);
  return CXChildVisit_Recurse;
}

static void read_errors(trials *all, CXTranslationUnit parsed) {
  for (unsigned i = 0; i < clang_getNumDiagnostics(parsed); i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(parsed, i);
    trial *in = find(all, clang_getDiagnosticLocation(diagnostic));
    if (in != NULL && in->reason == NULL &&
        clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      in->reason = pool_take(&all->it->strings, clang_getDiagnosticSpelling(diagnostic));
    clang_disposeDiagnostic(diagnostic);
  }
}

/* The first naming of each variable that works. The trials of a variable follow each other. */
static host_result pick(const trials *all, naming *ret) {
  const trial *at = all->list.items;
  const trial *const end = at + all->list.count;
  for (size_t which = 0; which < all->found->list.count; which++) {
    const trial *chosen = NULL;
    const char *reason = "it does not see the name";
    for (; at < end && at->which == which; at++) {
      if (at->reason != NULL)
        reason = at->reason;
      else if (at->reaches && chosen == NULL)
        chosen = at;
    }
    const variable *it = &all->found->list.items[which];
    HOST_REQUIRE(chosen != NULL, HOST_ERROR_UNSUPPORTED,
                 "%s:%u: '%s' cannot be named at the end of the file: libclang says: %s", it->file,
                 it->line, it->name, reason);
    ret[which] = chosen->how;
  }
  return HOST_SUCCESS;
}

static host_result try_out(trials *all, naming *ret) {
  char *text = NULL;
  size_t size = 0;
  CXTranslationUnit parsed = NULL;
  host_result result = write_text(all, &text, &size);
  if (result == HOST_SUCCESS)
    result = unit_parse(all->it, text, size, &parsed);
  if (result == HOST_SUCCESS) {
    all->file = clang_getFile(parsed, all->it->options->file);
    read_errors(all, parsed);
    clang_visitChildren(clang_getTranslationUnitCursor(parsed), visit, all);
    result = all->it->strings.failed ? host_error_memory() : pick(all, ret);
    clang_disposeTranslationUnit(parsed);
  }
  free(text);
  return result;
}

host_result naming_choose(unit *it, const variables *found, naming **ret) {
  trials all = {.it = it, .found = found};
  naming *chosen = calloc(found->list.count + 1, sizeof *chosen);
  if (chosen == NULL)
    return host_error_memory();
  const host_result result = try_out(&all, chosen);
  free(all.list.items);
  if (result == HOST_SUCCESS)
    *ret = chosen;
  else
    free(chosen);
  return result;
}
