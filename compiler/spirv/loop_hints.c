#include "loop_hints.h"

#include "../blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A block with its role in loops. */
typedef struct node {
  LLVMBasicBlockRef block;
  size_t position;
  size_t edges; /* number of branches back to it, if it is a loop's header */
  bool ends;    /* it is the merge block of a loop whose hint is kept */
  size_t mark;  /* number of the latest search that reached it */
} node;

/* The blocks of one function. */
typedef struct graph {
  node *nodes; /* sorted by address */
  size_t count;
  size_t loops;
  node **stack;
  size_t mark;
} graph;

static node *find_node(const graph *graph, LLVMBasicBlockRef block) {
  return blocks_find(graph->nodes, graph->count, sizeof *graph->nodes, block);
}

/*
 * Returns whether an operand of llvm.loop is a hint: neither a source position nor "mustprogress".
 */
static bool is_hint(LLVMValueRef operand) {
  static const char progress[] = "llvm.loop.mustprogress";
  if (operand == NULL || LLVMIsAMDNode(operand) == NULL || LLVMGetMDNodeNumOperands(operand) == 0)
    return false;
  LLVMValueRef *parts = calloc(LLVMGetMDNodeNumOperands(operand), sizeof *parts);
  if (parts == NULL)
    return true;
  LLVMGetMDNodeOperands(operand, parts);
  unsigned length = 0;
  const char *name =
      parts[0] != NULL && LLVMIsAMDString(parts[0]) ? LLVMGetMDString(parts[0], &length) : NULL;
  free(parts);
  return name != NULL &&
         (length != sizeof progress - 1 || memcmp(name, progress, sizeof progress - 1) != 0);
}

/* Skips the first operand of the metadata, which is the metadata itself. */
bool loop_hints_has(LLVMValueRef branch, unsigned kind) {
  LLVMValueRef note = branch != NULL ? LLVMGetMetadata(branch, kind) : NULL;
  const unsigned count = note != NULL ? LLVMGetMDNodeNumOperands(note) : 0;
  LLVMValueRef *operands = count > 1 ? calloc(count, sizeof *operands) : NULL;
  if (operands == NULL)
    return count > 1;
  LLVMGetMDNodeOperands(note, operands);
  bool found = false;
  for (unsigned i = 1; i < count && !found; i++)
    found = is_hint(operands[i]);
  free(operands);
  return found;
}

/*
 * Returns whether a block is in a loop: it reaches the latch without passing the header.
 */
static bool contains(graph *graph, node *header, node *latch, const node *wanted) {
  size_t depth = 0;
  graph->mark++;
  header->mark = graph->mark;
  latch->mark = graph->mark;
  graph->stack[depth++] = latch;
  while (depth > 0) {
    LLVMValueRef block = LLVMBasicBlockAsValue(graph->stack[--depth]->block);
    for (LLVMUseRef use = LLVMGetFirstUse(block); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      node *before =
          LLVMIsATerminatorInst(user) ? find_node(graph, LLVMGetInstructionParent(user)) : NULL;
      if (before == NULL || before->mark == graph->mark)
        continue;
      before->mark = graph->mark;
      graph->stack[depth++] = before;
    }
  }
  return wanted->mark == graph->mark;
}

static bool is_branch(LLVMValueRef instruction, unsigned successors) {
  return LLVMGetInstructionOpcode(instruction) == LLVMBr &&
         LLVMGetNumSuccessors(instruction) == successors;
}

/*
 * Returns whether the translator makes a valid OpLoopMerge of a hint, and if so reserves the block
 * after the loop as its merge block. The translator writes OpLoopMerge before the branch of the
 * header. If the branch with the hint can leave the loop, the translator writes it for each loop of
 * the function, so the function may have only one.
 */
static bool take_hint(graph *graph, LLVMValueRef branch) {
  node *latch = find_node(graph, LLVMGetInstructionParent(branch));
  node *header;
  node *after;
  if (is_branch(branch, 2)) {
    const bool second = find_node(graph, LLVMGetSuccessor(branch, 1))->position <= latch->position;
    header = find_node(graph, LLVMGetSuccessor(branch, second ? 1 : 0));
    after = find_node(graph, LLVMGetSuccessor(branch, second ? 0 : 1));
    LLVMValueRef first = LLVMGetBasicBlockTerminator(header->block);
    if (graph->loops != 1 || (!is_branch(first, 1) && !is_branch(first, 2)))
      return false;
  } else {
    if (!is_branch(branch, 1))
      return false;
    header = find_node(graph, LLVMGetSuccessor(branch, 0));
    LLVMValueRef first = LLVMGetBasicBlockTerminator(header->block);
    if (!is_branch(first, 2))
      return false;
    after = find_node(graph, LLVMGetSuccessor(first, 1));
  }
  if (header->position >= latch->position || header->edges != 1 || after->ends ||
      contains(graph, header, latch, after))
    return false;
  after->ends = true;
  return true;
}

/* Counts the loops, and the branches back to each header. */
static void count_loops(graph *graph) {
  for (size_t i = 0; i < graph->count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(graph->nodes[i].block);
    for (unsigned j = 0; j < LLVMGetNumSuccessors(end); j++) {
      node *to = find_node(graph, LLVMGetSuccessor(end, j));
      if (to->position <= graph->nodes[i].position && to->edges++ == 0)
        graph->loops++;
    }
  }
}

static specpi_compiler_result check_function(LLVMValueRef function, unsigned kind) {
  graph graph = {.count = LLVMCountBasicBlocks(function)};
  graph.nodes = calloc(graph.count, sizeof *graph.nodes);
  graph.stack = calloc(graph.count, sizeof(node *));
  const bool enough = graph.nodes != NULL && graph.stack != NULL;
  if (enough) {
    size_t i = 0;
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at != NULL;
         at = LLVMGetNextBasicBlock(at), i++)
      graph.nodes[i] = (node){.block = at, .position = i};
    blocks_sort(graph.nodes, graph.count, sizeof *graph.nodes);
    count_loops(&graph);
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at != NULL;
         at = LLVMGetNextBasicBlock(at)) {
      LLVMValueRef branch = LLVMGetBasicBlockTerminator(at);
      if (loop_hints_has(branch, kind) && !take_hint(&graph, branch))
        LLVMSetMetadata(branch, kind, NULL);
    }
  }
  free(graph.nodes);
  free(graph.stack);
  return enough ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

specpi_compiler_result loop_hints_check(LLVMModuleRef module) {
  static const char name[] = "llvm.loop";
  const unsigned kind =
      LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name, sizeof name - 1);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at != NULL;
         at = LLVMGetNextBasicBlock(at))
      if (loop_hints_has(LLVMGetBasicBlockTerminator(at), kind)) {
        COMPILER_TRY(check_function(function, kind));
        break;
      }
  return SPECPI_COMPILER_SUCCESS;
}
