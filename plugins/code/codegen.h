/*
 * The code generator specpi-codegen, which translates SPIR-V to PTX. It runs in separate processes,
 * so that LLVM is never loaded into the application's. If a process aborts or hangs, the build
 * fails with a message.
 */
#ifndef CODE_CODEGEN_H
#define CODE_CODEGEN_H

#include <pi/pi.h>

#include <pthread.h>

/* The value of a specialization constant. */
typedef struct codegen_value {
  pi_uint32 id;
  pi_uint32 size;             /* number of bytes */
  const unsigned char *bytes; /* little endian */
} codegen_value;

typedef struct codegen_request {
  const void *module; /* SPIR-V, or LLVM bitcode for spir64 or nvptx64 */
  size_t size;
  const codegen_value *values; /* none for LLVM bitcode */
  size_t value_count;
  const char *gpu;        /* "sm_90" */
  pi_uint32 optimization; /* 0 to 3 */
  const char *libdevice;  /* path; NULL: the one of a CUDA toolkit, "": none */
  bool no_offset;         /* leave out the kernels' variants for launches with an offset */
  /* The PTX will be linked: exports stay visible, and another part may define missing functions. */
  bool is_part;
  /* Only check a SPIR-V module, and make no PTX. Its kernels are built later. */
  bool is_check;
  /* The next module of the same program, or NULL. Only its module and its values are used. */
  const struct codegen_request *also;
} codegen_request;

/* Result of a build. The caller frees both strings. */
typedef struct codegen_answer {
  char *ptx;
  size_t size;
  char *log; /* output of the generator during the build, usually "" */
} codegen_answer;

/*
 * A pool of generator processes, at most one for each build that ran at the same time. An idle
 * process waits for the next build with the same rights (base/rights.h). If the processes would
 * become children of this one (child_adopts_orphans), each ends after its build instead.
 */
typedef struct codegen {
  pthread_mutex_t lock;
  const char *program;
  pi_uint32 limit_ms;
  pid_t owner; /* process that started the idle ones; in a forked child not this process */
  bool is_closed;
  struct codegen_worker *idle;
} codegen;

/*
 * Prepares an empty pool for the generator at this absolute path. The string is not copied.
 * limit_ms is the time limit of each build.
 */
void codegen_open(codegen *ret, const char *program, pi_uint32 limit_ms);

/*
 * Ends the idle processes. Other threads may still be building, or begin to, for example during
 * exit(). Each such build ends its own process.
 */
void codegen_close(codegen *generators);

/*
 * codegen_create allocates and opens a pool. codegen_free closes and frees it; NULL is ignored, and
 * no build may run meanwhile.
 */
pi_result codegen_create(const char *program, pi_uint32 limit_ms, codegen **ret);
void codegen_free(codegen *generators);

/*
 * Builds PTX in a generator process. Any thread may call it. A generator process inherits only
 * /dev/null, a socket, the memfd of its log, a descriptor that reports the end of this process, and
 * a pipe for its exit status. It has no environment, ends when this process does, and no wait() of
 * this process reports it.
 *
 * PI_ERROR_BUILD_PROGRAM_FAILURE: the module cannot be translated, or the generator failed or took
 * longer than the limit. PI_ERROR_INVALID_VALUE: the request is malformed.
 * PI_ERROR_OUT_OF_RESOURCES: no process can be started. PI_ERROR_OUT_OF_HOST_MEMORY.
 */
pi_result codegen_build(codegen *generators, const codegen_request *request, codegen_answer *ret);

#endif
