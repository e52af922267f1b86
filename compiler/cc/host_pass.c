#include "host_pass.h"

#include "child.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A module that the pass changes, and where its result goes. */
typedef struct module_files {
  const char *module;
  specpi_compiler_form form; /* the result's */
  const char *out;
  const char *temporary; /* file_write's */
} module_files;

static bool ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name);
  return length >= strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* Returns the form that the output's ending names, or else the input's; by default bitcode. */
static specpi_compiler_form form_of(const cc_options *options) {
  if (ends_with(options->out, ".ll"))
    return SPECPI_COMPILER_FORM_LL;
  if (ends_with(options->out, ".bc") || !ends_with(options->host_file, ".ll"))
    return SPECPI_COMPILER_FORM_BC;
  return SPECPI_COMPILER_FORM_LL;
}

static specpi_compiler_result register_variables(specpi_compiler_module module,
                                                 const specpi_compiler_unit_options *unit,
                                                 specpi_compiler_output *ret) {
  return unit->unit_id ? specpiCompilerRegisterUnitVariables(module, unit, ret)
                       : specpiCompilerRegisterVariables(module, ret);
}

/*
 * Registers a module's variables. unit: without a unit_id, classes do not count. file: the start of
 * an error.
 */
static bool run_pass(const module_files *files, const specpi_compiler_unit_options *unit,
                     const char *file) {
  specpi_compiler compiler = NULL;
  specpi_compiler_module module = NULL;
  specpi_compiler_output output = NULL;
  const void *data;
  size_t size;
  bool done =
      specpiCompilerCreate(&compiler) == SPECPI_COMPILER_SUCCESS &&
      specpiCompilerModuleReadFile(compiler, files->module, &module) == SPECPI_COMPILER_SUCCESS &&
      register_variables(module, unit, &output) == SPECPI_COMPILER_SUCCESS &&
      specpiCompilerOutputGetData(output, files->form, &data, &size) == SPECPI_COMPILER_SUCCESS;
  if (!done)
    cc_error("%s: %s", file, specpiCompilerGetLastError());
  else
    done = file_write(files->out, files->temporary, data, size, false);
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(module);
  specpiCompilerRelease(compiler);
  return done;
}

bool cc_host_pass_write(const cc_options *options, const char *temporary) {
  const module_files files = {options->host_file, form_of(options), options->out, temporary};
  const specpi_compiler_unit_options unit = {.unit_id = options->unit_id};
  return run_pass(&files, &unit, options->host_file);
}

/* ---- A unit's module ---- */

bool cc_host_pass_fits(const cc_host_compiler *compiler, const char *file) {
  static const char advice[] =
      "--host-compiler=PROGRAM names another one, and --host-side=header is for every compiler";
  const int own = (int)strtol(SPECPI_CC_LLVM_VERSION, NULL, 10);
  const char *name = compiler->command.items[0];
  if (compiler->sycl.directory)
    return CC_FAIL("%s: --host-side=pass is for include/sycl, and the SYCL in use is that of '%s'; "
                   "--sycl=own chooses include/sycl",
                   file, compiler->sycl.directory);
  if (compiler->clang == 0)
    return CC_FAIL("%s: --host-side=pass is for clang %d, and '%s' is not clang; %s", file, own,
                   name, advice);
  /* It reads what the pass writes, and the other way round. */
  return compiler->clang == own ||
         CC_FAIL("%s: --host-side=pass is for clang %d, because specpi-cc was built with its LLVM, "
                 "and '%s' is clang %d; %s",
                 file, own, name, compiler->clang, advice);
}

/* Amounts of debug information. */
typedef enum debug { DEBUG_NONE, DEBUG_LINES, DEBUG_ALL } debug;

/* X(word, amount): the options that ask clang for debug information; others say how it is made. */
#define DEBUG_WORDS(X)                                                                             \
  X("-g0", NONE)                                                                                   \
  X("-ggdb0", NONE)                                                                                \
  X("-g1", LINES)                                                                                  \
  X("-ggdb1", LINES)                                                                               \
  X("-gmlt", LINES)                                                                                \
  X("-gline-tables-only", LINES)                                                                   \
  X("-gline-directives-only", LINES)                                                               \
  X("-g", ALL)                                                                                     \
  X("-g2", ALL)                                                                                    \
  X("-g3", ALL)                                                                                    \
  X("-ggdb", ALL)                                                                                  \
  X("-ggdb2", ALL)                                                                                 \
  X("-ggdb3", ALL)                                                                                 \
  X("-glldb", ALL)                                                                                 \
  X("-gsce", ALL)                                                                                  \
  X("-gdbx", ALL)                                                                                  \
  X("-gfull", ALL)                                                                                 \
  X("-gused", ALL)                                                                                 \
  X("-gmodules", ALL)                                                                              \
  X("-ginline-line-tables", ALL)                                                                   \
  X("-gno-inline-line-tables", ALL)                                                                \
  X("-gdwarf", ALL)                                                                                \
  X("-gdwarf-2", ALL)                                                                              \
  X("-gdwarf-3", ALL)                                                                              \
  X("-gdwarf-4", ALL)                                                                              \
  X("-gdwarf-5", ALL)                                                                              \
  X("-gdwarf32", ALL)                                                                              \
  X("-gdwarf64", ALL)

static debug read_debug_word(const char *word, debug before) {
#define DEBUG_WORD(text, AMOUNT)                                                                   \
  if (strcmp(word, text) == 0)                                                                     \
    return DEBUG_##AMOUNT;
  DEBUG_WORDS(DEBUG_WORD)
#undef DEBUG_WORD
  return before;
}

/* Returns the amount that the user's options ask for: the last of them counts. */
static debug find_debug(const cc_host_compiler *compiler, const cc_options *options) {
  const cc_texts *const lists[] = {&compiler->command, &options->words.host,
                                   &options->host_words.host};
  debug found = DEBUG_NONE;
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    for (size_t at = 0; at < lists[i]->count; at++)
      found = read_debug_word(lists[i]->items[at], found);
  return found;
}

void cc_host_pass_add_words(const cc_host_compiler *compiler, const cc_options *options,
                            cc_texts *command) {
  static const char *const words[] = {"-D__INTEL_SYCL_HOST_COMPILER__", "-emit-llvm", "-Xclang",
                                      "-disable-llvm-passes"};
  CC_TEXTS_ADD_ARRAY(command, words);
  if (find_debug(compiler, options) != DEBUG_ALL)
    cc_texts_add(command, "-g");
}

bool cc_host_pass_register(const cc_work *work, const cc_host_compiler *compiler,
                           const cc_host_unit *unit, const char *id) {
  const debug asked = find_debug(compiler, work->options);
  char *id_word = cc_format("--unit-id=%s", id);
  char *module_word = cc_format("--host-pass=%s", unit->bitcode);
  char *temporary = file_temporary(unit->bitcode);
  const char *const words[] = {"specpi-cc", module_word, id_word, "-o", unit->bitcode};
  cc_texts command = {0};
  CC_TEXTS_ADD_ARRAY(&command, words);
  if (work->options->verbose)
    child_print(&command);
  const module_files files = {unit->bitcode, SPECPI_COMPILER_FORM_BC, unit->bitcode, temporary};
  const specpi_compiler_unit_options how = {
      .unit_id = id,
      .drop_lines = asked == DEBUG_NONE,
      .drop_types = asked == DEBUG_LINES,
  };
  const bool done = run_pass(&files, &how, unit->file);
  cc_texts_free(&command);
  free(temporary);
  free(module_word);
  free(id_word);
  return done;
}
