/* The code generator that is installed with this library, and its version. */
#ifndef CODE_GENERATOR_H
#define CODE_GENERATOR_H

#include "../base/digest.h"
#include "codegen.h"

typedef struct generator {
  codegen *processes;
  const char *libdevice; /* its path, SPECPI_LIBDEVICE's or a CUDA toolkit's; "" without one */
  /*
   * Digest of libdevice and of the file specpi-codegen.id beside the program. The program's build
   * writes that file, with the digests of all that code comes from.
   */
  digest version;
  bool has_version; /* false: there is no such file, and nothing may outlive this process */
} generator;

/*
 * The generator for this library (codegen_place.h), or NULL. The first call looks for it; the
 * answer does not change after it. Any thread.
 */
const generator *generator_get(void);

/*
 * Why there is none and what to do, to follow "SPIR-V " in a message; NULL where there is one. Any
 * thread.
 */
const char *generator_obstacle(void);

#endif
