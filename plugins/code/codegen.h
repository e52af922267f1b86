/*
 * The code generator specpi-codegen, which makes PTX of SPIR-V, as processes of its own: LLVM never
 * enters the application's. What aborts or hangs there is an error with a sentence.
 */
#ifndef CODE_CODEGEN_H
#define CODE_CODEGEN_H

#include <pi/pi.h>

/* The value of a specialization constant. */
typedef struct codegen_value {
  pi_uint32 id;
  pi_uint32 size; /* of bytes, which are little endian */
  const unsigned char *bytes;
} codegen_value;

typedef struct codegen_request {
  const void *module; /* SPIR-V, or LLVM bitcode for spir64 or nvptx64 */
  size_t size;
  const codegen_value *values; /* of SPIR-V only */
  size_t value_count;
  const char *gpu;        /* "sm_90" */
  pi_uint32 optimization; /* 0 to 3 */
  const char *libdevice;  /* its path; NULL: where a CUDA toolkit has it, "": none */
  bool no_offset;         /* no entries for launches with an offset (docs/ptx.md) */
  bool is_part; /* of a link: what it exports can be seen, what it lacks is another's to define */
  /* NULL, or another module of the same program, of which the module and its values count. */
  const struct codegen_request *also;
} codegen_request;

/* What came of it, each ends with a NUL and is freed by the caller. */
typedef struct codegen_answer {
  char *ptx;
  size_t size;
  char *log; /* what the generator printed meanwhile; "" mostly */
} codegen_answer;

/* Up to as many processes as there were builds at the same time, which stay for the next ones. */
typedef struct codegen codegen;

/*
 * Of a program, whose path is absolute, with a time limit for each build; no process is started
 * yet. *ret is freed with codegen_free. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result codegen_create(const char *program, pi_uint32 limit_ms, codegen **ret);

/* Ends the processes; nothing may run beside it. NULL is fine. */
void codegen_free(codegen *generators);

/*
 * Builds, in any thread. A process has of this one: /dev/null, a socket, the memory for its log. It
 * has no environment and ends when this process does.
 *
 * PI_ERROR_BUILD_PROGRAM_FAILURE: there is no PTX for the module; the generator failed, or took
 * longer than the limit. PI_ERROR_INVALID_VALUE: the request is none.
 * PI_ERROR_OUT_OF_RESOURCES: no process can be started. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result codegen_build(codegen *generators, const codegen_request *request, codegen_answer *ret);

#endif
