/* Mode default: replaces each use by the constant's default. */
#include "spec_constants.h"

#include <stdlib.h>

/* Builds the part of a default at the layout's node *next, in the constant's type. */
static specpi_compiler_result build_value(const layout *of, const image *own, size_t *next,
                                          LLVMValueRef *ret) {
  const node *node = &of->nodes.items[(*next)++];
  if (node->kind == NODE_HOLE) {
    *ret = LLVMGetUndef(node->type);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (node->kind == NODE_SCALAR) {
    *ret = image_scalar(own, node);
    return SPECPI_COMPILER_SUCCESS;
  }
  LLVMValueRef *parts = malloc((node->parts + 1u) * sizeof *parts);
  if (parts == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (uint32_t i = 0; i < node->parts && result == SPECPI_COMPILER_SUCCESS; i++)
    result = build_value(of, own, next, &parts[i]);
  if (result == SPECPI_COMPILER_SUCCESS)
    switch (LLVMGetTypeKind(node->type)) {
    case LLVMStructTypeKind:
      *ret = LLVMConstNamedStruct(node->type, parts, node->parts);
      break;
    case LLVMArrayTypeKind:
      *ret = LLVMConstArray(LLVMGetElementType(node->type), parts, node->parts);
      break;
    default:
      *ret = LLVMConstVector(parts, node->parts);
      break;
    }
  free(parts);
  return result;
}

static specpi_compiler_result value(pass *p, const spec_use *use, const layout *as,
                                    const image *own, LLVMValueRef *ret) {
  if (use->call.kind == USE_ALLOCA) {
    *ret = spec_alloca(p, use, use->default_value);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (use->call.result != NULL) {
    *ret = use->default_value;
    return SPECPI_COMPILER_SUCCESS;
  }
  size_t next = 0;
  return build_value(as, own, &next, ret);
}

const spec_mode spec_mode_default = {.records = NULL, .prepare = NULL, .value = value};
