#define _GNU_SOURCE /* memfd_create, closefrom */
#include "codegen.h"

#include "../base/error.h"
#include "codegen_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process. */
typedef struct worker {
  pid_t process;
  int socket;
  int log;   /* memory that its output goes to */
  bool used; /* it has built before */
  struct worker *next;
} worker;

struct codegen {
  pthread_mutex_t lock;
  worker *idle;
  pid_t owner; /* whose processes these are: another one after a fork */
  pi_uint32 limit_ms;
  char program[];
};

/* ---- Processes ---- */

/* A descriptor above those that a process has, so that giving it those overwrites none. */
static int raise_descriptor(int low) {
  if (low < 0)
    return low;
  const int raised = fcntl(low, F_DUPFD_CLOEXEC, 16);
  close(low);
  return raised;
}

static int set_actions(posix_spawn_file_actions_t *actions, int socket, int log) {
  const struct {
    int from, to;
  } moves[] = {{log, STDOUT_FILENO}, {log, STDERR_FILENO}, {socket, 3}};
  int reason = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (size_t i = 0; i < sizeof moves / sizeof moves[0] && !reason; i++)
    reason = posix_spawn_file_actions_adddup2(actions, moves[i].from, moves[i].to);
  if (!reason)
    reason = posix_spawn_file_actions_addclosefrom_np(actions, 4);
  return reason ? reason : posix_spawn_file_actions_addchdir_np(actions, "/");
}

/* No signal is blocked or ignored there, and none that is meant for the terminal's job comes. */
static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  int reason = posix_spawnattr_setsigmask(attributes, &none);
  if (!reason)
    reason = posix_spawnattr_setsigdefault(attributes, &all);
  return reason
             ? reason
             : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                        POSIX_SPAWN_SETPGROUP);
}

