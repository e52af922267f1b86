/* Finds the calls that read specialization constants, and copies a module without them. */
#ifndef SYCL_JIT_READS_H
#define SYCL_JIT_READS_H

#include "../spirv/word_output.h"
#include "module.h"

/* A call that reads a constant. */
typedef struct jit_read {
  const char *name;     /* the symbolic id; owned by jit_reads, valid until the next read */
  uint32_t type;        /* id of the constant's type */
  uint32_t size;        /* size of the type in bytes */
  unsigned char *bytes; /* the default; the caller frees it */
  bool is_composite;
  bool is_stored;  /* stored through a pointer; numbers and vectors are the call's result */
  uint32_t result; /* id of the call's result */
  uint32_t to;     /* id of the pointer */
  uint32_t reader; /* id of the called function */
} jit_read;

/* State of a walk through a module. */
typedef struct jit_reads {
  jit_module *module;
  uint32_t *gone; /* sorted ids of the readers and their parameters, which are removed */
  size_t gone_count;
  char *name;
  uint32_t function; /* id of the current function; 0 before the first one */
  uint32_t set;      /* id of the import of debug information */
  const char *file;  /* file of the latest line */
  uint32_t line;     /* the latest line; 0 if unknown */
  uint32_t inlined;  /* id of the place where current code was inlined; 0 if it was not */
  bool is_inside_gone;
} jit_reads;

/* Starts a walk. The caller calls jit_reads_free, also after an error. OUT_OF_MEMORY. */
specpi_compiler_result jit_reads_open(jit_module *module, jit_reads *ret);
void jit_reads_free(jit_reads *reads);

/* Visits the next instruction, and reports whether it reads a constant. Errors are those of
 * jit_constants_lower. */
specpi_compiler_result jit_reads_next(jit_reads *reads, const spirv_instruction *at, jit_read *ret,
                                      bool *is_read);

/* Writes the current place, truncated to size: "x.cpp:7: function 'f'", or just the function if the
 * line is unknown. */
void jit_reads_where(const jit_reads *reads, char *ret, size_t size);

/*
 * Returns the C++ type that a reader returns, from its mangled name; the caller frees it. NULL if
 * the name has no type, or memory is exhausted.
 */
char *jit_reads_type(const jit_reads *reads, uint32_t reader);

/* Returns whether the instruction that was just visited only belongs to readers, or is only for
 * debuggers. */
bool jit_reads_drops(const jit_reads *reads, const spirv_instruction *at);

/* Copies an instruction that is not dropped. */
void jit_reads_copy(const jit_reads *reads, const spirv_instruction *at, word_output *to);

#endif
