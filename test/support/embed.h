/* Embeds files as bytes in a program, with the assembler's .incbin. */
#ifndef SPECPI_TEST_EMBED_H
#define SPECPI_TEST_EMBED_H

#include <stddef.h>

/*
 * SPECPI_EMBED(name, "file.spv"), at file scope: defines name##_begin and name##_end around the
 * bytes of a file on the include path, aligned to 8 bytes.
 */
#define SPECPI_EMBED(name, file)                                                                   \
  __asm__(".section .rodata\n"                                                                     \
          ".balign 8\n" #name "_begin:\n"                                                          \
          ".incbin \"" file "\"\n" #name "_end:\n"                                                 \
          ".byte 0\n"                                                                              \
          ".previous\n");                                                                          \
  extern const unsigned char name##_begin[];                                                       \
  extern const unsigned char name##_end[];

/* Returns the size of an embedded file in bytes. */
#define SPECPI_EMBED_SIZE(name) ((size_t)(name##_end - name##_begin))

#endif
