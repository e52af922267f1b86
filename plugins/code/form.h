/*
 * Forms of code: kinds of input for programs. A form is a row, which answers all questions about
 * it; a driver lists the rows that it takes.
 */
#ifndef CODE_FORM_H
#define CODE_FORM_H

#include "code_head.h"

struct program_code;

/* The target that code is made for. */
typedef struct code_target {
  int capability;  /* of the GPU, 90 for sm_90 */
  pi_uint32 level; /* of optimisation, 0 to 3 */
  bool is_part;    /* of a link, or compiled for one */
  bool no_offset;  /* entries for launches with an offset may be left out */
  /* SPIR-V to generate code from: the one kernel that is wanted; NULL: all. */
  const char *kernel;
} code_target;

/* Input of a driver's compiler, with values in it; code_product_free frees its parts. */
typedef struct code_product {
  code_kind kind;
  const unsigned char *bytes; /* text ends with a zero byte */
  size_t size;                /* with that */
  size_t plain_size;          /* without the text of entries for launches with an offset */
  unsigned char *made;        /* the same bytes, to be freed; NULL: they are the program's */
  struct code_info *info;     /* the kernels, where it is generated; NULL: the program's */
} code_product;

typedef struct code_form {
  code_kind kind;     /* of code in this form */
  const char *name;   /* in messages: "fat binaries" */
  const char *origin; /* of a program with it: "created from a cubin" */
  const char *fixed;  /* why its constants cannot be set; NULL: they can, if it declares them */
  bool is_compiled;   /* piProgramCompile takes it, and it names all its kernels */
  bool is_built;      /* a build has nothing to do */
  /*
   * Fills in the kernels and constants that a new program's code declares; NULL: it declares none.
   * PI_ERROR_INVALID_VALUE or PI_ERROR_INVALID_BINARY: it is damaged. PI_ERROR_OUT_OF_HOST_MEMORY.
   */
  pi_result (*read)(struct program_code *code);
  /*
   * Makes the driver's input from the code and a block of all values; NULL: the driver gets the
   * code as it is, and values of constants beside it. PI_ERROR_BUILD_PROGRAM_FAILURE: that is
   * impossible. PI_ERROR_OUT_OF_HOST_MEMORY.
   */
  pi_result (*specialise)(const struct program_code *code, const unsigned char *values,
                          const code_target *target, code_product *ret);
  /* Frees the parts that only this form has; NULL: none. */
  void (*close)(struct program_code *code);
} code_form;

/* The rows. Two forms may take one kind of code in two ways: a driver lists one of them. */
extern const code_form code_form_ptx;       /* ptx_form.c */
extern const code_form code_form_cubin;     /* cubin_form.c */
extern const code_form code_form_fatbin;    /* the same */
extern const code_form code_form_spirv;     /* spirv_form.c */
extern const code_form code_form_generated; /* the same, made PTX: generated_form.c */
extern const code_form code_form_joined;    /* a link of such, still to be made PTX */

#endif
