/*
 * The code generator specpi-codegen, which makes PTX of SPIR-V, in processes of its own: LLVM never
 * enters the application's. If one aborts or hangs, the build fails with a message.
 */
#ifndef CODE_CODEGEN_H
#define CODE_CODEGEN_H

#include <pi/pi.h>

#include <pthread.h>

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
  bool no_offset;         /* no entries for launches with an offset (docs/internals/ptx.md) */
  bool is_part;  /* of a link: exports stay visible, another part may define what is missing */
  bool is_check; /* of a SPIR-V module whose kernels are built later: no PTX is wanted */
  /* Another module of the same program, or NULL; only its module and its values count. */
  const struct codegen_request *also;
} codegen_request;

/* Results of a build; each ends with a NUL and is freed by the caller. */
typedef struct codegen_answer {
  char *ptx;
  size_t size;
  char *log; /* what the generator printed meanwhile; "" mostly */
} codegen_answer;

/*
 * At most as many processes as there were builds at the same time. They stay for the next builds
 * with the same rights (base/rights.h). Where they would become children of this process after all
 * (base/child.h), each ends with its build.
 */
typedef struct codegen {
  pthread_mutex_t lock;
  const char *program;
  pi_uint32 limit_ms;
  pid_t owner; /* process that these belong to: another one after a fork */
  bool is_closed;
  struct codegen_worker *idle;
} codegen;

/*
 * Prepares processes of a program, whose absolute path stays the caller's, with a time limit for
 * each build. Starts none yet.
 */
void codegen_open(codegen *ret, const char *program, pi_uint32 limit_ms);

/*
 * Ends the processes without waiting. Builds may run beside it and after it, as threads do beside
 * exit(): each then ends its own process.
 */
void codegen_close(codegen *generators);

/* The same with memory that codegen_free frees; nothing may run beside that. NULL is fine. */
pi_result codegen_create(const char *program, pi_uint32 limit_ms, codegen **ret);
void codegen_free(codegen *generators);

/*
 * Builds, in any thread. A process gets only these from this one: /dev/null, a socket, the memory
 * for its log, a descriptor that reports the end of this process, and one that reports how it ended
 * itself. It has no environment, ends when this process does, and no wait() of this process reports
 * it.
 *
 * PI_ERROR_BUILD_PROGRAM_FAILURE: there is no PTX for the module; the generator failed, or took
 * longer than the limit. PI_ERROR_INVALID_VALUE: the request is none.
 * PI_ERROR_OUT_OF_RESOURCES: no process can be started. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result codegen_build(codegen *generators, const codegen_request *request, codegen_answer *ret);

#endif
