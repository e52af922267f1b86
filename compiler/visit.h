/* Visits all instructions of a function or module. */
#ifndef COMPILER_VISIT_H
#define COMPILER_VISIT_H

#include <llvm-c/Core.h>
#include <stddef.h>

/* Calls visit for each instruction of a function, in order; visit may erase the instruction. */
static inline void visit_function(LLVMValueRef function,
                                  void (*visit)(void *data, LLVMValueRef value), void *data) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      visit(data, at);
    }
  }
}

/* Calls visit for each instruction of a module. */
static inline void visit_instructions(LLVMModuleRef module,
                                      void (*visit)(void *data, LLVMValueRef value), void *data) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    visit_function(function, visit, data);
}

#endif
