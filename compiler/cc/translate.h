/* Between LLVM bitcode and SPIR-V: llvm-spirv, as a child process. */
#ifndef SPECPI_CC_TRANSLATE_H
#define SPECPI_CC_TRANSLATE_H

#include "image.h"

/* file is the input that it is all for. false after an error. */
bool translate_to_spirv(cc_work *work, const char *file, const void *bitcode, size_t size,
                        file_bytes *ret);
bool translate_from_spirv(cc_work *work, const char *file, const char *bitcode);

#endif
