#include "pointer.h"

#include "uses.h"

#include <string.h>

/* Limit of a walk's steps, because unreachable code may have cyclic uses. */
#define STEPS_MAX 64

/* Limit of the visited uses of one slot, because they are visited for each constant that goes
 * through the slot. */
#define SLOT_USES_MAX 256

/* A place on the stack: bytes at an offset in an alloca. */
typedef struct place {
  LLVMValueRef slot;
  unsigned long long offset;
} place;

/* Returns the opcode of an instruction or constant expression; 0 for other values. */
static LLVMOpcode opcode_of(LLVMValueRef value) {
  if (LLVMIsAConstantExpr(value) != NULL)
    return LLVMGetConstOpcode(value);
  if (LLVMIsAInstruction(value) != NULL)
    return LLVMGetInstructionOpcode(value);
  return (LLVMOpcode)0;
}

bool pointer_constant_offset(LLVMValueRef gep, LLVMTargetDataRef data_layout,
                             unsigned long long *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  const unsigned count = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < count; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (LLVMIsAConstantInt(index) == NULL || LLVMGetIntTypeWidth(LLVMTypeOf(index)) > 64)
      return false;
    const unsigned long long n = (unsigned long long)LLVMConstIntGetSExtValue(index);
    if (i == 1) {
      *offset += n == 0 ? 0 : n * LLVMABISizeOfType(data_layout, type);
      continue;
    }
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
      *offset += LLVMOffsetOfElement(data_layout, type, (unsigned)n);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
      break;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
      type = LLVMGetElementType(type);
      *offset += n * LLVMABISizeOfType(data_layout, type);
      break;
    default:
      return false;
    }
  }
  return true;
}

/* Follows a pointer through casts and offsets to its origin, and adds up the offsets; NULL if an
 * offset is not constant. */
static LLVMValueRef origin(LLVMValueRef pointer, LLVMTargetDataRef data_layout,
                           unsigned long long *offset) {
  for (unsigned step = 0; step < STEPS_MAX; step++) {
    switch (opcode_of(pointer)) {
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
      break;
    case LLVMGetElementPtr:
      if (!pointer_constant_offset(pointer, data_layout, offset))
        return NULL;
      break;
    default:
      return pointer;
    }
    pointer = LLVMGetOperand(pointer, 0);
  }
  return NULL;
}

/* Finds the place on the stack to which a pointer points; false if there is none. */
static bool find_place(LLVMValueRef pointer, LLVMTargetDataRef data_layout, place *ret) {
  ret->offset = 0;
  ret->slot = origin(pointer, data_layout, &ret->offset);
  return ret->slot != NULL && LLVMIsAAllocaInst(ret->slot) != NULL;
}

static unsigned long long stored_size(LLVMTargetDataRef data_layout, LLVMValueRef value) {
  return LLVMStoreSizeOfType(data_layout, LLVMTypeOf(value));
}

/*
 * Returns whether a call does not change a place: it is for debug information or the start of a
 * lifetime, or it gets a constant that is stored elsewhere.
 */
static bool call_is_harmless(LLVMValueRef call, LLVMTargetDataRef data_layout, const place *at) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee) == NULL)
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  if (strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.lifetime.start.", 20) == 0)
    return true;
  use_kind kind;
  if (!use_is_getter(callee, &kind) || LLVMGetNumArgOperands(call) == 0)
    return false;
  place result;
  return !find_place(LLVMGetOperand(call, 0), data_layout, &result) || result.slot != at->slot;
}

/*
 * Finds and counts the stores to a slot, also through casts. Returns false if the slot has uses
 * other than stores and loads, or more than *left uses.
 */
static bool count_stores(LLVMValueRef pointer, unsigned *left, unsigned *count, LLVMValueRef *ret) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (*left == 0)
      return false;
    --*left;
    switch (opcode_of(user)) {
    case LLVMLoad:
      break;
    case LLVMStore:
      if (LLVMGetOperand(user, 0) == pointer || LLVMGetVolatile(user))
        return false;
      ++*count;
      *ret = user;
      break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
      if (!count_stores(user, left, count, ret))
        return false;
      break;
    default:
      return false;
    }
  }
  return true;
}

/*
 * Returns the only store to a slot whose address is used nowhere else, if it has the load's type;
 * otherwise NULL. The load then reads the stored value, or is undefined.
 */
static LLVMValueRef only_store(LLVMValueRef load, const place *at) {
  LLVMValueRef store = NULL;
  unsigned left = SLOT_USES_MAX;
  unsigned count = 0;
  if (!count_stores(at->slot, &left, &count, &store) || count != 1)
    return NULL;
  return LLVMTypeOf(LLVMGetOperand(store, 0)) == LLVMTypeOf(load) ? store : NULL;
}

/* Returns the store that set a place's value before an instruction; NULL if it is unknown. */
static LLVMValueRef find_store(LLVMValueRef before, LLVMTargetDataRef data_layout,
                               const place *at) {
  /* Avoids a walk through the instructions in between, which may be many. */
  LLVMValueRef only = only_store(before, at);
  if (only != NULL)
    return only;
  const unsigned long long size = stored_size(data_layout, before);
  for (LLVMValueRef i = LLVMGetPreviousInstruction(before); i != NULL;
       i = LLVMGetPreviousInstruction(i)) {
    place to;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
      if (LLVMGetVolatile(i) || !find_place(LLVMGetOperand(i, 1), data_layout, &to))
        return NULL;
      if (to.slot != at->slot)
        break;
      if (to.offset == at->offset)
        return LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMTypeOf(before) ? i : NULL;
      if (to.offset < at->offset + size &&
          at->offset < to.offset + stored_size(data_layout, LLVMGetOperand(i, 0)))
        return NULL;
      break;
    case LLVMCall:
      if (!call_is_harmless(i, data_layout, at))
        return NULL;
      break;
    case LLVMInvoke:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMVAArg:
      return NULL;
    default:
      break;
    }
  }
  return NULL;
}

