/* The code generator that is installed with this library, and its version. */
#ifndef CODE_GENERATOR_H
#define CODE_GENERATOR_H

#include "../base/digest.h"
#include "codegen.h"

typedef struct generator {
  codegen *processes;
  const char *libdevice; /* path from SPECPI_LIBDEVICE or of a CUDA toolkit; "" if none */
  /*
   * Digest of libdevice and of the file specpi-codegen.id, which lies beside the program. The
   * build of specpi-codegen writes that file with the digests of all the generator's files.
   */
  digest version;
  /* True if version is valid. If not, generated PTX must not be cached on disk. */
  bool has_version;
} generator;

/*
 * Returns the generator for this library (codegen_place.h), or NULL. Only the first call searches
 * for it. Any thread.
 */
const generator *generator_get(void);

/*
 * Returns why there is no generator and what the user can do, as text to follow "SPIR-V " in a
 * message. NULL if there is a generator. Any thread.
 */
const char *generator_obstacle(void);

#endif
