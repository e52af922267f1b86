#include "unroll_hints.h"

#include "../blocks.h"
#include "../calls.h"
#include "../passes_run.h"
#include "../spirv/loop_hints.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * LOOPS_MAX: functions with more loops get no hints. DEPTH: limit of following the operands of an
 * index. LONGEST: limit of an unrolled loop's instructions.
 */
enum { LOOPS_MAX = 64, DEPTH = 6, LONGEST = 700 };

typedef struct node {
  LLVMBasicBlockRef block;
  size_t position;
  size_t size;    /* number of instructions */
  uint64_t loops; /* a bit for each loop that contains the block */
  bool has_barrier;
} node;

typedef struct loop {
  node *header, *latch;
  uint64_t steps; /* number of iterations; 1 if unknown */
} loop;

/* A function's blocks, sorted by address, and its loops. */
typedef struct graph {
  node *nodes;
  size_t count;
  node **stack;
  loop loops[LOOPS_MAX];
  size_t loop_count;
} graph;

static node *find_node(const graph *graph, LLVMBasicBlockRef block) {
  return blocks_find(graph->nodes, graph->count, sizeof *graph->nodes, block);
}

/* ---- Blocks and loops ---- */

static bool is_barrier(LLVMValueRef instruction) {
  LLVMValueRef function = called_function(instruction);
  size_t length;
  return function != NULL && strstr(LLVMGetValueName2(function, &length), "barrier") != NULL;
}

static void read_block(node *node) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(node->block); at != NULL;
       at = LLVMGetNextInstruction(at), node->size++)
    node->has_barrier = node->has_barrier || is_barrier(at);
}

/* Marks the loop's blocks: those that reach its latch without passing its header. */
static void mark_loop(graph *graph, size_t number) {
  loop *of = &graph->loops[number];
  const uint64_t bit = UINT64_C(1) << number;
  size_t depth = 0;
  of->header->loops |= bit;
  if (!(of->latch->loops & bit))
    graph->stack[depth++] = of->latch;
  of->latch->loops |= bit;
  while (depth > 0) {
    LLVMValueRef block = LLVMBasicBlockAsValue(graph->stack[--depth]->block);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      node *before = LLVMIsATerminatorInst(user) != NULL
                         ? find_node(graph, LLVMGetInstructionParent(user))
                         : NULL;
      if (before == NULL || before->loops & bit)
        continue;
      before->loops |= bit;
      graph->stack[depth++] = before;
    }
  }
}

/* Lists the loops, which are branches back to an earlier block; false if there are too many. */
static bool list_loops(graph *graph) {
  for (size_t i = 0; i < graph->count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->nodes[i].block);
    for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++) {
      node *to = find_node(graph, LLVMGetSuccessor(end, j));
      if (to->position > graph->nodes[i].position)
        continue;
      if (graph->loop_count == LOOPS_MAX)
        return false;
      graph->loops[graph->loop_count++] =
          (loop){.header = to, .latch = &graph->nodes[i], .steps = 1};
    }
  }
  return true;
}

/* ---- Iterations of a loop ---- */

/* Returns the constant that is one of an instruction's operands, if the other operand is value or
 * other; otherwise NULL. */
static LLVMValueRef find_constant(LLVMValueRef of, LLVMValueRef value, LLVMValueRef other) {
  for (unsigned i = 0; i < 2; i++)
    if (LLVMGetOperand(of, i) == value || LLVMGetOperand(of, i) == other)
      return LLVMIsAConstantInt(LLVMGetOperand(of, 1 - i));
  return NULL;
}

