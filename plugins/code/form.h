/*
 * Forms of code: what programs are made of. A driver has a row for each form that it takes, and all
 * that is asked of a form is asked of its row; a new form is a row more.
 */
#ifndef PI_CODE_FORM_H
#define PI_CODE_FORM_H

#include <pi/pi.h>

typedef struct code_form {
  const char *origin; /* how a program came to it, for sentences: "created from a cubin" */
  const char *fixed;  /* why its constants cannot be set; NULL: they can, if it declares them */
  bool is_compiled;   /* it is code that piProgramCompile takes */
  bool is_built;      /* there is nothing that a build could do */
  /* Fills in what a new program's code says of kernels and constants; NULL: it says nothing. */
  pi_result (*read)(pi_program program);
} code_form;

#endif
