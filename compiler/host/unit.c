#include "unit.h"

#include "../../plugins/base/digest.h"
#include "../../plugins/base/read.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arguments for every file, before and after the user's arguments. */
static const char *const arguments_before[] = {"-x", "c++", "-std=c++17"};
/* Warnings are the host compiler's job. Every error is wanted, the twentieth too. */
static const char *const arguments_after[] = {"-w", "-ferror-limit=0"};
#define BEFORE (sizeof arguments_before / sizeof arguments_before[0])
#define AFTER (sizeof arguments_after / sizeof arguments_after[0])

static bool prefix_is_valid(const char *prefix) {
  const size_t length = strlen(prefix);
  for (size_t i = 0; i < length; i++) {
    const char c = prefix[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
          c == '-' || c == '.'))
      return false;
  }
  return length >= 1 && length <= HOST_UNIT_ID_MAX;
}

static host_result check_options(const host_options *options) {
  HOST_REQUIRE(options != NULL, HOST_ERROR_INVALID_ARGUMENT, "the options are NULL");
  HOST_REQUIRE(options->file != NULL && options->file[0] != '\0', HOST_ERROR_INVALID_ARGUMENT,
               "no file is given");
  HOST_REQUIRE(options->argument_count == 0 || options->arguments != NULL,
               HOST_ERROR_INVALID_ARGUMENT, "%zu arguments are announced, and their array is NULL",
               options->argument_count);
  HOST_REQUIRE(options->argument_count < INT_MAX - BEFORE - AFTER, HOST_ERROR_INVALID_ARGUMENT,
               "%zu arguments are too many", options->argument_count);
  for (size_t i = 0; i < options->argument_count; i++)
    HOST_REQUIRE(options->arguments[i] != NULL, HOST_ERROR_INVALID_ARGUMENT, "argument %zu is NULL",
                 i);
  HOST_REQUIRE(options->unit_id == NULL || prefix_is_valid(options->unit_id),
               HOST_ERROR_INVALID_ARGUMENT,
               "the unit id '%s' is not 1 to %d letters, digits, '_', '-' and '.'",
               options->unit_id, HOST_UNIT_ID_MAX);
  return HOST_SUCCESS;
}

/* The file may be a pipe, whose size is not known before its end. */
static host_result read_source(unit *ret) {
  ret->text = read_file(ret->options->file, &ret->size);
  if (ret->text == NULL && errno == ENOMEM)
    return host_error_memory();
  HOST_REQUIRE(ret->text != NULL, HOST_ERROR_FILE, "%s cannot be read: %s", ret->options->file,
               strerror(errno));
  return HOST_SUCCESS;
}

/*
 * Units of one program differ in their files, or are the same file with other arguments. Two copies
 * of a file, however equal, have two paths.
 */
static host_result make_prefix(unit *ret) {
  if (ret->options->unit_id != NULL) {
    ret->prefix = ret->options->unit_id;
    return HOST_SUCCESS;
  }
  char *path = realpath(ret->options->file, NULL);
  HOST_REQUIRE(path != NULL, HOST_ERROR_FILE, "the absolute path of %s cannot be found: %s",
               ret->options->file, strerror(errno));
  digest_state state;
  digest_begin(&state);
  digest_add(&state, path, strlen(path) + 1);
  for (size_t i = 0; i < ret->options->argument_count; i++)
    digest_add(&state, ret->options->arguments[i], strlen(ret->options->arguments[i]) + 1);
  digest_add(&state, "", 1); /* no argument is empty text of the file, and the reverse */
  digest_add(&state, ret->text, ret->size);
  free(path);
  ret->prefix = pool_format(&ret->strings, "uid%s", digest_name_of(digest_end(&state)).text);
  return HOST_SUCCESS;
}