static int spawn_process(const char *program, int socket, int log, pid_t *ret) {
  char *const arguments[] = {"specpi-codegen", "--serve", NULL};
  char *const environment[] = {NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason)
    return reason;
  reason = posix_spawnattr_init(&attributes);
  if (!reason) {
    reason = set_actions(&actions, socket, log);
    if (!reason)
      reason = set_attributes(&attributes);
    if (!reason)
      reason = posix_spawn(ret, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

/* Starts a process over descriptors; a reason why not. Those that are there are the caller's. */
static int open_worker(const char *program, worker *it) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
    return errno;
  it->socket = raise_descriptor(pair[0]);
  const int theirs = raise_descriptor(pair[1]);
  it->log = raise_descriptor(memfd_create("specpi-codegen", MFD_CLOEXEC));
  const bool opened = it->socket >= 0 && theirs >= 0 && it->log >= 0;
  const int reason = opened ? spawn_process(program, theirs, it->log, &it->process) : errno;
  if (theirs >= 0)
    close(theirs);
  return reason;
}

static void close_worker(worker *it) {
  if (it->socket >= 0)
    close(it->socket);
  if (it->log >= 0)
    close(it->log);
  free(it);
}

static pi_result start_worker(const codegen *generators, worker **ret) {
  worker *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a code generator");
  made->socket = made->log = -1;
  const int reason = open_worker(generators->program, made);
  if (reason)
    close_worker(made);
  REQUIRE(!reason, PI_ERROR_OUT_OF_RESOURCES, "the code generator '%s' cannot be started: %s",
          generators->program, strerror(reason));
  *ret = made;
  return PI_SUCCESS;
}

/* Ends a process, and says with what it ended; false where nobody knows. */
static bool end_worker(worker *it, int *status) {
  kill(it->process, SIGKILL);
  pid_t ended;
  do
    ended = waitpid(it->process, status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == it->process;
}

/* A process that is idle, or a new one. */
static pi_result take_worker(codegen *generators, worker **ret) {
  pthread_mutex_lock(&generators->lock);
  if (generators->owner != getpid()) {
    /* Those of the process that this one is a copy of, which goes on using them. */
    for (worker *it; (it = generators->idle);) {
      generators->idle = it->next;
      close_worker(it);
    }
    generators->owner = getpid();
  }
  worker *idle = generators->idle;
  if (idle)
    generators->idle = idle->next;
  pthread_mutex_unlock(&generators->lock);
  if (!idle)
    return start_worker(generators, ret);
  *ret = idle;
  return PI_SUCCESS;
}

static void keep_worker(codegen *generators, worker *it) {
  it->used = true;
  pthread_mutex_lock(&generators->lock);
  it->next = generators->idle;
  generators->idle = it;
  pthread_mutex_unlock(&generators->lock);
}

/* ---- A build ---- */

/* A module with its values, and whether there is another one. */
static void write_module(const codegen_request *request, codegen_frame *to) {
  codegen_frame_put(to, request->module, request->size);
  codegen_frame_put_number(to, (pi_uint32)request->value_count);
  for (size_t i = 0; i < request->value_count; i++) {
    codegen_frame_put_number(to, request->values[i].id);
    codegen_frame_put(to, request->values[i].bytes, request->values[i].size);
  }
  codegen_frame_put_number(to, request->also != NULL);
}

static void write_request(const codegen_request *request, codegen_frame *to) {
  codegen_frame_put(to, request->gpu, strlen(request->gpu) + 1);
  codegen_frame_put_number(to, request->optimization);
  codegen_frame_put_number(to, request->no_offset);
  codegen_frame_put_number(to, request->is_part);
  codegen_frame_put_number(to, request->libdevice != NULL);
  if (request->libdevice)
    codegen_frame_put(to, request->libdevice, strlen(request->libdevice) + 1);
  for (const codegen_request *it = request; it; it = it->also)
    write_module(it, to);
}

/* What the process printed, which the caller frees; NULL without memory. */
static char *read_log(const worker *it) {
  const off_t end = lseek(it->log, 0, SEEK_END);
  const size_t size = end < 0 ? 0 : end < 65536 ? (size_t)end : 65536;
  char *text = malloc(size + 1);
  if (!text)
    return NULL;
  const ssize_t read = pread(it->log, text, size, 0);
  text[read > 0 ? read : 0] = '\0';
  return text;
}

/* What an answer says, or that it is none. */
static pi_result read_answer(const worker *it, codegen_fields fields, codegen_answer *ret) {
  pi_uint32 code;
  const char *message;
  const char *ptx;
  const bool whole = codegen_fields_take_number(&fields, &code) &&
                     codegen_fields_take_text(&fields, &message) &&
                     codegen_fields_take_text(&fields, &ptx);
  REQUIRE(whole, PI_ERROR_BUILD_PROGRAM_FAILURE, "the code generator's answer is none");
  REQUIRE((pi_result)code == PI_SUCCESS, (pi_result)code, "%s", message);
  codegen_answer made = {.size = strlen(ptx)};
  made.ptx = strdup(ptx);
  made.log = read_log(it);
  if (!made.ptx || !made.log) {
    free(made.ptx);
    free(made.log);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of PTX", made.size);
  }
  *ret = made;
  return PI_SUCCESS;
}

/* The sentence about a process that did not answer, which is ended. */
static pi_result explain_end(const codegen *generators, worker *it, int reason) {
  int status = 0;
  const pi_result code =
      reason == ENOMEM ? PI_ERROR_OUT_OF_HOST_MEMORY : PI_ERROR_BUILD_PROGRAM_FAILURE;
  const bool known = end_worker(it, &status);
  char *log = read_log(it);
  if (log)
    log[strcspn(log, "\n")] = '\0';
  const char *words = log && *log ? log : "it printed nothing";
  if (reason == ETIMEDOUT)
    plugin_error(code, "the code generator took more than %u ms and was stopped",
                 generators->limit_ms);
  else if (reason != EPIPE)
    plugin_error(code, "the code generator cannot be reached: %s", strerror(reason));
  else if (known && WIFSIGNALED(status))
    plugin_error(code, "the code generator was ended by signal %d (%s): %s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), words);
  else
    plugin_error(code, "the code generator ended with exit status %d: %s",
                 known ? WEXITSTATUS(status) : 0, words);
  free(log);
  close_worker(it);
  return code;
}

/* 0, or why there is no answer. */
static int exchange_frames(const worker *it, const codegen_frame *request, pi_uint64 deadline,
                           unsigned char **ret, size_t *size) {
  if (ftruncate(it->log, 0) || lseek(it->log, 0, SEEK_SET))
    return errno;
  const int reason = codegen_frame_send(it->socket, request->bytes, request->size, deadline);
  return reason ? reason : codegen_frame_receive_all(it->socket, deadline, ret, size);
}

static pi_result build_with(codegen *generators, const codegen_frame *request,
                            codegen_answer *ret) {
  const pi_uint64 deadline = codegen_frame_now() + generators->limit_ms;
  unsigned char *bytes = NULL;
  size_t size = 0;
  while (true) {
    worker *it;
    TRY(take_worker(generators, &it));
    const int reason = exchange_frames(it, request, deadline, &bytes, &size);
    /* One that has been idle may have been ended by anybody; a new one ends by this build. */
    const bool again = reason == EPIPE && it->used;
    pi_result result = PI_SUCCESS;
    if (reason) {
      result = explain_end(generators, it, reason);
    } else {
      result = read_answer(it, (codegen_fields){bytes, size}, ret);
      keep_worker(generators, it);
      free(bytes);
    }
    if (!again)
      return result;
  }
}

pi_result codegen_build(codegen *generators, const codegen_request *request, codegen_answer *ret) {
  codegen_frame frame = {0};
  write_request(request, &frame);
  const pi_result result =
      frame.failed
          ? plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY,
                         "no memory for the request of a build of %zu bytes", request->size)
          : build_with(generators, &frame, ret);
  free(frame.bytes);
  return result;
}

/* ---- All of them ---- */

pi_result codegen_create(const char *program, pi_uint32 limit_ms, codegen **ret) {
  const size_t size = strlen(program) + 1;
  codegen *made = calloc(1, sizeof *made + size);
  REQUIRE_MEMORY(made, "code generators");
  pthread_mutex_init(&made->lock, NULL);
  made->owner = getpid();
  made->limit_ms = limit_ms;
  memcpy(made->program, program, size);
  *ret = made;
  return PI_SUCCESS;
}

void codegen_free(codegen *generators) {
  if (!generators)
    return;
  for (worker *it; (it = generators->idle);) {
    int status;
    generators->idle = it->next;
    if (generators->owner == getpid())
      end_worker(it, &status);
    close_worker(it);
  }
  pthread_mutex_destroy(&generators->lock);
  free(generators);
}
