/* Translation of SPIR-V to PTX, for the forms code_form_generated and code_form_joined. */
#ifndef CODE_GENERATED_FORM_H
#define CODE_GENERATED_FORM_H

#include "../base/cache_key.h"
#include "form.h"

#include <stdbool.h>

/* Returns whether generator_get finds a code generator. Any thread. */
bool generated_is_possible(void);

/* Returns generator_obstacle, the reason if there is no generator. */
const char *generated_obstacle(void);

/* Returns whether the generator has a version, so that its PTX may be cached on disk. */
bool generated_is_lasting(void);

/*
 * Adds to a key everything that determines the PTX for a program's SPIR-V: the generator, the
 * module, the block of all values, and the target.
 */
void generated_add_key(const struct program_code *code, const unsigned char *values,
                       const code_target *target, cache_key_writer *to);

/*
 * Generates one PTX text from the SPIR-V of several programs, so that functions of one can be
 * inlined into another. Each program has its block of values. PI_ERROR_BUILD_PROGRAM_FAILURE: a
 * program cannot be translated, or the programs cannot be combined; then separate PTX for each may
 * still work. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result generated_join(const struct program_code *const *codes,
                         const unsigned char *const *values, size_t count,
                         const code_target *target, code_product *ret);

/*
 * Turns linked, code without bytes, into code of form code_form_joined: the SPIR-V of several
 * programs with copies of their values. Only the first program may have kernels. They are generated
 * one by one when they are needed. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result generated_keep_parts(struct program_code *linked, const struct program_code *const *codes,
                               const unsigned char *const *values, size_t count);

/* Does the check of generated_check for the arguments of generated_keep_parts. */
pi_result generated_check_parts(const struct program_code *const *codes,
                                const unsigned char *const *values, size_t count,
                                const code_target *target);

/*
 * Checks a program's SPIR-V before its kernels are generated one by one: for example capabilities,
 * values, and undefined functions. Errors as generated_join.
 */
pi_result generated_check(const struct program_code *code, const unsigned char *values,
                          const code_target *target);

#endif
