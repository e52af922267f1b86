/*
 * The code of a program: its bytes, and the constants and kernels that they declare. It is read
 * once, when the program is made. After that only the values of constants change, which have a
 * lock.
 */
#ifndef CODE_PROGRAM_CODE_H
#define CODE_PROGRAM_CODE_H

#include "../base/digest.h"
#include "code_info.h"
#include "constants.h"
#include "form.h"
#include "ptx_image.h"
#include "spirv_code.h"

/* Blocks begin at multiples of this, as device memory of their own would. */
enum { VALUE_BLOCK_ALIGN = 256 };

/* Range of the buffer of one image's kernels in the values of a program. */
typedef struct value_block {
  size_t at, size;
} value_block;

/* A device global: the id that the runtime knows it by, and its name in the code. */
typedef struct program_global {
  char *id;
  char *name;
} program_global;

typedef struct program_code {
  const code_form *form;
  const char *fixed;         /* as in the form, unless this code has a reason of its own */
  code_constants *constants; /* those that the code declares, and their values */
  unsigned char *bytes;      /* of a cubin without its trailers; NULL: SPIR-V, or none */
  size_t size;
  spirv_code *spirv;             /* of SPIR-V: a reference */
  struct generated_parts *parts; /* of code_form_joined, else NULL */
  digest digest;       /* of the bytes of PTX, or of SPIR-V to make PTX of; as the next one */
  bool has_state;      /* a launch may find what another one left in variables */
  ptx_image *image;    /* of PTX */
  code_info *info;     /* kernels; NULL without bytes */
  value_block *blocks; /* of mode emulate, else none */
  size_t block_count;
  program_global *globals;
  size_t global_count;
} program_code;

/* Sets the form of code. */
static inline void code_set_form(program_code *code, const code_form *form) {
  code->form = form;
  code->fixed = form->fixed;
}

/* Makes empty code, of a form that may be NULL until it is read. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result code_open(program_code *code, const code_form *form);

/* Frees the parts of code, if there are any. */
void code_close(program_code *code);

/*
 * Finds the row for code with this head among those of a driver, which end with NULL. Fails with
 * refused if the driver takes no such code; PI_ERROR_INVALID_BINARY: the code's header is damaged.
 */
pi_result code_find_form(const code_form *const *forms, const char *driver, const code_head *head,
                         pi_result refused, const code_form **ret);

/* Reads code of a form and keeps a copy of it. Errors as the form's. */
pi_result code_read(program_code *code, const code_form *form, const void *bytes, size_t size);

/* A driver's input: that of the form's specialise, or the code as it is. */
pi_result code_specialise(const program_code *code, const unsigned char *values,
                          const code_target *target, code_product *ret);
void code_product_free(code_product *product);

/*
 * Adds to new code the facts about kernels and variables from a device image's metadata.
 * PI_ERROR_INVALID_VALUE: an entry is not as it should be. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_read_metadata(program_code *code, size_t count,
                             const pi_device_binary_property *metadata);

/* The name in the code of a device global that a runtime knows by id; id itself for others. */
const char *code_global_name(const program_code *code, const char *id);

/*
 * Adds a block with a copy of size values; *at receives its start, and the size of all grows. An
 * empty block has no place of its own. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_add_block(program_code *code, size_t size, const unsigned char *values, size_t *at);

/* Adds the kernels and blocks of another program's code, with its values, for a link. */
pi_result code_add_input(program_code *linked, const program_code *input,
                         const unsigned char *values);

/* ---- Cubins with trailers (cubin_trailer.c) ---- */

/*
 * Writes a cubin, and after it trailers as docs/internals/ptx.md has them: one for each block of
 * code, or one of mode default without blocks, with the kernels of info. The caller frees *ret.
 * PI_ERROR_UNSUPPORTED_FEATURE: more blocks than cubin_read_trailers takes.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result cubin_write(const unsigned char *cubin, size_t size, const program_code *code,
                      const code_info *info, const unsigned char *values, unsigned char **ret,
                      size_t *ret_size);

/*
 * Reads the trailers after a cubin, the bytes of new code, which become the cubin's: kernels,
 * blocks and values. PI_ERROR_INVALID_BINARY, PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result cubin_read_trailers(program_code *code);

#endif
