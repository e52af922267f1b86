/* Removes attributes by which an unoptimising compiler forbids inlining. */
#ifndef CODEGEN_INLINING_H
#define CODEGEN_INLINING_H

#include <llvm-c/Core.h>

/*
 * Allows inlining and optimisation in modules of clang -O0, which forbids both for all functions;
 * otherwise every array that is passed to a function would stay in memory. It recognises such a
 * module by a kernel with these attributes, because programs have no reason to put them on kernels.
 * Attributes that a program itself gives to some functions stay.
 */
void inlining_settle(LLVMModuleRef module);

#endif
