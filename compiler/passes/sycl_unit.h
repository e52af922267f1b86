/*
 * A C++ unit that clang has compiled for SYCL devices, including its host code. The steps here
 * reduce it to its kernels and the code that they reach. include/sycl declares the functions by
 * which the unit controls them; see docs/internals/compiler.md.
 */
#ifndef COMPILER_PASSES_SYCL_UNIT_H
#define COMPILER_PASSES_SYCL_UNIT_H

#include "../../plugins/base/vector.h"
#include "../error.h"
#include "../value_set.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* A function that calls this is a kernel; the argument is the kernel's name. */
#define SYCL_UNIT_ENTRY "__specpi_kernel_entry"
/* Returns the kernel's local memory. */
#define SYCL_UNIT_LOCAL_MEMORY "__specpi_local_memory"
/*
 * A function that calls this sets an attribute of the kernels that reach it. The arguments are the
 * attribute's name, the number of values, and eight values, of which unused ones are zero.
 */
#define SYCL_UNIT_ATTRIBUTE "__specpi_kernel_attribute"
/* A function that calls this is a kernel of parallel_for_work_group. */
#define SYCL_UNIT_TWO_LEVELS "__specpi_two_levels"
/* Prefixes of the constructors of a constant's variable. */
#define SYCL_UNIT_ID_CLASSES "_ZN4sycl17specialization_idI", "_ZN4sycl7spec_idI"
/*
 * Functions that other images define or call have this in their attribute "llvm.assume".
 */
#define SYCL_UNIT_EXTERNAL "specpi.external"

/* A kernel: its function, and its public name, which this structure owns. */
typedef struct sycl_kernel {
  LLVMValueRef function;
  char *name;
} sycl_kernel;

typedef struct sycl_unit {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef data_layout;
  const specpi_compiler_unit_options *options;
  VECTOR(sycl_kernel) kernels;
  VECTOR(LLVMValueRef) exported; /* functions that other images may call */
} sycl_unit;

/*
 * The steps return these errors, with a message: INVALID_KERNEL, CONFLICT and INVALID_NAME for
 * faults in the unit; OUT_OF_MEMORY; INTERNAL.
 */

/* Turns invokes into calls, and removes code that only handles exceptions. */
specpi_compiler_result sycl_exceptions_remove(sycl_unit *unit);

/* Finds the kernels and the exported functions, and removes the calls of SYCL_UNIT_ENTRY. */
specpi_compiler_result sycl_entries_find(sycl_unit *unit);

/* Gives each kernel the attributes of the functions that it reaches. */
specpi_compiler_result sycl_attributes_apply(sycl_unit *unit);

/* Refuses kernels of parallel_for_work_group that wait for other work-items. */
specpi_compiler_result sycl_groups_check(sycl_unit *unit);

/* Gives the kernels their calling convention and their public names. */
specpi_compiler_result sycl_entries_finish(sycl_unit *unit);

/*
 * If the module has debug information, records the members of the kernels' function objects, and
 * refuses references among them.
 */
specpi_compiler_result sycl_objects_note(const sycl_unit *unit);

/* Returns whether other images call or define a function (SYCL_UNIT_EXTERNAL). */
bool sycl_is_external(LLVMValueRef function);

/*
 * Adds a function, all functions and variables that it uses, directly or indirectly, and the
 * constants in between to the set.
 */
specpi_compiler_result sycl_reach(LLVMValueRef function, value_set *ret);

/* Calls sycl_reach for all kernels and exported functions. */
specpi_compiler_result sycl_reach_all(const sycl_unit *unit, value_set *ret);

/* Finds the first kernel that reaches a function; NULL if only exported functions do. */
specpi_compiler_result sycl_find_kernel(const sycl_unit *unit, LLVMValueRef function,
                                        const sycl_kernel **ret);

/* Removes everything that no kernel or exported function reaches, and makes the rest internal. */
specpi_compiler_result sycl_prune(sycl_unit *unit);

/* Runs LLVM passes on the module. INTERNAL. */
specpi_compiler_result sycl_run_passes(const sycl_unit *unit, const char *passes);

/*
 * Writes the ids of constants into the calls that ask for them. Has to run before sycl_prune
 * changes the variables' linkage.
 */
specpi_compiler_result sycl_ids_write(sycl_unit *unit);

/* Replaces the C library's mathematical functions by OpenCL's. */
specpi_compiler_result sycl_math_replace(sycl_unit *unit);

/* Refuses remaining code with things that devices cannot do. */
specpi_compiler_result sycl_check(const sycl_unit *unit);

/*
 * Records for each function of another image how the unit calls it. The runtime's error message has
 * this text if no image has the function.
 */
specpi_compiler_result sycl_calls_note(const sycl_unit *unit);

/*
 * Replaces types of more than 64 bits. This is the last step, because it makes a new module, and
 * all values that were found in the old one become invalid.
 */
specpi_compiler_result sycl_types_replace(sycl_unit *unit);

/* Gives the kernels that use local memory an argument for it. */
specpi_compiler_result sycl_local_memory_add(sycl_unit *unit);

/* Return the readable name of a function, a kernel, or any mangled name. The caller frees it; NULL
 * when memory is exhausted. */
char *sycl_readable_name(LLVMValueRef value);
char *sycl_readable_kernel(const char *name);
char *sycl_readable_text(const char *name);

/*
 * Returns the source position of an instruction, or of the function if instruction is NULL, as
 * " (FILE:LINE)". If it is not in the unit's own file, and root (a function or NULL) reaches the
 * function by calls, it is the position of the last of those calls that is in that file. "" if
 * there is no debug information. The caller frees the text; NULL when memory is exhausted.
 */
char *sycl_readable_place(const sycl_unit *unit, LLVMValueRef root, LLVMValueRef function,
                          LLVMValueRef instruction);

/*
 * Returns the source position for a kernel in the same form: that of the first function in the
 * unit's own file that it reaches, which is the function object's, or else of the kernel's entry.
 */
char *sycl_readable_kernel_place(const sycl_unit *unit, LLVMValueRef kernel);

/* Place of an error. */
typedef struct sycl_place {
  const sycl_unit *unit;
  LLVMValueRef function;
  LLVMValueRef instruction; /* NULL: the function as a whole */
} sycl_place;

/*
 * Records an error message, and returns code, or OUT_OF_MEMORY. The message names a kernel that
 * reaches the place, if there is one, and the place's function; then follow the formatted text, the
 * source position, and end.
 */
specpi_compiler_result sycl_refuse(const sycl_place *at, specpi_compiler_result code,
                                   const char *end, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns whether a file in debug information, with its directory, is the unit's own source file.
 */
bool sycl_is_own_file(const sycl_unit *unit, const char *directory, size_t directory_size,
                      const char *file, size_t size);

#endif
