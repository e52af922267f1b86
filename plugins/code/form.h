/*
 * Forms of code: each is a kind of input for programs and the functions that handle it. A plugin
 * lists the forms that its driver takes.
 */
#ifndef CODE_FORM_H
#define CODE_FORM_H

#include "code_head.h"

struct program_code;

/* Target and options for which the driver's input is made. */
typedef struct code_target {
  int capability;     /* of the GPU, 90 for sm_90 */
  pi_uint32 level;    /* of optimisation, 0 to 3 */
  bool is_part;       /* the code is, or will be, one input of a link */
  bool no_offset;     /* kernels' variants for launches with an offset may be left out */
  const char *kernel; /* the only kernel to generate from SPIR-V; NULL: all */
} code_target;

/* Input of a driver's compiler, with the constants' values. Free it with code_product_free. */
typedef struct code_product {
  code_kind kind;
  const unsigned char *bytes; /* PTX ends with a zero byte */
  size_t size;                /* including that byte */
  size_t plain_size;          /* up to the kernels' variants for launches with an offset */
  unsigned char *made;        /* bytes, if they have to be freed; NULL: they are the program's */
  struct code_info *info;     /* the kernels of generated PTX; NULL: as in the program */
} code_product;

typedef struct code_form {
  code_kind kind;     /* of code in this form */
  const char *name;   /* in messages: "fat binaries" */
  const char *origin; /* origin of such a program, in messages: "created from a cubin" */
  const char *fixed;  /* why its constants cannot be set; NULL: they can be set */
  bool is_compiled;   /* piProgramCompile takes it, and all its kernels are known */
  bool is_built;      /* it needs no build */
  /*
   * Fills in the kernels and constants that a new program's code declares. NULL: such code declares
   * none. PI_ERROR_INVALID_VALUE or PI_ERROR_INVALID_BINARY: the code is damaged.
   * PI_ERROR_OUT_OF_HOST_MEMORY.
   */
  pi_result (*read)(struct program_code *code);
  /*
   * Makes the driver's input from the code and a block of all values. NULL: the driver gets the
   * code unchanged, and the values separately. PI_ERROR_BUILD_PROGRAM_FAILURE: the input cannot be
   * made. PI_ERROR_OUT_OF_HOST_MEMORY.
   */
  pi_result (*specialise)(const struct program_code *code, const unsigned char *values,
                          const code_target *target, code_product *ret);
  /* Frees the members of program_code that only this form uses. NULL: there are none. */
  void (*close)(struct program_code *code);
} code_form;

/* All forms. SPIR-V has three, because some drivers take SPIR-V and others PTX made from it. */
extern const code_form code_form_ptx;       /* ptx_form.c */
extern const code_form code_form_cubin;     /* cubin_form.c */
extern const code_form code_form_fatbin;    /* cubin_form.c */
extern const code_form code_form_spirv;     /* spirv_form.c */
extern const code_form code_form_generated; /* SPIR-V translated to PTX: generated_form.c */
extern const code_form code_form_joined;    /* several linked SPIR-V modules, translated later */

#endif
