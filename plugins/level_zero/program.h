/* Builds of programs, which have modules for each root device of a context. */
#ifndef LEVEL_ZERO_PROGRAM_H
#define LEVEL_ZERO_PROGRAM_H

#include "../objects/program.h"

#include "context.h"

/*
 * Makes a build with space for parts modules per root device, and for code_count codes that
 * describe them. The caller fills in both, and releases the build. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result build_open(pi_context context, pi_uint32 parts, pi_uint32 code_count,
                     program_build **ret);

/* Returns the modules of a root device. The first is NULL if the build is not for that device. */
static inline ze_module_handle_t *build_modules(program_build *build, pi_uint32 root) {
  return build->driver.modules + (size_t)root * build->driver.parts;
}

/* ---- Modules (module.c) ---- */

/* The input of a module. */
typedef struct module_input {
  const unsigned char *bytes;
  size_t size;
  const char *flags;           /* the driver's build flags */
  const code_constant *values; /* all constants of the module; only those that are set matter */
  size_t value_count;
} module_input;

/*
 * Makes the module of a root device of a context from SPIR-V or native code, and adds the driver's
 * messages to log. is_complete: fails if the module imports functions of other modules.
 *
 * refused: the driver refuses the code, or the module is not complete. PI_ERROR_INVALID_BINARY: the
 * native code is not for the device. Other errors are mapped from the driver's.
 */
pi_result module_create(pi_context context, pi_uint32 root, ze_module_format_t format,
                        const module_input *input, bool is_complete, pi_result refused,
                        build_log *log, ze_module_handle_t *ret);

/*
 * Makes one complete module from count inputs of SPIR-V and ignores their values. The platform must
 * have has_module_program.
 */
pi_result module_create_linked(pi_context context, pi_uint32 root, pi_uint32 count,
                               const module_input *inputs, pi_result refused, build_log *log,
                               ze_module_handle_t *ret);

/* Links the modules of a root device: resolves their imports with each other's exports. */
pi_result module_link(pi_uint32 count, ze_module_handle_t *modules, pi_result refused,
                      build_log *log);

#endif
