/*
 * Variables with a separate name for the host: SYCL's device globals. The extensions
 * SPV_INTEL_global_variable_decorations and SPV_INTEL_global_variable_host_access decorate them
 * with that name. The host looks for it in PTX, so PTX uses it even for variables that the module
 * does not export.
 */
#ifndef CODEGEN_HOST_NAMES_H
#define CODEGEN_HOST_NAMES_H

#include "../../plugins/code/spirv.h"

/* A variable's id, and its decoration with the name. */
typedef struct host_name {
  uint32_t id;
  uint32_t linkage; /* the variable's linkage in the module: last word of LinkageAttributes */
  spirv_instruction decoration;
} host_name;

typedef struct host_names {
  host_name *items; /* sorted by id */
  size_t count;
} host_names;

/*
 * Reads the names from a module. The items point to the module's words; the caller frees them with
 * host_names_free. PI_ERROR_INVALID_VALUE: the SPIR-V is damaged, or a name has no end;
 * PI_ERROR_OUT_OF_HOST_MEMORY. Takes time and memory in proportion to the module's size.
 */
pi_result host_names_read(spirv_words module, host_names *ret);
void host_names_free(host_names *names);

/*
 * Returns whether an instruction tells only the host or another device about such a variable. The
 * copy of the module leaves it out; host_names_put may write a replacement.
 */
bool host_names_own(const host_names *names, const spirv_instruction *at);

/*
 * For the decoration with a variable's host name, writes an OpName and a linkage decoration with
 * that name, and returns their size in bytes. Returns 0 for other instructions.
 */
size_t host_names_put(const host_names *names, const spirv_instruction *at, unsigned char *ret);

#endif
