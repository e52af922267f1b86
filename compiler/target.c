#include "target.h"

#include <llvm-c/Target.h>
#include <string.h>

typedef struct target {
  const char *name;
  const char *triple;
  const char *layout;
} target;

static const target targets[] = {
#define COMPILER_TARGET(name, triple, layout) {name, triple, layout},
    COMPILER_TARGETS(COMPILER_TARGET)
#undef COMPILER_TARGET
};

/* Returns the target with whose name a triple starts, or NULL. */
static const target *find_target(const char *triple) {
  for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
    if (strncmp(triple, targets[i].name, strlen(targets[i].name)) == 0)
      return &targets[i];
  return NULL;
}

specpi_compiler_result target_apply(LLVMModuleRef module, const char *wanted) {
  const char *triple = LLVMGetTarget(module);
  const bool has_triple = triple[0] != '\0';
  COMPILER_REQUIRE(wanted != NULL || has_triple, SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "the module has no target triple, and no target is given");
  const target *given = find_target(wanted != NULL ? wanted : triple);
  COMPILER_REQUIRE(given != NULL, SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "the target '%s' is not known", wanted != NULL ? wanted : triple);
  COMPILER_REQUIRE(!has_triple || find_target(triple) == given,
                   SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "the module's target is '%s', '%s' is wanted", triple, wanted);
  if (!has_triple)
    LLVMSetTarget(module, given->triple);
  if (LLVMGetDataLayoutStr(module)[0] == '\0')
    LLVMSetDataLayout(module, given->layout);
  COMPILER_REQUIRE(LLVMByteOrder(LLVMGetModuleDataLayout(module)) == LLVMLittleEndian,
                   SPECPI_COMPILER_ERROR_INVALID_TARGET, "the module's data layout is big-endian");
  return SPECPI_COMPILER_SUCCESS;
}

bool target_is_spir(LLVMModuleRef module) {
  return strncmp(LLVMGetTarget(module), "spir", strlen("spir")) == 0;
}

bool target_is_nvptx(LLVMModuleRef module) {
  return strncmp(LLVMGetTarget(module), TARGET_NVPTX, strlen(TARGET_NVPTX)) == 0;
}

bool target_maps(LLVMModuleRef module, const char *wanted) {
  return wanted != NULL && strncmp(wanted, TARGET_NVPTX, strlen(TARGET_NVPTX)) == 0 &&
         strncmp(LLVMGetTarget(module), "spir64", strlen("spir64")) == 0;
}
