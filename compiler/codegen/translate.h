/* SPIR-V as LLVM IR, by the translator's library, which is C++. */
#ifndef CODEGEN_TRANSLATE_H
#define CODEGEN_TRANSLATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes bitcode of a module for spir64, with OpenCL C 2.0's names for what is built in. NULL, and a
 * message in message, when the translator says why; on many damaged modules it ends the process.
 * The caller frees the result.
 */
char *translate_spirv(const void *module, size_t size, size_t *ret_size, char *message,
                      size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
