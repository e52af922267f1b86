#define _GNU_SOURCE /* POLLRDHUP */
#include "serve.h"

#include "../../plugins/base/child.h"
#include "../../plugins/code/codegen_frame.h"
#include "build.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER
#endif
#endif

/*
 * Limit of memory in bytes, because a damaged module can make LLVM allocate without end. A large
 * module takes about 200 MB.
 */
#define MEMORY_MAX (4ULL << 30)
/* Limit of printed text in bytes. The parent keeps the text in memory. */
#define LOG_MAX (64U << 20)
/* Smallest size of a value in a frame: two lengths and an id. */
#define VALUE_SIZE 20

static int complain(const char *what, const char *why) {
  fprintf(stderr, "specpi-codegen: %s: %s\n", what, why);
  return 1;
}

/* ---- The parent ---- */

/*
 * Waits until the builder process ends, and returns its status. Kills the builder, even during a
 * build, if the socket is closed or the parent ends. CODEGEN_PARENT shows the parent's end; the
 * socket does not, because a fork of the parent may still have it open, and PR_SET_PDEATHSIG would
 * react to the end of the thread that started this process.
 */
static int watch_builder(pid_t builder) {
  const int ended = (int)syscall(SYS_pidfd_open, builder, 0);
  struct pollfd ends[] = {{.fd = CODEGEN_SOCKET, .events = POLLRDHUP},
                          {.fd = CODEGEN_PARENT, .events = POLLIN},
                          {.fd = ended, .events = POLLIN}};
  int status = 0;
  while (waitpid(builder, &status, WNOHANG) == 0) {
    poll(ends, 3, ended < 0 ? 20 : -1);
    if (ends[0].revents != 0 || ends[1].revents != 0)
      kill(builder, SIGKILL);
  }
  return status;
}

/* ---- A request ---- */

char *serve_own_path(void) {
  return realpath((const char *)(uintptr_t)getauxval(AT_EXECFN), NULL);
}

bool serve_find_libraries(serve_libraries *ret) {
  static const char *const names[SERVE_LIBRARY_COUNT] = {
#define SERVE_LIBRARY(name) name,
      SERVE_LIBRARIES(SERVE_LIBRARY)
#undef SERVE_LIBRARY
  };
  char *program = serve_own_path();
  if (!program)
    return false;
  *strrchr(program, '/') = '\0';
  for (size_t i = 0; i < SERVE_LIBRARY_COUNT; i++) {
    snprintf(ret->paths[i], sizeof ret->paths[i], "%s/%s", program, names[i]);
    ret->list[i] = ret->paths[i];
  }
  free(program);
  return true;
}

static bool read_values(codegen_fields *from, uint32_t count, codegen_value *values) {
  for (uint32_t i = 0; i < count; i++) {
    const void *bytes;
    size_t size;
    if (!codegen_fields_take_number(from, &values[i].id) ||
        !codegen_fields_take(from, &bytes, &size) || size > 8)
      return false;
    values[i].bytes = bytes;
    values[i].size = (uint32_t)size;
  }
  return true;
}

/* Reads a module with its values, and whether another module follows. */
static bool read_one(codegen_fields *from, codegen_request *to, uint32_t *has_more) {
  uint32_t count;
  if (!codegen_fields_take(from, &to->module, &to->size) ||
      !codegen_fields_take_number(from, &count) || count > from->size / VALUE_SIZE)
    return false;
  codegen_value *values = calloc(count + 1u, sizeof *values);
  to->values = values;
  to->value_count = count;
  return values != NULL && read_values(from, count, values) &&
         codegen_fields_take_number(from, has_more);
}

static void free_modules(const codegen_request *first) {
  free((void *)first->values);
  for (const codegen_request *request = first->also, *next; request != NULL; request = next) {
    next = request->also;
    free((void *)request->values);
    free((void *)request);
  }
}

/* Reads all modules of a request. */
static bool read_modules(codegen_fields *from, codegen_request *first) {
  uint32_t has_more;
  codegen_request *last = first;
  while (read_one(from, last, &has_more)) {
    if (has_more == 0)
      return true;
    codegen_request *next = calloc(1, sizeof *next);
    if (next == NULL)
      return false;
    last->also = next;
    last = next;
  }
  return false;
}

