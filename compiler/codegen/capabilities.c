#include "capabilities.h"

specpi_compiler_result capability_check(uint32_t number) {
  switch (number) {
#define CODEGEN_CAPABILITY(number, name) case number:
    CODEGEN_CAPABILITIES(CODEGEN_CAPABILITY)
#undef CODEGEN_CAPABILITY
    return SPECPI_COMPILER_SUCCESS;
#define CODEGEN_REFUSED(number, name, why)                                                         \
  case number:                                                                                     \
    return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,                                    \
                          "there is no PTX for SPIR-V with the capability " #name ": " why);
    CODEGEN_REFUSED_CAPABILITIES(CODEGEN_REFUSED)
#undef CODEGEN_REFUSED
  default:
    return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,
                          "there is no PTX for SPIR-V with the capability %u, which is not known",
                          number);
  }
}
