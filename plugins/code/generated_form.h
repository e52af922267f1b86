/* SPIR-V where a driver takes PTX: the row code_form_generated of form.h. */
#ifndef CODE_GENERATED_FORM_H
#define CODE_GENERATED_FORM_H

#include "../base/cache_key.h"
#include "form.h"

#include <stdbool.h>

/*
 * Returns whether there is a code generator for this library (codegen_place.h). The first call
 * looks for it; the answer does not change after it. Any thread.
 */
bool generated_is_possible(void);

/*
 * Why there is none and what to do, to follow "SPIR-V " in a message; NULL where there is one. Any
 * thread.
 */
const char *generated_obstacle(void);

/* Returns whether a version identifies the generator, so that a directory may keep texts. */
bool generated_is_lasting(void);

/*
 * Adds to a key all that determines the PTX of a program's SPIR-V: the generator, the module, the
 * block of all values, the target.
 */
void generated_add_key(const struct program_code *code, const unsigned char *values,
                       const code_target *target, cache_key_writer *to);

/*
 * Makes one text of the SPIR-V of several programs, each with the block of its values, so that
 * functions of one are inlined in another. PI_ERROR_BUILD_PROGRAM_FAILURE: they do not fit
 * together, though separate code for each may work; or one of them cannot become PTX.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result generated_join(const struct program_code *const *codes,
                         const unsigned char *const *values, size_t count,
                         const code_target *target, code_product *ret);

/*
 * Makes linked code, of no form yet or of one without bytes, the SPIR-V of several programs, each
 * with the block of its values: form code_form_joined. Kernels are generated when they are wanted.
 * The first one alone has kernels. Nothing of the programs is needed afterwards.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result generated_keep_parts(struct program_code *linked, const struct program_code *const *codes,
                               const unsigned char *const *values, size_t count);

/* The check below, for the parts that generated_keep_parts would keep. */
pi_result generated_check_parts(const struct program_code *const *codes,
                                const unsigned char *const *values, size_t count,
                                const code_target *target);

/*
 * Checks a program's SPIR-V as a whole, such as capabilities, values, and functions that nobody
 * defines, before its kernels are generated one by one. Errors as generated_join.
 */
pi_result generated_check(const struct program_code *code, const unsigned char *values,
                          const code_target *target);

#endif
