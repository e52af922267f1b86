#define _GNU_SOURCE /* memfd_create, closefrom, pipe2 */
#include "codegen.h"

#include "../base/child.h"
#include "../base/error.h"
#include "../base/rights.h"
#include "codegen_frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Longest wait for the status of a process that has ended. */
enum { STATUS_LIMIT_MS = 2000 };

/* A process of the generator. */
typedef struct codegen_worker {
  int socket;
  int log;       /* memfd that receives its output */
  int status;    /* read end of the pipe on which it reports its exit status */
  int pidfd;     /* -1 if the kernel has no pidfds */
  bool is_used;  /* it has done a build */
  bool is_known; /* rights is valid */
  digest rights; /* of the thread that started it */
  struct codegen_worker *next;
} worker;

/* ---- Processes ---- */

static void close_descriptor(int value) {
  if (value >= 0)
    close(value);
}

/*
 * Moves a descriptor to a number of at least 16. set_actions gives a process descriptors with low
 * numbers, and must not overwrite one that it still has to copy.
 */
static int raise_descriptor(int low) {
  const int raised = low < 0 ? low : fcntl(low, F_DUPFD_CLOEXEC, 16);
  const int reason = errno;
  close_descriptor(low);
  errno = reason;
  return raised;
}

/* Arguments and results of spawn_process. */
typedef struct start {
  const char *program;
  int log, socket, parent, status; /* descriptors for the process */
  int reason;                      /* 0, or errno if it was not started */
  int pidfd;
} start;

static int set_actions(posix_spawn_file_actions_t *actions, const start *start) {
  const struct {
    int from, to;
  } moves[] = {{start->log, STDOUT_FILENO},
               {start->log, STDERR_FILENO},
               {start->socket, CODEGEN_SOCKET},
               {start->parent, CODEGEN_PARENT},
               {start->status, CODEGEN_STATUS}};
  int reason = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (size_t i = 0; i < sizeof moves / sizeof moves[0] && !reason; i++)
    reason = posix_spawn_file_actions_adddup2(actions, moves[i].from, moves[i].to);
  if (!reason)
    reason = posix_spawn_file_actions_addclosefrom_np(actions, CODEGEN_STATUS + 1);
  return reason ? reason : posix_spawn_file_actions_addchdir_np(actions, "/");
}

/*
 * Gives the process default signal handling, and a process group of its own, so that signals of
 * the terminal such as Ctrl+C do not reach it.
 */
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

/*
 * Runs in child_run_aside's process. When that ends, the process started here is no longer a child
 * of the application.
 */
