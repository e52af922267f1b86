#include "unit_id.h"

#include "identifier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool id_is_valid(const char *id) {
  static const char letters[] = IDENTIFIER_LETTERS "-.";
  const size_t length = strlen(id);
  return length >= 1 && length <= SPECPI_COMPILER_UNIT_ID_MAX && strspn(id, letters) == length;
}

specpi_compiler_result unit_id_check(const char *unit_id) {
  const specpi_compiler_result invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  COMPILER_REQUIRE(unit_id != NULL, invalid, "unit_id is NULL");
  COMPILER_REQUIRE(id_is_valid(unit_id), invalid,
                   "the unit id '%s' is not 1 to %d letters, digits, '_', '-' and '.'", unit_id,
                   SPECPI_COMPILER_UNIT_ID_MAX);
  return SPECPI_COMPILER_SUCCESS;
}

char *unit_id_of(const char *unit_id, LLVMValueRef variable) {
  size_t length;
  const char *name = LLVMGetValueName2(variable, &length);
  const LLVMLinkage linkage = LLVMGetLinkage(variable);
  if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
    return strdup(name);
  const size_t size = strlen(unit_id) + strlen("___") + length + 1;
  char *id = malloc(size);
  if (id != NULL)
    snprintf(id, size, "%s___%s", unit_id, name);
  return id;
}