/* Returns the constant that next adds to a phi in each iteration; 0 if it is unknown. */
static int64_t step_of(LLVMValueRef phi, LLVMValueRef next) {
  if (LLVMIsAInstruction(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd)
    return 0;
  LLVMValueRef step = find_constant(next, phi, phi);
  return step != NULL ? LLVMConstIntGetSExtValue(step) : 0;
}

/* Finds the constant with which a branch's condition compares phi or next; false if there is none.
 */
static bool find_bound(LLVMValueRef branch, LLVMValueRef phi, LLVMValueRef next, int64_t *ret) {
  if (LLVMGetInstructionOpcode(branch) != LLVMBr || !LLVMIsConditional(branch))
    return false;
  LLVMValueRef test = LLVMGetCondition(branch);
  LLVMValueRef bound = LLVMIsAICmpInst(test) != NULL ? find_constant(test, phi, next) : NULL;
  if (bound == NULL)
    return false;
  *ret = LLVMConstIntGetSExtValue(bound);
  return true;
}

/* Estimates the iterations that a phi of the loop's header counts; 0 if it is no counter. */
static uint64_t count_steps(const loop *loop, LLVMValueRef phi) {
  LLVMValueRef first = NULL;
  LLVMValueRef next = NULL;
  int64_t bound;
  if (LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind || LLVMCountIncoming(phi) != 2)
    return 0;
  for (unsigned i = 0; i < 2; i++)
    *(LLVMGetIncomingBlock(phi, i) == loop->latch->block ? &next : &first) =
        LLVMGetIncomingValue(phi, i);
  const int64_t step = next != NULL ? step_of(phi, next) : 0;
  if (step == 0 || first == NULL || LLVMIsAConstantInt(first) == NULL ||
      (!find_bound(LLVMGetBasicBlockTerminator(loop->latch->block), phi, next, &bound) &&
       !find_bound(LLVMGetBasicBlockTerminator(loop->header->block), phi, next, &bound)))
    return 0;
  const int64_t begin = LLVMConstIntGetSExtValue(first);
  const uint64_t way =
      bound > begin ? (uint64_t)bound - (uint64_t)begin : (uint64_t)begin - (uint64_t)bound;
  const uint64_t stride = step > 0 ? (uint64_t)step : -(uint64_t)step;
  return way / stride;
}

static void read_loop(loop *loop) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(loop->header->block);
       at != NULL && LLVMIsAPHINode(at) != NULL; at = LLVMGetNextInstruction(at)) {
    const uint64_t steps = count_steps(loop, at);
    if (steps > loop->steps)
      loop->steps = steps;
  }
}

/* Returns the number of instructions of a loop after it and all loops in it are unrolled. */
static uint64_t unrolled_size(const graph *graph, size_t number) {
  uint64_t sum = 0;
  for (size_t i = 0; i < graph->count; i++) {
    const node *block = &graph->nodes[i];
    uint64_t size = block->size;
    if (!(block->loops >> number & 1))
      continue;
    for (size_t k = 0; k < graph->loop_count && size <= LONGEST; k++)
      if (block->loops >> k & 1 && (k == number || graph->loops[k].header->loops >> number & 1))
        size *= graph->loops[k].steps;
    sum += size;
  }
  return sum;
}

/* ---- Arrays ---- */

/* Returns whether a value is computed from a phi of the loop's header. */
static bool comes_from(const loop *loop, LLVMValueRef value, unsigned depth) {
  if (depth == 0 || LLVMIsAInstruction(value) == NULL)
    return false;
  if (LLVMIsAPHINode(value) != NULL && LLVMGetInstructionParent(value) == loop->header->block)
    return true;
  if (LLVMIsALoadInst(value) != NULL || LLVMIsACallInst(value) != NULL)
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (comes_from(loop, LLVMGetOperand(value, (unsigned)i), depth - 1))
      return true;
  return false;
}

/* Returns whether a pointer points into a private variable. */
static bool is_private(LLVMValueRef pointer) {
  for (unsigned i = 0; i < DEPTH && LLVMIsAInstruction(pointer) != NULL; i++) {
    if (LLVMIsAAllocaInst(pointer) != NULL)
      return true;
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(pointer);
    if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast)
      return false;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return false;
}

