#define _POSIX_C_SOURCE 200809L /* access */
#include "about.h"

#include "../../plugins/code/libdevice_place.h"
#include "serve.h"

#include <stdio.h>
#include <unistd.h>

int about_print(void) {
  const char *libdevice = libdevice_place();
  serve_libraries libraries;
  int status = serve_find_libraries(&libraries) ? 0 : 1;
  puts("specpi-codegen " SPECPI_CODEGEN_VERSION);
  puts("LLVM: " SPECPI_CODEGEN_LLVM_VERSION);
  for (size_t i = 0; i < SERVE_LIBRARY_COUNT && status == 0; i++)
    if (access(libraries.paths[i], R_OK) != 0) {
      printf("missing: %s, without which no build is possible\n", libraries.paths[i]);
      status = 1;
    }
  printf("libdevice: %s\n", *libdevice ? libdevice
                                       : "none; sin, exp, pow and the like are libclc's, slower "
                                         "than those of a CUDA toolkit");
  return fflush(stdout) == 0 && !ferror(stdout) ? status : 1;
}