static host_result parse_unit(const unit *unit, const char *text, size_t size, unsigned how,
                              CXTranslationUnit *ret) {
  const size_t given = unit->options->argument_count;
  const char **arguments = calloc(BEFORE + given + AFTER, sizeof *arguments);
  if (arguments == NULL)
    return host_error_memory();
  memcpy(arguments, arguments_before, sizeof arguments_before);
  for (size_t i = 0; i < given; i++)
    arguments[BEFORE + i] = unit->options->arguments[i];
  memcpy(arguments + BEFORE + given, arguments_after, sizeof arguments_after);
  struct CXUnsavedFile file = {unit->options->file, text, size};
  const enum CXErrorCode error =
      libclang.parseTranslationUnit2(unit->index, unit->options->file, arguments,
                                     (int)(BEFORE + given + AFTER), &file, 1, how, ret);
  free(arguments);
  HOST_REQUIRE(error != CXError_Crashed, HOST_ERROR_INTERNAL, "libclang crashed while it read %s",
               unit->options->file);
  HOST_REQUIRE(error == CXError_Success, HOST_ERROR_INVALID_SOURCE,
               "libclang cannot read %s with these arguments (its error %d)", unit->options->file,
               (int)error);
  return HOST_SUCCESS;
}

host_result unit_parse_declarations(const unit *unit, const char *text, size_t size,
                                    CXTranslationUnit *ret) {
  return parse_unit(unit, text, size, CXTranslationUnit_SkipFunctionBodies, ret);
}

static const char *word(unit *unit, CXDiagnostic diagnostic) {
  CXString file;
  unsigned line, column;
  libclang.getPresumedLocation(libclang.getDiagnosticLocation(diagnostic), &file, &line, &column);
  const char *name = pool_take(&unit->strings, file);
  const char *text = pool_take(&unit->strings, libclang.getDiagnosticSpelling(diagnostic));
  if (name[0] == '\0') /* about the arguments */
    return pool_format(&unit->strings, "libclang cannot read %s: %s", unit->options->file, text);
  return pool_format(&unit->strings, "%s:%u:%u: %s", name, line, column, text);
}

/* The first error as libclang words it, with its place. */
static host_result check_diagnostics(unit *unit) {
  for (unsigned i = 0; i < libclang.getNumDiagnostics(unit->parsed); i++) {
    CXDiagnostic diagnostic = libclang.getDiagnostic(unit->parsed, i);
    const bool fails = libclang.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
    const char *sentence = fails ? word(unit, diagnostic) : "";
    libclang.disposeDiagnostic(diagnostic);
    HOST_REQUIRE(!fails, HOST_ERROR_INVALID_SOURCE, "%s", sentence);
  }
  return HOST_SUCCESS;
}

host_result unit_open(const host_options *options, unit *ret) {
  HOST_TRY(check_options(options));
  ret->options = options;
  HOST_TRY(read_source(ret));
  HOST_TRY(make_prefix(ret));
  ret->identifier = pool_format(&ret->strings, "%s",
                                digest_name_of(digest_make(ret->prefix, strlen(ret->prefix))).text);
  HOST_TRY(libclang_load());
  ret->index =
      libclang.createIndex(/* excludeDeclarationsFromPCH= */ 0, /* displayDiagnostics= */ 0);
  HOST_REQUIRE(ret->index != NULL, HOST_ERROR_INTERNAL, "libclang cannot make an index");
  HOST_TRY(parse_unit(ret, ret->text, ret->size, CXTranslationUnit_None, &ret->parsed));
  HOST_TRY(check_diagnostics(ret));
  return ret->strings.failed ? host_error_memory() : HOST_SUCCESS;
}

void unit_close(unit *unit) {
  if (unit->parsed != NULL)
    libclang.disposeTranslationUnit(unit->parsed);
  if (unit->index != NULL)
    libclang.disposeIndex(unit->index);
  pool_release(&unit->strings);
  free(unit->text);
}

const char *unit_place(unit *unit, CXCursor cursor) {
  CXString file;
  unsigned line;
  libclang.getPresumedLocation(libclang.getCursorLocation(cursor), &file, &line, NULL);
  const char *name = pool_take(&unit->strings, file);
  return pool_format(&unit->strings, "%s:%u", name, line);
}
