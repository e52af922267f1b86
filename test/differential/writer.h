/* Declarations for the writers of statements and expressions of a kernel. */
#ifndef DIFFERENTIAL_WRITER_H
#define DIFFERENTIAL_WRITER_H

#include "../property/random.h"
#include "kernel.h"

#include <stdio.h>

/* X(NAME, name, unsigned integer and signed integer of the same size, bits, has a sign, is
 * floating). */
#define NUMBERS(X)                                                                                 \
  X(U8, "uchar", U8, I8, 8, false, false)                                                          \
  X(I8, "char", U8, I8, 8, true, false)                                                            \
  X(U16, "ushort", U16, I16, 16, false, false)                                                     \
  X(I16, "short", U16, I16, 16, true, false)                                                       \
  X(U32, "uint", U32, I32, 32, false, false)                                                       \
  X(I32, "int", U32, I32, 32, true, false)                                                         \
  X(U64, "ulong", U64, I64, 64, false, false)                                                      \
  X(I64, "long", U64, I64, 64, true, false)                                                        \
  X(FLOAT, "float", U32, I32, 32, true, true)                                                      \
  X(DOUBLE, "double", U64, I64, 64, true, true)

typedef enum number {
#define NUMBER(NAME, name, u, s, bits, has_sign, floating) NUMBER_##NAME,
  NUMBERS(NUMBER)
#undef NUMBER
      NUMBER_COUNT
} number;

typedef struct number_facts {
  const char *name;
  number without_sign, with_sign;
  uint32_t bits;
  bool has_sign, floating;
} number_facts;

extern const number_facts numbers[NUMBER_COUNT];

/* The type of an expression: a number, or a vector of width numbers. */
typedef struct form {
  number of;
  uint32_t width;
} form;

/* Returns the form's name in OpenCL C, until memory_free_all. */
const char *form_name(form form);

enum { VARIABLES_MAX = 12, ARRAY = 8, FUNCTIONS_MAX = 3, PARAMETERS_MAX = 4 };

typedef struct function {
  form result;
  uint32_t count;
  form parameters[PARAMETERS_MAX];
} function;

typedef struct writer {
  kernel *of;
  generator from;
  FILE *to;      /* the output; nowhere inside of parts that are left out */
  FILE *nowhere; /* /dev/null */
  uint32_t count;
  form variables[VARIABLES_MAX]; /* v0 and so on */
  uint32_t functions_known;
  function functions[FUNCTIONS_MAX]; /* f<kernel>_0 and so on */
  uint32_t loops;                    /* number of loops so far; their variables are l1 and so on */
  uint32_t open[8];                  /* the enclosing loops, by depth */
  uint32_t depth;                    /* of nested blocks */
  bool uniform;                      /* all items of the group run the current code */
  bool in_function;                  /* only parameters can be used */
} writer;

/* A part of the text. Between part_begin and part_end nothing is written if it is left out. */
typedef struct part {
  FILE *before;
  bool without;
} part;
part part_begin(writer *writer);
void part_end(writer *writer, part at);

form form_random(writer *writer, bool scalar);

/* Writes an expression of a form. */
void expression_write(writer *writer, form of, uint32_t depth);
/* Writes a condition, an int that is 0 or not. */
void condition_write(writer *writer, uint32_t depth);

/* Writes a block of count statements. */
void statements_write(writer *writer, uint32_t count);

#endif
