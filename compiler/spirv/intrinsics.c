#include "intrinsics.h"

#include "../calls.h"
#include "intrinsic_numbers.h"

#include <stdbool.h>
#include <string.h>

/* ---- Hints and queries ---- */

static LLVMValueRef first_argument(const call_parts *p) {
  return p->a[0];
}

static LLVMValueRef no_constant(const call_parts *p) {
  return LLVMConstNull(LLVMTypeOf(p->call));
}

static LLVMValueRef unknown_size(const call_parts *p) {
  LLVMTypeRef type = LLVMTypeOf(p->call);
  return LLVMIsNull(p->a[1]) ? LLVMConstAllOnes(type) : LLVMConstNull(type);
}

static LLVMValueRef nothing(const call_parts *p) {
  (void)p;
  return NULL;
}

static LLVMValueRef nearest_rounding(const call_parts *p) {
  return LLVMConstInt(LLVMTypeOf(p->call), 1, 0);
}

static LLVMValueRef masked_pointer(const call_parts *p) {
  LLVMValueRef address = LLVMBuildPtrToInt(p->b, p->a[0], LLVMTypeOf(p->a[1]), "");
  return LLVMBuildIntToPtr(p->b, LLVMBuildAnd(p->b, address, p->a[1], ""), p->type, "");
}

/* Builds the same call of an intrinsic's variant that need not be inlined. */
static LLVMValueRef call_memory(const call_parts *p, const char *name, unsigned types) {
  LLVMTypeRef overloads[] = {p->type, LLVMTypeOf(p->a[1]), LLVMTypeOf(p->a[2])};
  if (types == 2)
    overloads[1] = overloads[2];
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(
      p->module, LLVMLookupIntrinsicID(name, strlen(name)), overloads, types);
  LLVMBuildCall2(p->b, LLVMGlobalGetValueType(function), function, (LLVMValueRef *)p->a, 4, "");
  return NULL;
}

static LLVMValueRef copy_memory(const call_parts *p) {
  return call_memory(p, "llvm.memcpy", 3);
}

static LLVMValueRef set_memory(const call_parts *p) {
  return call_memory(p, "llvm.memset", 2);
}

/* ---- The whole ---- */

/* X(name, function): intrinsics that do not compute with numbers. */
#define OTHER_INTRINSICS(X)                                                                        \
  X("llvm.expect.with.probability", first_argument)                                                \
  X("llvm.launder.invariant.group", first_argument)                                                \
  X("llvm.strip.invariant.group", first_argument)                                                  \
  X("llvm.ssa.copy", first_argument)                                                               \
  X("llvm.ptrmask", masked_pointer)                                                                \
  X("llvm.is.constant", no_constant)                                                               \
  X("llvm.objectsize", unknown_size)                                                               \
  X("llvm.flt.rounds", nearest_rounding)                                                           \
  X("llvm.prefetch", nothing)                                                                      \
  X("llvm.sideeffect", nothing)                                                                    \
  X("llvm.donothing", nothing)                                                                     \
  X("llvm.debugtrap", nothing)                                                                     \
  X("llvm.ubsantrap", nothing)                                                                     \
  X("llvm.pseudoprobe", nothing)                                                                   \
  X("llvm.memcpy.inline", copy_memory)                                                             \
  X("llvm.memset.inline", set_memory)

static const struct {
  const char *name;
  intrinsic_replacement *replace;
} rows[] = {
#define INTRINSIC(name, replace) {name, replace},
    INTRINSIC_NUMBERS(INTRINSIC) OTHER_INTRINSICS(INTRINSIC)
#undef INTRINSIC
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Intrinsics that the translator handles. */
static const char *const known[] = {
    "llvm.assume",
    "llvm.ceil",
    "llvm.copysign",
    "llvm.cos",
    "llvm.exp",
    "llvm.exp2",
    "llvm.fabs",
    "llvm.floor",
    "llvm.fma",
    "llvm.fmuladd",
    "llvm.log",
    "llvm.log10",
    "llvm.log2",
    "llvm.ctpop",
    "llvm.ctlz",
    "llvm.cttz",
    "llvm.maximum",
    "llvm.maxnum",
    "llvm.pow",
    "llvm.powi",
    "llvm.minimum",
    "llvm.minnum",
    "llvm.rint",
    "llvm.round",
    "llvm.roundeven",
    "llvm.nearbyint",
    "llvm.sin",
    "llvm.sqrt",
    "llvm.trunc",
    "llvm.expect",
    "llvm.memset",
    "llvm.memcpy",
    "llvm.trap",
    "llvm.dbg.",
    "llvm.annotation",
    "llvm.lifetime.",
    "llvm.invariant.",
    "llvm.var.annotation",
    "llvm.ptr.annotation",
    "llvm.arithmetic.fence",
    "llvm.experimental.constrained.",
    "llvm.experimental.noalias.scope.decl",
};

/* Returns whether the translator handles the intrinsic of a name, which may end with types. */
static bool is_known(const char *name) {
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const size_t length = strlen(known[i]);
    if (strncmp(name, known[i], length) == 0 &&
        (known[i][length - 1] == '.' || name[length] == '.' || name[length] == '\0'))
      return true;
  }
  return false;
}

static specpi_compiler_result replace_call(call_parts *p, const unsigned *ids, unsigned id) {
  size_t row = 0;
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(p->call), &length);
  while (row < ROWS && ids[row] != id)
    row++;
  if (row == ROWS) {
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(p->call));
    COMPILER_REQUIRE(is_known(name), SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "function '%s' calls %s, for which SPIR-V has no instruction",
                     LLVMGetValueName2(function, &length), name);
    return SPECPI_COMPILER_SUCCESS;
  }
  const unsigned count = LLVMGetNumArgOperands(p->call);
  for (unsigned i = 0; i < sizeof p->a / sizeof p->a[0]; i++)
    p->a[i] = i < count ? LLVMGetOperand(p->call, i) : NULL;
  p->type = count != 0 ? LLVMTypeOf(p->a[0]) : NULL;
  p->width = count != 0 ? intrinsic_width(p->type) : 0;
  LLVMPositionBuilderBefore(p->b, p->call);
  LLVMValueRef made = rows[row].replace(p);
  if (made == p->call)
    return SPECPI_COMPILER_SUCCESS;
  if (made != NULL)
    LLVMReplaceAllUsesWith(p->call, made);
  LLVMInstructionEraseFromParent(p->call);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result replace_calls(call_parts *p, const unsigned *ids,
                                            LLVMBasicBlockRef block) {
  /* Goes backwards, because replacing a pair erases later instructions that extract its values. */
  LLVMValueRef next;
  for (LLVMValueRef at = LLVMGetLastInstruction(block); at != NULL; at = next) {
    next = LLVMGetPreviousInstruction(at);
    LLVMValueRef callee = called_function(at);
    const unsigned id = callee != NULL ? LLVMGetIntrinsicID(callee) : 0;
    p->call = at;
    if (id != 0)
      COMPILER_TRY(replace_call(p, ids, id));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result intrinsics_replace(LLVMModuleRef module) {
  unsigned ids[ROWS];
  for (size_t i = 0; i < ROWS; i++)
    ids[i] = LLVMLookupIntrinsicID(rows[i].name, strlen(rows[i].name));
  call_parts p = {.module = module, .b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
         block != NULL && result == SPECPI_COMPILER_SUCCESS; block = LLVMGetNextBasicBlock(block))
      result = replace_calls(&p, ids, block);
  LLVMDisposeBuilder(p.b);
  return result;
}
