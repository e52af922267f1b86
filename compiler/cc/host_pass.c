#include "host_pass.h"

#include "file.h"

#include <string.h>

static bool ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name);
  return length >= strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* What the output's ending says, or else the input's; bitcode when neither says anything. */
static specpi_compiler_form form_of(const cc_options *options) {
  if (ends_with(options->out, ".ll"))
    return SPECPI_COMPILER_FORM_LL;
  if (ends_with(options->out, ".bc") || !ends_with(options->host_file, ".ll"))
    return SPECPI_COMPILER_FORM_BC;
  return SPECPI_COMPILER_FORM_LL;
}

bool cc_host_pass_write(const cc_options *options, const char *temporary) {
  specpi_compiler compiler = NULL;
  specpi_compiler_module module = NULL;
  specpi_compiler_output output = NULL;
  const void *data;
  size_t size;
  bool done = specpiCompilerCreate(&compiler) == SPECPI_COMPILER_SUCCESS &&
              specpiCompilerModuleReadFile(compiler, options->host_file, &module) ==
                  SPECPI_COMPILER_SUCCESS &&
              specpiCompilerRegisterVariables(module, &output) == SPECPI_COMPILER_SUCCESS &&
              specpiCompilerOutputGetData(output, form_of(options), &data, &size) ==
                  SPECPI_COMPILER_SUCCESS;
  if (!done)
    cc_error("%s: %s", options->host_file, specpiCompilerGetLastError());
  else
    done = file_write(options->out, temporary, data, size, false);
  specpiCompilerOutputRelease(output);
  specpiCompilerModuleRelease(module);
  specpiCompilerRelease(compiler);
  return done;
}