/* Returns whether a loop's counter indexes a private array, which could become registers. */
static bool counts_through_array(const graph *graph, size_t number) {
  for (size_t i = 0; i < graph->count; i++) {
    if (!(graph->nodes[i].loops >> number & 1))
      continue;
    for (LLVMValueRef at = LLVMGetFirstInstruction(graph->nodes[i].block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      if (LLVMIsAGetElementPtrInst(at) == NULL || !is_private(at))
        continue;
      for (int k = 1; k < LLVMGetNumOperands(at); k++)
        if (comes_from(&graph->loops[number], LLVMGetOperand(at, (unsigned)k), DEPTH))
          return true;
    }
  }
  return false;
}

/* ---- Hints ---- */

/* Writes llvm.loop.unroll.disable. Loop metadata refers to itself, which keeps it distinct. */
static void write_hint(LLVMValueRef branch, unsigned kind) {
  static const char words[] = "llvm.loop.unroll.disable";
  LLVMContextRef context = LLVMGetModuleContext(
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch))));
  LLVMMetadataRef text = LLVMMDStringInContext2(context, words, sizeof words - 1);
  LLVMMetadataRef hint = LLVMMDNodeInContext2(context, &text, 1);
  LLVMMetadataRef itself = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef parts[] = {itself, hint};
  LLVMMetadataRef note = LLVMMDNodeInContext2(context, parts, 2);
  LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(context, note));
  LLVMMetadataReplaceAllUsesWith(itself, note);
}

static void write_hints(graph *graph, unsigned kind) {
  for (size_t i = 0; i < graph->loop_count; i++)
    read_loop(&graph->loops[i]);
  for (size_t i = 0; i < graph->loop_count; i++) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(graph->loops[i].latch->block);
    bool has_barrier = false;
    for (size_t k = 0; k < graph->count; k++)
      has_barrier = has_barrier || (graph->nodes[k].loops >> i & 1 && graph->nodes[k].has_barrier);
    if (has_barrier && graph->loops[i].steps > 1 && !loop_hints_has(branch, kind) &&
        unrolled_size(graph, i) > LONGEST && !counts_through_array(graph, i))
      write_hint(branch, kind);
  }
}

static specpi_compiler_result hint_function(LLVMValueRef function, unsigned kind) {
  graph *graph = calloc(1, sizeof *graph);
  if (graph == NULL)
    return compiler_error_memory();
  graph->count = LLVMCountBasicBlocks(function);
  graph->nodes = calloc(graph->count, sizeof *graph->nodes);
  graph->stack = calloc(graph->count, sizeof(node *));
  const bool enough = graph->nodes != NULL && graph->stack != NULL;
  if (enough) {
    size_t i = 0;
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at != NULL;
         at = LLVMGetNextBasicBlock(at), i++) {
      graph->nodes[i] = (node){.block = at, .position = i};
      read_block(&graph->nodes[i]);
    }
    blocks_sort(graph->nodes, graph->count, sizeof *graph->nodes);
    if (list_loops(graph)) {
      for (i = 0; i < graph->loop_count; i++)
        mark_loop(graph, i);
      write_hints(graph, kind);
    }
  }
  free(graph->nodes);
  free(graph->stack);
  free(graph);
  return enough ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

static bool function_waits(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    node of = {.block = block};
    read_block(&of);
    if (of.has_barrier)
      return true;
  }
  return false;
}

static bool module_waits(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    if (function_waits(function))
      return true;
  return false;
}

specpi_compiler_result unroll_hints_write(LLVMModuleRef module, LLVMTargetMachineRef machine) {
  static const char name[] = "llvm.loop";
  const unsigned kind =
      LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name, sizeof name - 1);
  if (!module_waits(module))
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(passes_run(module, machine, "function(simplifycfg,sroa,early-cse)", "optimise"));
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    if (function_waits(function))
      COMPILER_TRY(hint_function(function, kind));
  return SPECPI_COMPILER_SUCCESS;
}
