/*
 * A C++ unit as clang compiles it for SYCL devices: all of it, host code too. The steps here leave
 * its kernels and what these reach. include/sycl declares what the unit says to them:
 * docs/internals/compiler.md.
 */
#ifndef COMPILER_PASSES_SYCL_UNIT_H
#define COMPILER_PASSES_SYCL_UNIT_H

#include "../error.h"
#include "../value_set.h"
#include "../vector.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* A function that calls this is a kernel, of the name that is the argument. */
#define SYCL_UNIT_ENTRY "__specpi_kernel_entry"
/* Its result is the kernel's local memory. */
#define SYCL_UNIT_LOCAL_MEMORY "__specpi_local_memory"
/*
 * A function that calls this has an attribute of kernels: its name, how many numbers, and the
 * numbers, of which there are eight, with zeros at the end.
 */
#define SYCL_UNIT_ATTRIBUTE "__specpi_kernel_attribute"
/* A function that calls this is a kernel of parallel_for_work_group. */
#define SYCL_UNIT_TWO_LEVELS "__specpi_two_levels"
/* Prefixes of the functions that construct a constant's variable. */
#define SYCL_UNIT_ID_CLASSES "_ZN4sycl17specialization_idI", "_ZN4sycl7spec_idI"
/*
 * Entry in the list of the attribute "llvm.assume" of functions that other images define or call.
 */
#define SYCL_UNIT_EXTERNAL "specpi.external"

/* A kernel: the function and its public name, which is the structure's. */
typedef struct sycl_kernel {
  LLVMValueRef function;
  char *name;
} sycl_kernel;

typedef struct sycl_unit {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef data_layout;
  const char *id;
  bool drop_lines;
  VECTOR(sycl_kernel) kernels;
  VECTOR(LLVMValueRef) exported; /* functions that other images may call */
} sycl_unit;

/*
 * Each step returns an error with a message: INVALID_KERNEL, CONFLICT and INVALID_NAME for what
 * the unit has, OUT_OF_MEMORY, INTERNAL.
 */

/* Makes calls of invokes, and leaves out what is for exceptions only. */
specpi_compiler_result sycl_exceptions_remove(sycl_unit *unit);

/* Finds the kernels and the exported functions; takes the calls of SYCL_UNIT_ENTRY away. */
specpi_compiler_result sycl_entries_find(sycl_unit *unit);

/* Notes the attributes of the functions that a kernel reaches at the kernel. */
specpi_compiler_result sycl_attributes_apply(sycl_unit *unit);

/* Refuses kernels in two levels that wait for other work-items. */
specpi_compiler_result sycl_groups_check(sycl_unit *unit);

/* Gives the kernels their convention and their public names. */
specpi_compiler_result sycl_entries_finish(sycl_unit *unit);

/*
 * Notes what is in the kernels' function objects where the module has debug information, and
 * refuses references in them.
 */
specpi_compiler_result sycl_objects_note(const sycl_unit *unit);

/* Returns whether a function is to be seen by other images, as a definition or a declaration. */
bool sycl_is_external(LLVMValueRef function);

/*
 * Adds the functions and variables that a function uses, and those that these use, itself too, to
 * the set; with constants in between.
 */
specpi_compiler_result sycl_reach(LLVMValueRef function, value_set *ret);

/* The same for all kernels and exported functions. */
specpi_compiler_result sycl_reach_all(const sycl_unit *unit, value_set *ret);

/* The first kernel that reaches a function; NULL: only exported functions do. */
specpi_compiler_result sycl_find_kernel(const sycl_unit *unit, LLVMValueRef function,
                                        const sycl_kernel **ret);

/* Removes what neither a kernel nor an exported function reaches, and makes the rest internal. */
specpi_compiler_result sycl_prune(sycl_unit *unit);

/* Runs passes of LLVM over the module. INTERNAL. */
specpi_compiler_result sycl_run_passes(const sycl_unit *unit, const char *passes);

/*
 * Writes the ids of constants into the calls that ask for them, where variables still have their
 * linkage.
 */
specpi_compiler_result sycl_ids_write(sycl_unit *unit);

/* Calls OpenCL's functions of numbers in place of the C library's. */
specpi_compiler_result sycl_math_replace(sycl_unit *unit);

/* Refuses what devices cannot do, in what is left. */
specpi_compiler_result sycl_check(const sycl_unit *unit);

/*
 * Notes of each function of another image how it is called: the runtime's words where none has it.
 */
specpi_compiler_result sycl_calls_note(const sycl_unit *unit);

/*
 * Gives types of more than 64 bits other names, at last: the module is another one then, and all
 * that was found in it is gone.
 */
specpi_compiler_result sycl_types_replace(sycl_unit *unit);

/* Gives the kernels that use local memory an argument for it. */
specpi_compiler_result sycl_local_memory_add(sycl_unit *unit);

/* The names of things as a person knows them: kernels and functions, in new memory or NULL. */
char *sycl_readable_name(LLVMValueRef value);
char *sycl_readable_kernel(const char *name);
char *sycl_readable_text(const char *name); /* of any of them */

/*
 * Where an instruction of a function stands in the sources, " (FILE:LINE)", or else the function,
 * for NULL as the instruction. If that is not the unit's own file, and root is a function that
 * reaches it by calls, the place in that file from which it does so. "" where the module has no
 * debug information. In new memory or NULL.
 */
char *sycl_readable_place(const sycl_unit *unit, LLVMValueRef root, LLVMValueRef function,
                          LLVMValueRef instruction);

/*
 * The same of a kernel: the first function in the unit's own file that it reaches, which is the
 * function object's, or else the kernel's entry.
 */
char *sycl_readable_kernel_place(const sycl_unit *unit, LLVMValueRef kernel);

/* The place of an error. */
typedef struct sycl_place {
  const sycl_unit *unit;
  LLVMValueRef function;
  LLVMValueRef instruction; /* NULL: all of the function */
} sycl_place;

/*
 * Returns the code, with a message about a kernel that reaches the place, if one does, and its
 * function; the format begins after the latter's name, and the end follows on the place in the
 * sources. OUT_OF_MEMORY.
 */
specpi_compiler_result sycl_refuse(const sycl_place *at, specpi_compiler_result code,
                                   const char *end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns whether a file that debug information names, in its directory, is the unit's own. */
bool sycl_is_own_file(const sycl_unit *unit, const char *directory, size_t directory_size,
                      const char *file, size_t size);

#endif
