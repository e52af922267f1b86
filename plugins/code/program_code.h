/*
 * The code of a program: its bytes, and the constants and kernels that they declare. It is read
 * once, when the program is made. Later only the values of constants change, under a lock.
 */
#ifndef CODE_PROGRAM_CODE_H
#define CODE_PROGRAM_CODE_H

#include "../base/digest.h"
#include "code_info.h"
#include "constants.h"
#include "form.h"
#include "ptx_image.h"
#include "spirv_code.h"

/* Alignment of value blocks, that of separately allocated device memory. */
enum { VALUE_BLOCK_ALIGN = 256 };

/*
 * Part of a program's values: the content of the buffer of constants that the kernels of one image
 * read (mode emulate).
 */
typedef struct value_block {
  size_t at, size; /* in bytes */
} value_block;

/* A device global. */
typedef struct program_global {
  char *id;   /* the runtime's name for it */
  char *name; /* its name in the code */
} program_global;

typedef struct program_code {
  const code_form *form;
  const char *fixed;         /* why constants cannot be set: this code's reason, or the form's */
  code_constants *constants; /* the declared constants and all values */
  unsigned char *bytes;      /* NULL for SPIR-V; a cubin's without its trailers */
  size_t size;
  spirv_code *spirv;             /* only for SPIR-V: a reference */
  struct generated_parts *parts; /* only for code_form_joined */
  digest digest;       /* of the bytes; only for PTX and for SPIR-V that is translated to PTX */
  bool has_state;      /* launches may leave values in variables for later launches */
  ptx_image *image;    /* only for PTX */
  code_info *info;     /* the kernels */
  value_block *blocks; /* one for each image of mode emulate */
  size_t block_count;
  program_global *globals;
  size_t global_count;
} program_code;

static inline void code_set_form(program_code *code, const code_form *form) {
  code->form = form;
  code->fixed = form->fixed;
}

/* Makes empty code. form may be NULL; code_read sets it. PI_ERROR_OUT_OF_HOST_MEMORY. */
pi_result code_open(program_code *code, const code_form *form);

/* Frees the members of code, also if code is all zeros. */
void code_close(program_code *code);

/*
 * Finds the form for code with this head in a driver's list of forms, which ends with NULL. Fails
 * with the code `refused` if the driver takes no such code. PI_ERROR_INVALID_BINARY: the code's
 * header is damaged.
 */
pi_result code_find_form(const code_form *const *forms, const char *driver, const code_head *head,
                         pi_result refused, const code_form **ret);

/* Copies code of this form and reads the copy. Errors as the form's read. */
pi_result code_read(program_code *code, const code_form *form, const void *bytes, size_t size);

/* Makes the driver's input by the form's specialise. Without that, the input is the code itself. */
pi_result code_specialise(const program_code *code, const unsigned char *values,
                          const code_target *target, code_product *ret);
void code_product_free(code_product *product);

/*
 * Adds to new code the facts about kernels and variables from a device image's metadata.
 * PI_ERROR_INVALID_VALUE: an entry is malformed. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_read_metadata(program_code *code, size_t count,
                             const pi_device_binary_property *metadata);

/* Returns the name in the code of the device global with this id; the id itself if unknown. */
const char *code_global_name(const program_code *code, const char *id);

/*
 * Appends a block with a copy of size bytes of values. *at receives its start among all values. An
 * empty block may get the start of another block. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result code_add_block(program_code *code, size_t size, const unsigned char *values, size_t *at);

/* Adds the kernels, blocks and values of an input of a link. */
pi_result code_add_input(program_code *linked, const program_code *input,
                         const unsigned char *values);

/* ---- Cubins with trailers (cubin_trailer.c) ---- */

/*
 * Writes a cubin, followed by trailers (docs/internals/ptx.md) that list the kernels of info. Code
 * with blocks gets one trailer for each block; other code gets one trailer of mode default. The
 * caller frees *ret. PI_ERROR_UNSUPPORTED_FEATURE: more blocks than cubin_read_trailers takes.
 * PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result cubin_write(const unsigned char *cubin, size_t size, const program_code *code,
                      const code_info *info, const unsigned char *values, unsigned char **ret,
                      size_t *ret_size);

/*
 * Reads kernels, blocks and values from the trailers after the cubin in new code, and reduces
 * code->size to the cubin. PI_ERROR_INVALID_BINARY, PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result cubin_read_trailers(program_code *code);

#endif
