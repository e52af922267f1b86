#include "block_order.h"

#include "../blocks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A block with the state of the walk. */
typedef struct node {
  LLVMBasicBlockRef block;
  unsigned next; /* number of successors visited so far */
  bool seen;
} node;

/* The blocks of one function. */
typedef struct graph {
  node *nodes; /* sorted by address */
  size_t count;
  node **stack;             /* the path to the current block */
  LLVMBasicBlockRef *order; /* the blocks in post-order */
  size_t done;
} graph;

static node *find_node(const graph *graph, LLVMBasicBlockRef block) {
  return blocks_find(graph->nodes, graph->count, sizeof *graph->nodes, block);
}

/*
 * Lists the blocks in post-order, and visits each block's last successor first. In reverse
 * post-order, a block comes before the blocks that it dominates, and its first successor before its
 * other ones.
 */
static void walk_blocks(graph *graph, LLVMBasicBlockRef entry) {
  size_t depth = 0;
  graph->stack[depth++] = find_node(graph, entry);
  graph->stack[0]->seen = true;
  while (depth > 0) {
    node *at = graph->stack[depth - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(at->block);
    const unsigned successors = LLVMGetNumSuccessors(end);
    if (at->next == successors) {
      graph->order[graph->done++] = at->block;
      depth--;
      continue;
    }
    node *to = find_node(graph, LLVMGetSuccessor(end, successors - ++at->next));
    if (!to->seen) {
      to->seen = true;
      graph->stack[depth++] = to;
    }
  }
}

static void move_blocks(const graph *graph) {
  for (size_t i = graph->done - 1; i-- > 0;)
    LLVMMoveBasicBlockAfter(graph->order[i], graph->order[i + 1]);
}

static specpi_compiler_result order_function(LLVMValueRef function) {
  graph graph = {.count = LLVMCountBasicBlocks(function)};
  if (graph.count < 3)
    return SPECPI_COMPILER_SUCCESS;
  graph.nodes = calloc(graph.count, sizeof *graph.nodes);
  graph.stack = calloc(graph.count, sizeof(node *));
  graph.order = calloc(graph.count, sizeof(LLVMBasicBlockRef));
  const bool enough = graph.nodes != NULL && graph.stack != NULL && graph.order != NULL;
  if (enough) {
    size_t i = 0;
    for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function); at != NULL;
         at = LLVMGetNextBasicBlock(at))
      graph.nodes[i++].block = at;
    blocks_sort(graph.nodes, graph.count, sizeof *graph.nodes);
    walk_blocks(&graph, LLVMGetEntryBasicBlock(function));
    move_blocks(&graph);
  }
  free(graph.nodes);
  free(graph.stack);
  free(graph.order);
  return enough ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

static bool is_variable(LLVMValueRef instruction) {
  return LLVMIsAAllocaInst(instruction) != NULL &&
         LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)) != NULL;
}

/* Moves an instruction to the builder's position, and keeps its name. */
static specpi_compiler_result move_instruction(LLVMBuilderRef builder, LLVMValueRef instruction) {
  size_t length;
  char *name = strdup(LLVMGetValueName2(instruction, &length));
  if (name == NULL)
    return compiler_error_memory();
  LLVMInstructionRemoveFromParent(instruction);
  LLVMInsertIntoBuilderWithName(builder, instruction, name);
  free(name);
  return SPECPI_COMPILER_SUCCESS;
}

/* Moves the variables of the first block to its start. */
static specpi_compiler_result order_variables(LLVMBuilderRef builder, LLVMValueRef function) {
  LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
  while (at != NULL && is_variable(at))
    at = LLVMGetNextInstruction(at);
  if (at == NULL)
    return SPECPI_COMPILER_SUCCESS;
  LLVMPositionBuilderBefore(builder, at);
  for (LLVMValueRef next; at != NULL; at = next) {
    next = LLVMGetNextInstruction(at);
    if (is_variable(at))
      COMPILER_TRY(move_instruction(builder, at));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result block_order(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef function = LLVMGetFirstFunction(module);
       function != NULL && result == SPECPI_COMPILER_SUCCESS;
       function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function))
      continue;
    result = order_function(function);
    if (result == SPECPI_COMPILER_SUCCESS)
      result = order_variables(builder, function);
  }
  LLVMDisposeBuilder(builder);
  return result;
}
