#include "phi_edges.h"

#include "../blocks.h"

#include <stdbool.h>
#include <stdlib.h>

/* A predecessor of the current block, with one or more edges to it. */
typedef struct source {
  LLVMBasicBlockRef block;
  LLVMBasicBlockRef between; /* the new block, if there are several edges; or NULL */
  LLVMValueRef phi;          /* the latest phi that has an entry for the new block */
} source;

/* Returns the first phi of a block, or NULL. */
static LLVMValueRef first_phi(LLVMBasicBlockRef block) {
  LLVMValueRef at = LLVMGetFirstInstruction(block);
  return at != NULL && LLVMIsAPHINode(at) != NULL ? at : NULL;
}

/* Inserts a block between two blocks, on all edges from the first to the second. */
static LLVMBasicBlockRef insert_block(LLVMBuilderRef builder, LLVMBasicBlockRef from,
                                      LLVMBasicBlockRef to) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(to)));
  LLVMBasicBlockRef made = LLVMInsertBasicBlockInContext(context, to, "");
  LLVMPositionBuilderAtEnd(builder, made);
  LLVMBuildBr(builder, to);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
    if (LLVMGetSuccessor(end, i) == to)
      LLVMSetSuccessor(end, i, made);
  return made;
}

/* Replaces a phi by one that has a single entry for each new block. */
static void replace_phi(LLVMBuilderRef builder, LLVMValueRef phi, source *sources, size_t count) {
  LLVMPositionBuilderBefore(builder, phi);
  LLVMValueRef made = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    source *from = blocks_find(sources, count, sizeof *sources, LLVMGetIncomingBlock(phi, i));
    LLVMBasicBlockRef block = from->between != NULL ? from->between : from->block;
    if (from->between == NULL || from->phi != phi)
      LLVMAddIncoming(made, &value, &block, 1);
    from->phi = phi;
  }
  LLVMReplaceAllUsesWith(phi, made);
  LLVMInstructionEraseFromParent(phi);
}

static specpi_compiler_result separate(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
  LLVMValueRef phi = first_phi(block);
  const size_t entries = phi != NULL ? LLVMCountIncoming(phi) : 0;
  if (entries < 2)
    return SPECPI_COMPILER_SUCCESS;
  source *sources = calloc(entries, sizeof *sources);
  if (sources == NULL)
    return compiler_error_memory();
  for (unsigned i = 0; i < entries; i++)
    sources[i].block = LLVMGetIncomingBlock(phi, i);
  blocks_sort(sources, entries, sizeof *sources);
  size_t count = 0;
  bool several = false;
  for (size_t i = 0; i < entries; i++) {
    source *last = count > 0 ? &sources[count - 1] : NULL;
    if (last == NULL || last->block != sources[i].block) {
      sources[count++] = sources[i];
    } else if (last->between == NULL) {
      last->between = insert_block(builder, last->block, block);
      several = true;
    }
  }
  for (LLVMValueRef next; several && phi != NULL && LLVMIsAPHINode(phi) != NULL; phi = next) {
    next = LLVMGetNextInstruction(phi);
    replace_phi(builder, phi, sources, count);
  }
  free(sources);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result phi_edges(LLVMValueRef function) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(function)));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(function);
       at != NULL && result == SPECPI_COMPILER_SUCCESS; at = LLVMGetNextBasicBlock(at))
    result = separate(builder, at);
  LLVMDisposeBuilder(builder);
  return result;
}
