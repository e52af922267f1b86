/* The child process that makes the first calls of a driver, and the parent's side of it. */
#define _GNU_SOURCE /* dlinfo, pipe2, on_exit */
#include "probe.h"

#include "../base/child.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds that the parent waits for the end of a killed child. */
enum { MOST_WAITS = 1000 };

/* The child's messages. Each is one write, so the pipe does not split it. */
typedef enum message_kind {
  MESSAGE_STEP = 1,
  MESSAGE_FILE,
  MESSAGE_INIT,
  MESSAGE_END
} message_kind;

typedef struct message {
  unsigned kind;
  unsigned value; /* a step, or the result of zeInit */
  char path[PROBE_PATH_SIZE];
} message;

_Static_assert(sizeof(message) <= 4096, "no message is longer than Linux' PIPE_BUF");

/* The child's end of the pipe, and the loader. */
typedef struct child {
  const level_zero_driver *loader;
  int pipe;
} child;

static void tell(const child *child, message_kind kind, unsigned value, const char *path) {
  message message;
  memset(&message, 0, sizeof message);
  message.kind = kind;
  message.value = value;
  if (path)
    snprintf(message.path, sizeof message.path, "%s", path);
  if (write(child->pipe, &message, sizeof message) != (ssize_t)sizeof message)
    _exit(EXIT_FAILURE);
}

/*
 * Closes the files that the child has inherited. Other processes may wait until the application
 * closes its pipes and sockets or unlocks its files, and must not wait for the child. Devices stay
 * open, because a driver that the process used before may need them.
 */
