/*
 * The pass: finds the constants of a module and their uses, and replaces each use as the
 * mode says. What the modes share is here; a file of its own has what becomes of a use.
 */
#ifndef COMPILER_PASSES_SPEC_CONSTANTS_H
#define COMPILER_PASSES_SPEC_CONSTANTS_H

#include "../layout.h"
#include "../names.h"
#include "../output.h"
#include "../uses.h"
#include "../value_set.h"

/* A constant of the module. */
typedef struct spec_constant {
  char *name;
  LLVMTypeRef type;
  LLVMValueRef default_value; /* of the first use; its type may be another one */
  image image;
  layout layout;
  uint32_t first_id;
  uint32_t position; /* of its default among all defaults */
  uint32_t gap;      /* bytes between the default before and its own */
  bool recorded;     /* has a use that can be set */
  bool imported;     /* another unit has its default; here it is zero */
} spec_constant;

/* A use, and what is known about it. */
typedef struct spec_use {
  use call;
  size_t constant;            /* index */
  LLVMValueRef default_value; /* its own */
} spec_use;

typedef struct pass {
  specpi_compiler_mode mode;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef data_layout;
  LLVMBuilderRef builder;
  use_list calls;
  VECTOR(spec_use) uses;
  VECTOR(spec_constant) constants;
  name_map names;     /* name -> index of the constant */
  name_map kernels;   /* name -> index of the kernel in the output */
  value_set defaults; /* the variables in which the uses' defaults stand */
  specpi_compiler_output output;
} pass;

/*
 * The steps of a mode.
 * records: returns whether a use of a kind can still be set afterwards, for which its constant is
 * recorded; NULL when none can.
 * prepare: numbers and places the recorded constants, when all are known, and makes their
 * descriptors final; NULL when there is nothing to do.
 * value: makes what stands for one use, with as the layout of its type and own its own
 * default; the builder is before the call. *ret receives a value of the use's type; for
 * a use with a struct-return pointer, what is to be stored there; for an ALLOCA the memory;
 * NULL when the call is to stay.
 * stores: value has stored what is returned through a struct-return pointer, and *ret is any
 * value then.
 */
typedef struct spec_mode {
  bool (*records)(use_kind kind);
  specpi_compiler_result (*prepare)(pass *p);
  specpi_compiler_result (*value)(pass *p, const spec_use *use, const layout *as, const image *own,
                                  LLVMValueRef *ret);
  bool stores;
} spec_mode;

extern const spec_mode spec_mode_native;
extern const spec_mode spec_mode_emulate;
extern const spec_mode spec_mode_default;
extern const spec_mode spec_mode_patch;

/*
 * The alignment of a call's struct-return pointer: what the call or the function says, which may be
 * less than the type's, as with packed structures of C, and otherwise the type's.
 */
unsigned spec_result_alignment(const pass *p, const use *use);

/* The pointer to a byte of an object that a pointer points to, as one to a type. */
LLVMValueRef spec_point(pass *p, LLVMValueRef object, uint32_t offset, LLVMTypeRef type);

/* The memory that an ALLOCA stands for, with a number of elements. */
LLVMValueRef spec_alloca(pass *p, const spec_use *use, LLVMValueRef count);

#endif
