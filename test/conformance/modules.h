/* The SPIR-V modules of the tests: kernels/NAME.cl or kernels/NAME.spvasm, inside the program. */
#ifndef CONFORMANCE_MODULES_H
#define CONFORMANCE_MODULES_H

#include "../support/embed.h"

#include <stddef.h>

typedef struct module {
  const unsigned char *bytes;
  size_t size;
} module;

/* module_NAME(): the bytes of a file of modules.def. */
#define MODULE(name)                                                                               \
  extern const unsigned char embedded_##name##_begin[];                                            \
  extern const unsigned char embedded_##name##_end[];                                              \
  static inline module module_##name(void) {                                                       \
    return (module){embedded_##name##_begin, SPECPI_EMBED_SIZE(embedded_##name)};                  \
  }
#include "modules.def"
#undef MODULE

#endif