static LLVMValueRef as_global(LLVMValueRef pointer, LLVMTargetDataRef data_layout) {
  unsigned long long offset = 0;
  LLVMValueRef from = origin(pointer, data_layout, &offset);
  return from != NULL && offset == 0 && LLVMIsAGlobalVariable(from) != NULL ? from : NULL;
}

LLVMValueRef pointer_global(LLVMValueRef pointer, LLVMTargetDataRef data_layout) {
  unsigned long long offset = 0;
  LLVMValueRef from = origin(pointer, data_layout, &offset);
  if (from == NULL || offset != 0)
    return NULL;
  if (LLVMIsALoadInst(from) == NULL)
    return LLVMIsAGlobalVariable(from) != NULL ? from : NULL;
  place at;
  if (LLVMGetVolatile(from) || !find_place(LLVMGetOperand(from, 0), data_layout, &at))
    return NULL;
  LLVMValueRef store = find_store(from, data_layout, &at);
  return store != NULL ? as_global(LLVMGetOperand(store, 0), data_layout) : NULL;
}

/*
 * Erases an unused instruction that only computes an address, and then its operand in the same way.
 * Stops at keep.
 */
static void drop_dead(LLVMValueRef value, LLVMValueRef keep) {
  while (value != keep && LLVMIsAInstruction(value) != NULL && LLVMGetFirstUse(value) == NULL) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMAlloca:
      break;
    default:
      return;
    }
    LLVMValueRef operand = LLVMGetOperand(value, 0);
    LLVMInstructionEraseFromParent(value);
    value = operand;
  }
}

/*
 * Returns whether any use may read size bytes at the offset wanted of an object; pointer points to
 * the object's offset. Returns true if there are more than *left uses.
 */
static bool may_be_read(LLVMValueRef pointer, unsigned long long offset, unsigned long long wanted,
                        unsigned long long size, LLVMTargetDataRef data_layout, unsigned *left) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    unsigned long long at = offset;
    if (*left == 0)
      return true;
    --*left;
    switch (opcode_of(user)) {
    case LLVMStore:
      if (LLVMGetOperand(user, 0) == pointer)
        return true;
      break;
    case LLVMLoad:
      if (at < wanted + size && wanted < at + stored_size(data_layout, user))
        return true;
      break;
    case LLVMGetElementPtr:
      if (!pointer_constant_offset(user, data_layout, &at))
        return true;
      /* fall through */
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
      if (may_be_read(user, at, wanted, size, data_layout, left))
        return true;
      break;
    case LLVMCall: {
      size_t length;
      const char *name = LLVMGetValueName2(LLVMGetCalledValue(user), &length);
      if (strncmp(name, "llvm.lifetime.", 14) != 0)
        return true;
      break;
    }
    default:
      return true;
    }
  }
  return false;
}

static void drop_load(LLVMValueRef load, LLVMTargetDataRef data_layout) {
  place at;
  if (LLVMGetFirstUse(load) != NULL || LLVMGetVolatile(load) ||
      !find_place(LLVMGetOperand(load, 0), data_layout, &at))
    return;
  LLVMValueRef store = find_store(load, data_layout, &at);
  const unsigned long long size = stored_size(data_layout, load);
  LLVMValueRef source = LLVMGetOperand(load, 0);
  LLVMInstructionEraseFromParent(load);
  unsigned left = SLOT_USES_MAX;
  if (store != NULL && !may_be_read(at.slot, 0, at.offset, size, data_layout, &left)) {
    LLVMValueRef destination = LLVMGetOperand(store, 1);
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMInstructionEraseFromParent(store);
    drop_dead(value, source);
    drop_dead(destination, source);
  }
  drop_dead(source, NULL);
}

void pointer_drop(LLVMValueRef pointer, LLVMTargetDataRef data_layout) {
  unsigned long long offset = 0;
  LLVMValueRef from = origin(pointer, data_layout, &offset);
  drop_dead(pointer, NULL);
  if (from != NULL && LLVMIsALoadInst(from) != NULL)
    drop_load(from, data_layout);
}

bool pointer_is_live(LLVMValueRef constant) {
  for (LLVMUseRef use = LLVMGetFirstUse(constant); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAConstantExpr(user) == NULL || pointer_is_live(user))
      return true;
  }
  return false;
}

bool pointer_is_text(LLVMValueRef initializer) {
  return initializer != NULL && LLVMIsAConstantDataArray(initializer) != NULL &&
         LLVMIsConstantString(initializer);
}

LLVMValueRef pointer_strip(LLVMValueRef pointer) {
  for (;;) {
    if (LLVMIsAInstruction(pointer) == NULL && LLVMIsAConstantExpr(pointer) == NULL)
      return pointer;
    const LLVMOpcode code = LLVMIsAInstruction(pointer) != NULL ? LLVMGetInstructionOpcode(pointer)
                                                                : LLVMGetConstOpcode(pointer);
    if (code != LLVMBitCast && code != LLVMAddrSpaceCast && code != LLVMGetElementPtr)
      return pointer;
    for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
      if (LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i)) == NULL ||
          !LLVMIsNull(LLVMGetOperand(pointer, (unsigned)i)))
        return pointer;
    pointer = LLVMGetOperand(pointer, 0);
  }
}
