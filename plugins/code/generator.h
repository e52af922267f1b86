/* The code generator that is installed with this library, and what says which one it is. */
#ifndef CODE_GENERATOR_H
#define CODE_GENERATOR_H

#include "../base/digest.h"
#include "codegen.h"

typedef struct generator {
  codegen *processes;
  const char *libdevice; /* its path, SPECPI_LIBDEVICE's or a CUDA toolkit's; "" without one */
  /*
   * Of the file specpi-codegen.id beside the program, which is made with it and has the digests of
   * all that code comes from, and of libdevice.
   */
  digest version;
  bool has_version; /* false: there is no such file, and nothing may outlive this process */
} generator;

/*
 * The one for this library (codegen_place.h); NULL: there is none. The first call looks for it; the
 * answer does not change after it. Any thread.
 */
const generator *generator_get(void);

/*
 * Why there is none and what to do, as a sentence that goes on behind "SPIR-V "; NULL where there
 * is one. Any thread.
 */
const char *generator_obstacle(void);

#endif
