#include "sycl_unit.h"

specpi_compiler_result sycl_local_memory_add(sycl_unit *it) {
  COMPILER_REQUIRE(LLVMGetNamedFunction(it->module, SYCL_UNIT_LOCAL_MEMORY) == NULL,
                   SPECPI_COMPILER_ERROR_INVALID_KERNEL, "local memory is not there yet");
  return SPECPI_COMPILER_SUCCESS;
}
