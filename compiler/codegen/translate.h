/* Translation of SPIR-V to LLVM IR by the translator's library, which is C++. */
#ifndef CODEGEN_TRANSLATE_H
#define CODEGEN_TRANSLATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Translates a SPIR-V module to bitcode for spir64, with OpenCL C 2.0's names for built-in
 * functions. The caller frees the bitcode. Returns NULL, with the translator's message, if the
 * translator refuses the module; on many damaged modules it ends the process instead.
 */
char *translate_spirv(const void *module, size_t size, size_t *ret_size, char *message,
                      size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
