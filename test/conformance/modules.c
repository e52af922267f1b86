#include "../support/embed.h"

/* The modules themselves; modules.h declares them. The labels are local unless made global. */
#define MODULE(name)                                                                               \
  __asm__(".globl embedded_" #name "_begin, embedded_" #name "_end\n"                              \
          ".hidden embedded_" #name "_begin, embedded_" #name "_end\n");                           \
  SPECPI_EMBED(embedded_##name, #name ".spv")
#include "modules.def"
#undef MODULE
