/* The calls of a module that read specialization constants, and what is left of it without them. */
#ifndef SYCL_JIT_READS_H
#define SYCL_JIT_READS_H

#include "../spirv/word_output.h"
#include "module.h"

/* A call that reads a constant. */
typedef struct jit_read {
  const char *name;     /* the symbolic id, in reads until the next one */
  uint32_t type;        /* the id of the constant's type */
  uint32_t size;        /* of that, in bytes */
  unsigned char *bytes; /* its default; the caller frees it */
  bool is_composite;
  bool is_stored;  /* through a pointer; numbers and vectors are the call's result */
  uint32_t result; /* its id */
  uint32_t to;     /* the pointer's id */
  uint32_t reader; /* the id of the function that is called */
} jit_read;

/* Where a walk through a module is. */
typedef struct jit_reads {
  jit_module *module;
  uint32_t *gone; /* ids of the functions that are called, and of their parameters: sorted */
  size_t gone_count;
  char *name;
  uint32_t function; /* that the walk is in; 0: none */
  uint32_t set;      /* of debug information */
  const char *file;  /* of the latest line */
  uint32_t line;     /* 0: none is known */
  uint32_t inlined;  /* the id of where the code at hand was inlined; 0: it was not */
  bool is_inside_gone;
} jit_reads;

/* Begins. OUT_OF_MEMORY. jit_reads_free is needed in any case. */
specpi_compiler_result jit_reads_open(jit_module *module, jit_reads *ret);
void jit_reads_free(jit_reads *reads);

/* Looks at the next instruction. Errors are those of jit_constants_lower. */
specpi_compiler_result jit_reads_next(jit_reads *reads, const spirv_instruction *at, jit_read *ret,
                                      bool *is_read);

/* Writes where the walk is, cut at size: "x.cpp:7: function 'f'"; without lines, the function. */
void jit_reads_where(const jit_reads *reads, char *ret, size_t size);

/*
 * Returns the C++ type that a function reads, as its name says it, in new memory; NULL: it does not
 * say any, or there is no memory.
 */
char *jit_reads_type(const jit_reads *reads, uint32_t reader);

/* Returns whether an instruction that was just looked at is about those functions alone, or for
 * debuggers.
 */
bool jit_reads_drops(const jit_reads *reads, const spirv_instruction *at);

/* Copies another one. */
void jit_reads_copy(const jit_reads *reads, const spirv_instruction *at, word_output *to);

#endif
