/*
 * The pass that lowers specialization constants: it finds a module's constants and their uses, and
 * replaces each use as the mode says. This is the part that the modes share; each mode has a file.
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
  LLVMValueRef default_value; /* default of the first use, maybe of another type than type */
  image image;
  layout layout;
  uint32_t first_id;
  uint32_t position; /* position of its default among all defaults, in bytes */
  uint32_t gap;      /* bytes between the previous default and this one */
  bool recorded;     /* has a use that can be set */
  bool imported;     /* another unit has its default; here the default is zero */
} spec_constant;

/* A use with its constant and default. */
typedef struct spec_use {
  use call;
  size_t constant;            /* index of the constant */
  LLVMValueRef default_value; /* the use's own default */
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
  value_set defaults; /* the variables that hold the uses' defaults */
  specpi_compiler_output output;
} pass;

/*
 * The steps of a mode.
 * records: returns whether a use of a kind can be set after compilation, so that its constant is
 * recorded. NULL if none can.
 * prepare: after all constants are known, numbers and places the recorded ones, and completes their
 * descriptors. NULL if there is nothing to do.
 * value: builds the replacement of one use; as is the layout of the use's type, own is its own
 * default, and the builder is before the call. *ret is a value of the use's type, which is stored
 * if the use has a struct-return pointer; the memory for a use of the kind ALLOCA; or NULL if the
 * call stays. stores: value itself stores through a struct-return pointer; *ret is then any value
 * but NULL.
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
 * Returns the alignment of a call's struct-return pointer: that of the attribute of the call or the
 * function, which may be less than the type's (packed structures of C), or else the type's.
 */
unsigned spec_result_alignment(const pass *p, const use *use);

/* Builds a pointer to a type, at an offset in an object. */
LLVMValueRef spec_point(pass *p, LLVMValueRef object, uint32_t offset, LLVMTypeRef type);

/* Allocates the memory of a use of the kind ALLOCA, with count elements. */
LLVMValueRef spec_alloca(pass *p, const spec_use *use, LLVMValueRef count);

#endif
