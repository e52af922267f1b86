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
 * index. LONGEST, LONG: limits of an unrolled loop's instructions, with and without barriers.
 * MOST_COPIES, MOST_COPIED: limits of the copies of a loop that is not unrolled as a whole, and of
 * their instructions. CASE: instructions of a case of a switch, for which LLVM writes comparisons.
 */
enum { LOOPS_MAX = 64, DEPTH = 6, LONGEST = 700, LONG = 1024, CASE = 4 };
enum { MOST_COPIES = 32, MOST_COPIED = 512 };

/* Mark on a loop that unroll_hints_settle unrolls. */
static const char later[] = "specpi.unroll.later";

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
       at = LLVMGetNextInstruction(at), node->size++) {
    node->has_barrier = node->has_barrier || is_barrier(at);
    if (LLVMIsASwitchInst(at) != NULL)
      node->size += (size_t)CASE * LLVMGetNumSuccessors(at);
  }
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

/*
 * Marks the blocks of all loops. Drops a loop that can be entered past its header: it is no loop,
 * its blocks are merely in another order.
 */
static void mark_loops(graph *graph) {
  const node *entry = graph->nodes;
  while (entry->position != 0)
    entry++;
  for (size_t i = 0; i < graph->loop_count;) {
    const uint64_t bit = UINT64_C(1) << i;
    mark_loop(graph, i);
    if (!(entry->loops & bit) || entry == graph->loops[i].header) {
      i++;
      continue;
    }
    for (size_t k = 0; k < graph->count; k++)
      graph->nodes[k].loops &= ~bit;
    graph->loops[i] = graph->loops[--graph->loop_count];
  }
}

/* Lists the branches back to an earlier block; false if there are too many. */
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

/*
 * Returns the number of instructions of a loop's body after all loops in it are unrolled. Stops
 * counting a block above LONGEST.
 */
static uint64_t body_size(const graph *graph, size_t number) {
  uint64_t sum = 0;
  for (size_t i = 0; i < graph->count; i++) {
    const node *block = &graph->nodes[i];
    uint64_t size = block->size;
    if (!(block->loops >> number & 1))
      continue;
    for (size_t k = 0; k < graph->loop_count && size <= LONGEST; k++)
      if (block->loops >> k & 1 && k != number && graph->loops[k].header->loops >> number & 1)
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

static LLVMMetadataRef make_hint(LLVMContextRef context, const char *word, uint64_t count) {
  LLVMMetadataRef facts[] = {
      LLVMMDStringInContext2(context, word, strlen(word)),
      LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), count, 0))};
  return LLVMMDNodeInContext2(context, facts, count != 0 ? 2 : 1);
}

/*
 * Writes a hint to make so many copies of a loop's body: with 1 it is not unrolled. Loop metadata
 * refers to itself, which keeps it distinct.
 */
static void write_hint(LLVMValueRef branch, unsigned kind, uint64_t copies, bool is_later) {
  LLVMContextRef context = LLVMGetModuleContext(
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(branch))));
  LLVMMetadataRef itself = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef parts[] = {itself,
                             copies == 1 ? make_hint(context, "llvm.loop.unroll.disable", 0)
                                         : make_hint(context, "llvm.loop.unroll.count", copies),
                             make_hint(context, later, 0)};
  LLVMMetadataRef note = LLVMMDNodeInContext2(context, parts, is_later ? 3 : 2);
  LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(context, note));
  LLVMMetadataReplaceAllUsesWith(itself, note);
}

/* Returns whether a loop's branch back has the mark. */
static bool is_marked(LLVMValueRef branch, unsigned kind) {
  LLVMValueRef note = LLVMGetMetadata(branch, kind);
  const unsigned count = note != NULL ? LLVMGetMDNodeNumOperands(note) : 0;
  LLVMValueRef parts[3], word;
  unsigned length = 0;
  if (count != 3)
    return false;
  LLVMGetMDNodeOperands(note, parts);
  if (parts[2] == NULL || LLVMGetMDNodeNumOperands(parts[2]) != 1)
    return false;
  LLVMGetMDNodeOperands(parts[2], &word);
  const char *text = LLVMGetMDString(word, &length);
  return text != NULL && length == sizeof later - 1 && memcmp(text, later, length) == 0;
}

static bool has_barrier(const graph *graph, size_t number) {
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i].loops >> number & 1 && graph->nodes[i].has_barrier)
      return true;
  return false;
}

static LLVMValueRef branch_back(const loop *loop) {
  return LLVMGetBasicBlockTerminator(loop->latch->block);
}

/* Forbids to unroll long loops: those with barriers for good, others until they are settled. */
static void forbid_long(const graph *graph, unsigned kind, bool only_barriers) {
  for (size_t i = 0; i < graph->loop_count; i++) {
    const loop *loop = &graph->loops[i];
    const bool waits = has_barrier(graph, i);
    if (loop->steps > 1 && (waits || !only_barriers) && !loop_hints_has(branch_back(loop), kind) &&
        body_size(graph, i) * loop->steps > (waits ? LONGEST : LONG) &&
        !counts_through_array(graph, i))
      write_hint(branch_back(loop), kind, 1, !waits);
  }
}

static void forbid_all_long(graph *graph, unsigned kind) {
  forbid_long(graph, kind, false);
}

static void forbid_long_around_barriers(graph *graph, unsigned kind) {
  forbid_long(graph, kind, true);
}

/*
 * Returns the number of copies of a simplified loop's body. If possible, it divides the number of
 * iterations, because LLVM makes no loop for remaining ones of a body that is convergent; otherwise
 * it is the number by which LLVM unrolls loops of unknown length.
 */
static uint64_t choose_copies(const graph *graph, size_t number) {
  enum { USUAL = 4 };
  const loop *loop = &graph->loops[number];
  const uint64_t size = body_size(graph, number);
  if (loop->steps * size <= LONG)
    return loop->steps;
  uint64_t copies = MOST_COPIES;
  while (copies > 1 && (copies * size > MOST_COPIED || loop->steps % copies != 0))
    copies--;
  return copies == 1 && USUAL * size <= MOST_COPIED ? USUAL : copies;
}

/* Replaces the hints of marked loops, whose bodies are simplified now. */
static void settle_hints(graph *graph, unsigned kind) {
  for (size_t i = 0; i < graph->loop_count; i++)
    if (is_marked(branch_back(&graph->loops[i]), kind))
      write_hint(branch_back(&graph->loops[i]), kind, choose_copies(graph, i), false);
}

typedef void hint_writer(graph *graph, unsigned kind);

static specpi_compiler_result hint_function(LLVMValueRef function, unsigned kind,
                                            hint_writer *write) {
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
      mark_loops(graph);
      for (i = 0; i < graph->loop_count; i++)
        read_loop(&graph->loops[i]);
      write(graph, kind);
    }
  }
  free(graph->nodes);
  free(graph->stack);
  free(graph);
  return enough ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

static specpi_compiler_result hint_module(LLVMModuleRef module, hint_writer *write) {
  static const char name[] = "llvm.loop";
  const unsigned kind =
      LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name, sizeof name - 1);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      COMPILER_TRY(hint_function(function, kind, write));
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result unroll_hints_write(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                          unsigned level) {
  COMPILER_TRY(passes_run(module, machine, "function(simplifycfg,sroa,early-cse)", "optimise"));
  return hint_module(module, level > 2 ? forbid_long_around_barriers : forbid_all_long);
}

specpi_compiler_result unroll_hints_settle(LLVMModuleRef module) {
  return hint_module(module, settle_hints);
}
