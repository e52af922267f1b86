/* Checks that the installed compiler library refuses a missing file. */
#include <specpi/compiler.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  specpi_compiler compiler;
  if (specpiCompilerCreate(&compiler) != SPECPI_COMPILER_SUCCESS)
    return 1;
  specpi_compiler_module module;
  const specpi_compiler_result result =
      specpiCompilerModuleReadFile(compiler, "nowhere.bc", &module);
  puts(specpiCompilerGetLastError());
  specpiCompilerRelease(compiler);
  return result != SPECPI_COMPILER_ERROR_FILE;
}
