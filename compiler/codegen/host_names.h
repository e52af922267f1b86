/*
 * Variables that the host knows by a name of its own: SYCL's device globals, which the extensions
 * SPV_INTEL_global_variable_decorations and SPV_INTEL_global_variable_host_access decorate so. In
 * PTX they have that name, by which the host looks for them, also where the module keeps them to
 * itself.
 */
#ifndef CODEGEN_HOST_NAMES_H
#define CODEGEN_HOST_NAMES_H

#include "../../plugins/code/spirv.h"

/* A variable's id, and its decoration with the name. */
typedef struct host_name {
  uint32_t id;
  uint32_t linkage; /* of the module: LinkageAttributes' last word */
  spirv_instruction decoration;
} host_name;

typedef struct host_names {
  host_name *items; /* by id */
  size_t count;
} host_names;

/*
 * Reads them from a module's instructions; the items point to its words and are the caller's, for
 * host_names_free. PI_ERROR_INVALID_VALUE: damaged SPIR-V, or a name without an end;
 * PI_ERROR_OUT_OF_HOST_MEMORY. Time and memory are those of the module's size.
 */
pi_result host_names_read(spirv_words module, host_names *ret);
void host_names_free(host_names *names);

/*
 * Returns whether an instruction is about what only the host or another device wants to know of
 * such variables: it is to be left out, but for what host_names_link puts in its place.
 */
bool host_names_own(const host_names *names, const spirv_instruction *at);

/*
 * In the place of the decoration with a variable's name: writes the variable's name and its linkage
 * by that name, and returns their bytes; 0 for other instructions.
 */
size_t host_names_put(const host_names *names, const spirv_instruction *at, unsigned char *ret);

#endif