/* Reads a request; false if it is damaged. The caller frees ret's modules in any case. */
static bool read_request(codegen_fields from, build_request *ret) {
  uint32_t no_offset;
  uint32_t is_part;
  uint32_t is_check;
  uint32_t has_libdevice;
  codegen_request *to = &ret->request;
  const bool whole = codegen_fields_take_text(&from, &to->gpu) &&
                     codegen_fields_take_number(&from, &to->optimization) &&
                     codegen_fields_take_number(&from, &no_offset) &&
                     codegen_fields_take_number(&from, &is_part) &&
                     codegen_fields_take_number(&from, &is_check) &&
                     codegen_fields_take_number(&from, &has_libdevice) &&
                     (has_libdevice == 0 || codegen_fields_take_text(&from, &to->libdevice));
  if (!whole)
    return false;
  to->no_offset = no_offset != 0;
  to->is_part = is_part != 0;
  to->is_check = is_check != 0;
  return read_modules(&from, to);
}

static pi_result answer_code(specpi_compiler_result result) {
  switch (result) {
  case SPECPI_COMPILER_SUCCESS:
    return PI_SUCCESS;
  case SPECPI_COMPILER_ERROR_OUT_OF_MEMORY:
    return PI_ERROR_OUT_OF_HOST_MEMORY;
  case SPECPI_COMPILER_ERROR_INVALID_ARGUMENT:
    return PI_ERROR_INVALID_VALUE;
  default:
    return PI_ERROR_BUILD_PROGRAM_FAILURE;
  }
}

/* Builds, and sends the answer. Returns 0, or nonzero if the process cannot answer another request.
 */
static int answer_request(int socket, const unsigned char *bytes, size_t size,
                          const serve_libraries *libraries) {
  build_request request = {.libraries = libraries->list, .library_count = SERVE_LIBRARY_COUNT};
  char *ptx = NULL;
  size_t ptx_size = 0;
  specpi_compiler_result result = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  const char *message = "the request of a build is damaged";
  if (read_request((codegen_fields){bytes, size}, &request)) {
    result = build_ptx(&request, &ptx, &ptx_size);
    message = result == SPECPI_COMPILER_SUCCESS ? "" : specpiCompilerGetLastError();
  }
  codegen_frame answer = {0};
  codegen_frame_put_number(&answer, (uint32_t)answer_code(result));
  codegen_frame_put(&answer, message, strlen(message) + 1);
  codegen_frame_put(&answer, ptx ? ptx : "", ptx_size + 1);
  const int reason = answer.failed ? 1 : codegen_frame_send(socket, answer.bytes, answer.size, 0);
  free(answer.bytes);
  free(ptx);
  free_modules(&request.request);
  /* LLVM cannot be used for another build after a fatal error in it. */
  return result == SPECPI_COMPILER_ERROR_INTERNAL ? 1 : reason;
}

/*
 * Limits the resources of a build. Sanitizers' own memory counts, too, and exceeds the limit, so
 * builds with a sanitizer have no limit of memory.
 */
static void limit_process(void) {
  const struct rlimit no_core = {0, 0};
  const struct rlimit log = {LOG_MAX, LOG_MAX};
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_FSIZE, &log);
#ifndef HAS_SANITIZER
  const struct rlimit memory = {MEMORY_MAX, MEMORY_MAX};
  setrlimit(RLIMIT_DATA, &memory);
#endif
}

/* Answers requests that come through a socket, until its other end is closed. */
static int serve_requests(int socket) {
  serve_libraries libraries;
  limit_process();
  if (!serve_find_libraries(&libraries))
    return complain("its own directory cannot be found", strerror(errno));
  while (true) {
    unsigned char *bytes;
    size_t size;
    if (codegen_frame_receive_all(socket, 0, &bytes, &size))
      return 0;
    const int reason = answer_request(socket, bytes, size, &libraries);
    free(bytes);
    if (reason)
      return 1;
  }
}

int serve_process(void) {
  const pid_t self = getpid();
  const pid_t builder = child_fork();
  if (builder < 0)
    return complain("no process can be started", strerror(errno));
  if (builder > 0) {
    const int status = watch_builder(builder);
    _exit(write(CODEGEN_STATUS, &status, sizeof status) != (ssize_t)sizeof status);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != self)
    return 1;
  close(CODEGEN_PARENT);
  close(CODEGEN_STATUS);
  /* _exit, because nothing is to be cleaned up: the parent may kill this process at any time. */
  _exit(serve_requests(CODEGEN_SOCKET));
}