static void spawn_process(void *data) {
  start *start = data;
  char *const arguments[] = {"specpi-codegen", "--serve", NULL};
  char *const environment[] = {NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t process;
  start->reason = posix_spawn_file_actions_init(&actions);
  if (start->reason)
    return;
  start->reason = posix_spawnattr_init(&attributes);
  if (!start->reason) {
    start->reason = set_actions(&actions, start);
    if (!start->reason)
      start->reason = set_attributes(&attributes);
    if (!start->reason)
      start->reason =
          posix_spawn(&process, start->program, &actions, &attributes, arguments, environment);
    if (!start->reason)
      start->pidfd = (int)syscall(SYS_pidfd_open, process, 0);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
}

/* Starts the process of a worker whose descriptors are open. Returns 0 or an error number. */
static int start_process(const char *program, const worker *worker, int socket, int status,
                         int *pidfd) {
  const int self = raise_descriptor((int)syscall(SYS_pidfd_open, getpid(), 0));
  /*
   * Without a pidfd the generator watches whether the read end of the status pipe is closed. That
   * does not happen at the end of this process if a forked one has the read end open, too.
   */
  start order = {.program = program,
                 .log = worker->log,
                 .socket = socket,
                 .parent = self >= 0 ? self : status,
                 .status = status,
                 .pidfd = -1};
  const int reason = child_run_aside(spawn_process, &order);
  if (self >= 0)
    close(self);
  *pidfd = order.pidfd;
  return reason ? reason : order.reason;
}

/*
 * Opens the descriptors of a worker and starts its process. The caller closes the worker, also
 * after a failure. Returns 0 or an error number.
 */
static int open_worker(const char *program, worker *worker) {
  int sockets[2];
  int pipes[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
    return errno;
  worker->socket = raise_descriptor(sockets[0]);
  const int socket = raise_descriptor(sockets[1]);
  if (pipe2(pipes, O_CLOEXEC)) {
    const int reason = errno;
    close_descriptor(socket);
    return reason;
  }
  worker->status = raise_descriptor(pipes[0]);
  const int status = raise_descriptor(pipes[1]);
  worker->log = raise_descriptor(memfd_create("specpi-codegen", MFD_CLOEXEC));
  const bool is_open =
      worker->socket >= 0 && socket >= 0 && worker->status >= 0 && status >= 0 && worker->log >= 0;
  const int reason =
      is_open ? start_process(program, worker, socket, status, &worker->pidfd) : errno;
  close_descriptor(socket);
  close_descriptor(status);
  return reason;
}

/*
 * Frees a worker and closes its descriptors. The generator goes on if another process, such as the
 * parent of this fork, has them open, too.
 */
static void close_worker(worker *worker) {
  const int files[] = {worker->socket, worker->log, worker->status, worker->pidfd};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    close_descriptor(files[i]);
  free(worker);
}

/* Ends a generator by shutting down its socket, because kill() might not be permitted. */
static void end_worker(worker *worker) {
  shutdown(worker->socket, SHUT_RDWR);
  child_reap(worker->pidfd);
  close_worker(worker);
}

static void end_workers(worker *list) {
  for (worker *worker; (worker = list);) {
    list = worker->next;
    end_worker(worker);
  }
}

static pi_result start_worker(const codegen *generators, const digest *rights, worker **ret) {
  worker *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "a code generator");
  made->socket = made->log = made->status = made->pidfd = -1;
  made->is_known = rights != NULL;
  if (rights)
    made->rights = *rights;
  const int reason = open_worker(generators->program, made);
  if (reason)
    close_worker(made);
  REQUIRE(!reason, PI_ERROR_OUT_OF_RESOURCES, "the code generator '%s' cannot be started: %s",
          generators->program, strerror(reason));
  *ret = made;
  return PI_SUCCESS;
}

/*
 * Returns an idle process with these rights, or NULL. Moves the idle processes with other rights
 * that precede it in the list to *others.
 */
static worker *find_worker(codegen *generators, const digest *rights, worker **others) {
  worker *found = NULL;
  pthread_mutex_lock(&generators->lock);
  const bool is_copy = generators->owner != getpid();
  generators->owner = getpid();
  for (worker *worker; !found && (worker = generators->idle);) {
    generators->idle = worker->next;
    if (is_copy) {
      close_worker(worker); /* the parent of this fork still uses it */
    } else if (rights && digest_equal(&worker->rights, rights)) {
      found = worker;
    } else {
      worker->next = *others;
      *others = worker;
    }
  }
  pthread_mutex_unlock(&generators->lock);
  return found;
}

/* Takes an idle process, or starts a new one. */
static pi_result take_worker(codegen *generators, worker **ret) {
  worker *others = NULL;
  digest rights;
  const digest *known = rights_read(&rights) ? &rights : NULL;
  worker *idle = find_worker(generators, known, &others);
  end_workers(others);
  if (!idle)
    return start_worker(generators, known, ret);
  *ret = idle;
  return PI_SUCCESS;
}

/* Keeps a process for later builds, or ends it if it may not stay. */
static void keep_worker(codegen *generators, worker *worker) {
  worker->is_used = true;
  pthread_mutex_lock(&generators->lock);
  const bool may_stay = worker->is_known && !generators->is_closed && !child_adopts_orphans();
  if (may_stay) {
    worker->next = generators->idle;
    generators->idle = worker;
  }
  pthread_mutex_unlock(&generators->lock);
  if (!may_stay)
    end_worker(worker);
}

/* ---- A build ---- */

/* Writes a module, its values, and a flag that says whether another module follows. */
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
  codegen_frame_put_number(to, request->is_check);
  codegen_frame_put_number(to, request->libdevice != NULL);
  if (request->libdevice)
    codegen_frame_put(to, request->libdevice, strlen(request->libdevice) + 1);
  for (const codegen_request *codegen_request = request; codegen_request;
       codegen_request = codegen_request->also)
    write_module(codegen_request, to);
}

/* Returns the output of the process, which the caller frees; NULL if memory runs out. */
static char *read_log(const worker *worker) {
  const off_t end = lseek(worker->log, 0, SEEK_END);
  const size_t size = end < 0 ? 0 : end < 65536 ? (size_t)end : 65536;
  char *text = malloc(size + 1);
  if (!text)
    return NULL;
  const ssize_t read = pread(worker->log, text, size, 0);
  text[read > 0 ? read : 0] = '\0';
  return text;
}

/* Reads an answer. Fails with the generator's error, or if the answer is malformed. */
static pi_result read_answer(const worker *worker, codegen_fields fields, codegen_answer *ret) {
  pi_uint32 code;
  const char *message;
  const char *ptx;
  const bool whole = codegen_fields_take_number(&fields, &code) &&
                     codegen_fields_take_text(&fields, &message) &&
                     codegen_fields_take_text(&fields, &ptx);
  REQUIRE(whole, PI_ERROR_BUILD_PROGRAM_FAILURE, "the code generator's answer is malformed");
  REQUIRE((pi_result)code == PI_SUCCESS, (pi_result)code, "%s", message);
  codegen_answer made = {.size = strlen(ptx)};
  made.ptx = strdup(ptx);
  made.log = read_log(worker);
  if (!made.ptx || !made.log) {
    free(made.ptx);
    free(made.log);
    return plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of PTX", made.size);
  }
  *ret = made;
  return PI_SUCCESS;
}

/* Reads the exit status of a process that has ended; returns whether it was reported. */
static bool read_status(const worker *worker, int *status) {
  return codegen_frame_await(worker->status, POLLIN, codegen_frame_now() + STATUS_LIMIT_MS) == 0 &&
         read(worker->status, status, sizeof *status) == (ssize_t)sizeof *status;
}

/* Ends a process that did not answer, and sets the message about it. */
static pi_result explain_end(const codegen *generators, worker *worker, int reason) {
  int status = 0;
  const pi_result code =
      reason == ENOMEM ? PI_ERROR_OUT_OF_HOST_MEMORY : PI_ERROR_BUILD_PROGRAM_FAILURE;
  const bool is_told = reason == EPIPE && read_status(worker, &status);
  char *log = read_log(worker);
  if (log)
    log[strcspn(log, "\n")] = '\0';
  const char *words = log && *log ? log : "it printed nothing";
  if (reason == ETIMEDOUT)
    plugin_error(code, "the code generator took more than %u ms and was stopped",
                 generators->limit_ms);
  else if (reason != EPIPE)
    plugin_error(code, "the code generator cannot be reached: %s", strerror(reason));
  else if (!is_told)
    plugin_error(code, "the code generator ended: %s", words);
  else if (WIFSIGNALED(status))
    plugin_error(code, "the code generator was ended by signal %d (%s): %s", WTERMSIG(status),
                 strsignal(WTERMSIG(status)), words);
  else
    plugin_error(code, "the code generator ended with exit status %d: %s", WEXITSTATUS(status),
                 words);
  free(log);
  end_worker(worker);
  return code;
}

/* Sends a request and receives the answer. Returns 0 or an error number. */
static int exchange_frames(const worker *worker, const codegen_frame *request, pi_uint64 deadline,
                           unsigned char **ret, size_t *size) {
  if (ftruncate(worker->log, 0) || lseek(worker->log, 0, SEEK_SET))
    return errno;
  const int reason = codegen_frame_send(worker->socket, request->bytes, request->size, deadline);
  return reason ? reason : codegen_frame_receive_all(worker->socket, deadline, ret, size);
}

static pi_result build_with(codegen *generators, const codegen_frame *request,
                            codegen_answer *ret) {
  const pi_uint64 deadline = codegen_frame_now() + generators->limit_ms;
  unsigned char *bytes = NULL;
  size_t size = 0;
  while (true) {
    worker *worker;
    TRY(take_worker(generators, &worker));
    const int reason = exchange_frames(worker, request, deadline, &bytes, &size);
    /* Retries if a reused process is gone, because this build may not be the reason. */
    const bool again = reason == EPIPE && worker->is_used;
    pi_result result = PI_SUCCESS;
    if (reason) {
      result = explain_end(generators, worker, reason);
    } else {
      result = read_answer(worker, (codegen_fields){bytes, size}, ret);
      keep_worker(generators, worker);
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

void codegen_open(codegen *ret, const char *program, pi_uint32 limit_ms) {
  *ret = (codegen){.program = program, .limit_ms = limit_ms, .owner = getpid()};
  pthread_mutex_init(&ret->lock, NULL);
}

void codegen_close(codegen *generators) {
  worker *idle = NULL;
  find_worker(generators, NULL, &idle);
  pthread_mutex_lock(&generators->lock);
  generators->is_closed = true;
  pthread_mutex_unlock(&generators->lock);
  end_workers(idle);
}

pi_result codegen_create(const char *program, pi_uint32 limit_ms, codegen **ret) {
  codegen *made = malloc(sizeof *made);
  REQUIRE_MEMORY(made, "code generators");
  codegen_open(made, program, limit_ms);
  *ret = made;
  return PI_SUCCESS;
}

void codegen_free(codegen *generators) {
  if (!generators)
    return;
  codegen_close(generators);
  pthread_mutex_destroy(&generators->lock);
  free(generators);
}