static void close_files_but(int pipe) {
  DIR *directory = opendir("/proc/self/fd");
  const struct dirent *entry;
  while (directory && (entry = readdir(directory))) {
    const int file = (int)strtol(entry->d_name, NULL, 10);
    struct stat status;
    if (file > STDERR_FILENO && file != pipe && file != dirfd(directory) &&
        fstat(file, &status) == 0 &&
        (S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
      close(file);
  }
  if (directory)
    closedir(directory);
}

/* Ends the child when a driver calls exit, before the application's exit handlers run. Handlers run
 * in reverse order, and the application registered its own earlier. */
static void leave(int status, void *unused) {
  (void)unused;
  _exit(status);
}

/* Prevents core files (also those that are piped to a program), signal handlers and output. */
static void become_quiet(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  setrlimit(RLIMIT_CORE, &(const struct rlimit){0, 0});
  for (int number = 1; number < NSIG; number++)
    signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  const int null = open("/dev/null", O_RDWR);
  for (int descriptor = 0; null >= 0 && descriptor <= 2; descriptor++)
    dup2(null, descriptor);
  on_exit(leave, NULL);
}

/* Loads a driver like the loader does, and reports its path before anything can crash. */
static bool load_driver(const char *name, void *data) {
  const child *child = data;
  struct link_map *map;
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0)
    tell(child, MESSAGE_FILE, 0, map->l_name);
  return true;
}

static void try_devices(const child *child, ze_driver_handle_t driver) {
  ze_device_handle_t devices[64];
  uint32_t count = 0;
  tell(child, MESSAGE_STEP, PROBE_STEP_DEVICES, NULL);
  if (child->loader->DeviceGet(driver, &count, NULL) != ZE_RESULT_SUCCESS || count == 0)
    return;
  count = count < 64 ? count : 64;
  if (child->loader->DeviceGet(driver, &count, devices) != ZE_RESULT_SUCCESS)
    return;
  tell(child, MESSAGE_STEP, PROBE_STEP_PROPERTIES, NULL);
  for (uint32_t i = 0; i < count && i < 64; i++) {
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    child->loader->DeviceGetProperties(devices[i], &properties);
  }
}

static void try_all(const child *child) {
  ze_driver_handle_t drivers[16];
  uint32_t count = 0;
  tell(child, MESSAGE_STEP, PROBE_STEP_LOAD, NULL);
  probe_driver_names(load_driver, (void *)(uintptr_t)child);
  tell(child, MESSAGE_STEP, PROBE_STEP_INIT, NULL);
  tell(child, MESSAGE_INIT, child->loader->Init(0), NULL);
  /*
   * The calls below also follow a failed zeInit. The plugin does not make them then, but other
   * libraries of the application may, so a crash is worth reporting.
   */
  tell(child, MESSAGE_STEP, PROBE_STEP_DRIVERS, NULL);
  if (child->loader->DriverGet(&count, NULL) != ZE_RESULT_SUCCESS || count == 0)
    return;
  count = count < 16 ? count : 16;
  if (child->loader->DriverGet(&count, drivers) != ZE_RESULT_SUCCESS)
    return;
  for (uint32_t i = 0; i < count && i < 16; i++)
    try_devices(child, drivers[i]);
}

/* Does the child's work and ends the child without running the application's exit handlers. */
static _Noreturn void run_child(const level_zero_driver *loader, int pipe) {
  const child child = {loader, pipe};
  close_files_but(pipe);
  become_quiet();
  try_all(&child);
  tell(&child, MESSAGE_END, 0, NULL);
  _exit(EXIT_SUCCESS);
}

/* Stores one message in the answer; returns whether it is the last one. Checks steps and paths,
 * because the child's memory may be damaged. */
static bool take_message(const message *message, probe_answer *answer) {
  switch (message->kind) {
  case MESSAGE_STEP:
    if (message->value < PROBE_STEP_COUNT)
      answer->step = (probe_step)message->value;
    break;
  case MESSAGE_INIT:
    answer->init = message->value;
    break;
  case MESSAGE_FILE:
    if (answer->file_count < PROBE_MOST_FILES && memchr(message->path, '\0', PROBE_PATH_SIZE)) {
      probe_file *file = &answer->files[answer->file_count++];
      memcpy(file->path, message->path, PROBE_PATH_SIZE);
      file->stamp = probe_stamp_of(file->path);
    }
    break;
  case MESSAGE_END:
    return true;
  }
  return false;
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The parent's view of the child. */
typedef struct watch {
  pid_t pid;
  int pipe;
  bool is_closed; /* the pipe is closed and empty */
  bool is_done;   /* the child reported its end */
  bool is_reaped;
  int status;
} watch;

/* Returns whether the child has ended. options are waitpid's. */
static bool reap(watch *watch, int options) {
  pid_t got = 0;
  while (!watch->is_reaped && (got = waitpid(watch->pid, &watch->status, options)) < 0 &&
         errno == EINTR)
    ;
  watch->is_reaped |= got != 0;
  return watch->is_reaped;
}

/* Waits up to wait milliseconds for a message and stores it; returns whether one came. */
static bool listen(watch *watch, int wait, probe_answer *answer) {
  struct pollfd ready = {.fd = watch->is_closed ? -1 : watch->pipe, .events = POLLIN};
  if (poll(&ready, 1, wait) <= 0)
    return false;
  message message;
  const ssize_t size = read(watch->pipe, &message, sizeof message);
  if (size == (ssize_t)sizeof message)
    watch->is_done = take_message(&message, answer);
  else if (size >= 0 || errno != EINTR)
    watch->is_closed = true;
  return true;
}

/*
 * Reads messages until the child has reported its end, has ended, or time is up. The pipe's end
 * alone decides nothing: a process that a driver has started may keep the pipe open after the
 * child's end, and a driver may close it early.
 */
static void attend(watch *watch, long long deadline, probe_answer *answer) {
  while (!watch->is_done && !watch->is_reaped) {
    const long long left = deadline - milliseconds();
    if (left <= 0)
      return;
    const int slice = watch->is_closed ? 1 : 50;
    if (listen(watch, left < slice ? (int)left : slice, answer) && !watch->is_closed)
      continue;
    if (reap(watch, WNOHANG))
      while (!watch->is_done && !watch->is_closed && listen(watch, 0, answer))
        ;
  }
}

static void conclude(const watch *watch, probe_answer *answer) {
  if (watch->is_done) {
    answer->outcome = PROBE_WORKS;
    answer->step = PROBE_STEP_PROPERTIES;
  } else if (!watch->is_reaped) {
    answer->outcome = PROBE_HANGS;
  } else if (WIFSIGNALED(watch->status)) {
    answer->outcome = PROBE_SIGNAL;
    answer->number = WTERMSIG(watch->status);
  } else {
    answer->outcome = PROBE_EXIT;
    answer->number = WEXITSTATUS(watch->status);
  }
}

static void watch_child(pid_t pid, int pipe, unsigned seconds, probe_answer *answer) {
  watch watch = {.pid = pid, .pipe = pipe};
  attend(&watch, milliseconds() + (long long)seconds * 1000, answer);
  conclude(&watch, answer);
  if (!watch.is_reaped)
    kill(pid, SIGKILL);
  /* Gives up on a child that the kernel keeps alive, blocked in a device's code. */
  for (int waits = 0; !reap(&watch, WNOHANG) && waits < MOST_WAITS; waits++)
    poll(NULL, 0, 1);
}

/*
 * Makes a pipe whose write end does not have the number of a standard stream: the child replaces
 * those, and pipe2 may return one in a process that has closed its own. Returns errno, or 0 for
 * success.
 */
static int make_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  const int low = ends[1];
  ends[1] = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = ends[1] < 0 ? errno : 0;
  close(low);
  if (error)
    close(ends[0]);
  return error;
}

/* Arguments and result of ask_child. */
typedef struct order {
  const level_zero_driver *loader;
  unsigned seconds;
  probe_answer *answer;
} order;

/* Starts a child and asks it. Runs in a helper process that ends with the application. */
static void ask_child(void *data) {
  const order *order = data;
  probe_answer *ret = order->answer;
  int ends[2];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ret->number = make_pipe(ends);
  if (ret->number != 0)
    return;
  const pid_t pid = fork();
  if (pid == 0)
    run_child(order->loader, ends[1]);
  ret->number = errno;
  close(ends[1]);
  if (pid > 0) {
    ret->number = 0;
    watch_child(pid, ends[0], order->seconds, ret);
  }
  close(ends[0]);
}

void probe_child(const level_zero_driver *loader, unsigned seconds, probe_answer *ret) {
  order order = {loader, seconds, ret};
  *ret = (probe_answer){.outcome = PROBE_UNKNOWN};
  const int reason = child_run_aside(ask_child, &order);
  if (reason != 0)
    ret->number = reason;
}
