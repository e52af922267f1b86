/*
 * Mode patch: replaces each scalar of a constant by inline assembly that moves an immediate. LLVM
 * cannot look into it, but may move, share and remove it, because it is marked as free of side
 * effects. A comment with the scalar's id marks it in the generated text.
 */
#include "../../plugins/base/digits.h"
#include "../attributes.h"
#include "../nvptx/ptx.h"
#include "leaf_ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool records(use_kind kind) {
  /* Array lengths set the stack's size, which must be known when code is generated. */
  return kind != USE_ALLOCA;
}

static specpi_compiler_result prepare_patch(pass *p) {
  return leaf_ids_assign(p, 0);
}

/* Marks a call as free of side effects, with the attributes that this version of LLVM has. */
static void mark_pure(LLVMContextRef context, LLVMValueRef call) {
  /* LLVM 16 has memory(none), whose value is 0, in place of readnone. */
  const char *const names[] = {"nounwind", "willreturn",
                               attributes_kind("memory") != 0 ? "memory" : "readnone"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             attributes_make(context, names[i]));
}

/*
 * Builds the scalar at a node. It moves an integer of 16, 32 or 64 bits, whose immediate has a
 * fixed number of digits for all values.
 */
static LLVMValueRef move_scalar(pass *p, uint32_t id, const node *node, const image *defaults) {
  const unsigned bits = node->size == 8 ? 64 : node->size == 4 ? 32 : 16;
  char digits[PTX_DIGITS_MAX + 1];
  digits_write_word(defaults->bytes + node->offset, node->size, digits);
  digits[2 * (size_t)node->size] = '\0';
  char text[96];
  const int length =
      snprintf(text, sizeof text, "mov.b%u $0, 0x%s; " PTX_TAG "%u", bits, digits, id);
  char result[3];
  memcpy(result, bits == 64 ? "=l" : bits == 32 ? "=r" : "=h", sizeof result);
  LLVMTypeRef integer = LLVMIntTypeInContext(p->context, bits);
  LLVMTypeRef type = LLVMFunctionType(integer, NULL, 0, 0);
  LLVMValueRef assembly =
      LLVMGetInlineAsm(type, text, (size_t)length, result, 2, 0, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef value = LLVMBuildCall2(p->builder, type, assembly, NULL, 0, "");
  mark_pure(p->context, value);
  if (LLVMGetTypeKind(node->type) != LLVMIntegerTypeKind)
    return LLVMBuildBitCast(p->builder, value, node->type, "");
  if (LLVMGetIntTypeWidth(node->type) == 1) /* the host sets a byte; any nonzero value is true */
    return LLVMBuildICmp(p->builder, LLVMIntNE, value, LLVMConstNull(integer), "tobool");
  return LLVMBuildTrunc(p->builder, value, node->type, "");
}

/* Builds the part of a constant at the node *next, depth first. */
static LLVMValueRef build_value(pass *p, const spec_constant *constant, const layout *as,
                                size_t *next) {
  const node *node = &as->nodes.items[(*next)++];
  if (node->kind == NODE_SCALAR)
    return move_scalar(p, constant->first_id + node->id, node, &constant->image);
  LLVMValueRef made = LLVMGetUndef(node->type);
  if (node->kind == NODE_HOLE)
    return made;
  const bool vector = LLVMGetTypeKind(node->type) == LLVMVectorTypeKind;
  for (uint32_t i = 0; i < node->parts; i++) {
    LLVMValueRef part = build_value(p, constant, as, next);
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(p->context), i, 0);
    made = vector ? LLVMBuildInsertElement(p->builder, made, part, index, "")
                  : LLVMBuildInsertValue(p->builder, made, part, i, "");
  }
  return made;
}

/*
 * Stores the scalars one by one, because LLVM's time for an aggregate grows with the square of its
 * size, and large constants are returned through a pointer.
 */
static void store_value(pass *p, const spec_constant *constant, const layout *as, const use *to) {
  const uint32_t alignment = spec_result_alignment(p, to);
  LLVMValueRef object = to->result;
  for (size_t i = 0; i < as->nodes.count; i++) {
    const node *node = &as->nodes.items[i];
    if (node->kind != NODE_SCALAR)
      continue;
    LLVMValueRef scalar = move_scalar(p, constant->first_id + node->id, node, &constant->image);
    LLVMValueRef made =
        LLVMBuildStore(p->builder, scalar, spec_point(p, object, node->offset, node->type));
    const uint32_t known =
        node->offset & (0u - node->offset); /* largest power of two dividing it */
    LLVMSetAlignment(made, known == 0 || known > alignment ? alignment : known);
  }
}

static specpi_compiler_result value(pass *p, const spec_use *use, const layout *as,
                                    const image *own, LLVMValueRef *ret) {
  (void)own; /* the text holds only one default for each scalar, the recorded one */
  if (use->call.kind == USE_ALLOCA) {
    *ret = spec_alloca(p, use, use->default_value);
    return SPECPI_COMPILER_SUCCESS;
  }
  const spec_constant *constant = &p->constants.items[use->constant];
  size_t next = 0;
  if (use->call.result != NULL) {
    store_value(p, constant, as, &use->call);
    *ret = LLVMGetUndef(use->call.type);
  } else {
    *ret = build_value(p, constant, as, &next);
  }
  return SPECPI_COMPILER_SUCCESS;
}

const spec_mode spec_mode_patch = {
    .records = records, .prepare = prepare_patch, .value = value, .stores = true};
