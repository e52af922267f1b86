#include "host_pass.h"

#include "file.h"

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
