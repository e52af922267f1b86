#include "switches.h"

#include "../visit.h"

#include <stdbool.h>
#include <stdint.h>

/* NARROW_BITS: of the new conditions. DEPTH: limit of following operands. */
enum { NARROW_BITS = 16, DEPTH = 6 };

static unsigned width_of(LLVMValueRef value) {
  return LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

/* Returns the number of low bits of an integer that may be set, or more. */
static unsigned used_bits(LLVMValueRef value, unsigned depth) {
  const unsigned width = width_of(value);
  if (LLVMIsAConstantInt(value) != NULL && width <= 64) {
    unsigned bits = 0;
    for (uint64_t number = LLVMConstIntGetZExtValue(value); number != 0; number >>= 1)
      bits++;
    return bits;
  }
  if (depth == 0 || LLVMIsAInstruction(value) == NULL || width > 64)
    return width;
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
  if (opcode == LLVMZExt)
    return used_bits(LLVMGetOperand(value, 0), depth - 1);
  if (opcode != LLVMAnd && opcode != LLVMLShr)
    return width;
  LLVMValueRef right = LLVMGetOperand(value, 1);
  const unsigned left_bits = used_bits(LLVMGetOperand(value, 0), depth - 1);
  if (opcode == LLVMAnd) {
    const unsigned right_bits = used_bits(right, depth - 1);
    return left_bits < right_bits ? left_bits : right_bits;
  }
  const uint64_t places = LLVMIsAConstantInt(right) != NULL ? LLVMConstIntGetZExtValue(right) : 0;
  return places < left_bits ? left_bits - (unsigned)places : 0;
}

static bool is_narrow(LLVMValueRef at) {
  LLVMValueRef condition = LLVMGetOperand(at, 0);
  bool is = width_of(condition) > NARROW_BITS && used_bits(condition, DEPTH) <= NARROW_BITS;
  /* A case of another number is never taken, but has a place in the phis of its block. */
  for (unsigned i = 1; is && i < LLVMGetNumSuccessors(at); i++)
    is = LLVMConstIntGetZExtValue(LLVMGetOperand(at, 2 * i)) >> NARROW_BITS == 0;
  return is;
}

static void narrow_switch(void *builder, LLVMValueRef at) {
  if (LLVMIsASwitchInst(at) == NULL || !is_narrow(at))
    return;
  LLVMTypeRef narrow = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(at)), NARROW_BITS);
  LLVMPositionBuilderBefore(builder, at);
  LLVMValueRef condition = LLVMBuildTrunc(builder, LLVMGetOperand(at, 0), narrow, "");
  const unsigned targets = LLVMGetNumSuccessors(at);
  LLVMValueRef made =
      LLVMBuildSwitch(builder, condition, LLVMGetSwitchDefaultDest(at), targets - 1);
  for (unsigned i = 1; i < targets; i++)
    LLVMAddCase(made,
                LLVMConstInt(narrow, LLVMConstIntGetZExtValue(LLVMGetOperand(at, 2 * i)), false),
                LLVMGetSuccessor(at, i));
  LLVMInstructionEraseFromParent(at);
}

void switches_narrow(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  visit_instructions(module, narrow_switch, builder);
  LLVMDisposeBuilder(builder);
}
