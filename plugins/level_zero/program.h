/* Programs and builds as Level Zero has them: modules, for each root device of a context. */
#ifndef LEVEL_ZERO_PROGRAM_H
#define LEVEL_ZERO_PROGRAM_H

#include "../objects/program.h"

#include "context.h"

/*
 * A build without modules yet: parts for each root device, described by up to code_count codes. The
 * caller fills in the modules, and releases the build. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result build_open(pi_context context, pi_uint32 parts, pi_uint32 code_count,
                     program_build **ret);

/* The modules of a root device, parts of them; the first is NULL when it was not built for it. */
static inline ze_module_handle_t *build_modules(program_build *build, pi_uint32 root) {
  return build->driver.modules + (size_t)root * build->driver.parts;
}

/* ---- Modules (module.c) ---- */

/* The input of a module. */
typedef struct module_input {
  const unsigned char *bytes;
  size_t size;
  const char *flags;           /* the driver's build flags */
  const code_constant *values; /* all constants of the module, those that are set count */
  size_t value_count;
} module_input;

/*
 * Makes the module of a root device of a context from SPIR-V, or from native code, and sees that it
 * is complete if it has to be. What the driver says of it is added to log.
 *
 * refused: the driver does not take the code, or the module is not complete;
 * PI_ERROR_INVALID_BINARY: native code that is not for the device. Others as the driver's failures.
 */
pi_result module_create(pi_context context, pi_uint32 root, ze_module_format_t format,
                        const module_input *input, bool is_complete, pi_result refused,
                        build_log *log, ze_module_handle_t *ret);

/*
 * The same from count inputs of SPIR-V without values, which are linked to one module; the platform
 * has has_module_program.
 */
pi_result module_create_linked(pi_context context, pi_uint32 root, pi_uint32 count,
                               const module_input *inputs, pi_result refused, build_log *log,
                               ze_module_handle_t *ret);

/* Resolves what modules of a root device import by what the others export. */
pi_result module_link(pi_uint32 count, ze_module_handle_t *modules, pi_result refused,
                      build_log *log);

#endif
