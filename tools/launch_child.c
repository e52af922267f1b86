#define _GNU_SOURCE /* memfd_create, sigabbrev_np, MAP_ANONYMOUS */
#include "launch_child.h"

#include "../plugins/base/child.h"
#include "../plugins/base/write.h"
#include "tool.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Memory files for the child's stdout and stderr; a shared flag that the child's kernel runs. */
static int output = -1;
static int errors = -1;
static atomic_bool *runs_kernel;

void launch_child_runs_kernel(void) {
  if (!runs_kernel)
    return;
  fflush(stderr);
  dup2(errors, STDERR_FILENO);
  atomic_store(runs_kernel, true);
}

static bool prepare_files(void) {
  output = memfd_create("output", MFD_CLOEXEC);
  errors = memfd_create("errors", MFD_CLOEXEC);
  void *memory =
      mmap(NULL, sizeof *runs_kernel, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (output < 0 || errors < 0 || memory == MAP_FAILED)
    return false;
  runs_kernel = memory;
  return true;
}

/* Copies a memory file. Returns false with errno if it could not write all of it. */
static bool copy_file(int from, int to) {
  char bytes[1 << 16];
  ssize_t got;
  off_t at = 0;
  while ((got = pread(from, bytes, sizeof bytes, at)) > 0) {
    at += got;
    if (!write_all(to, bytes, (size_t)got))
      return false;
  }
  return got == 0;
}

/* Reports that a signal ended the child. Returns the exit status. */
static int report_signal(int number) {
  char name[32];
  const char *known = sigabbrev_np(number);
  if (known)
    snprintf(name, sizeof name, "SIG%s", known);
  else
    snprintf(name, sizeof name, "signal %d", number);
  if (getenv("SPECPI_TRACE"))
    copy_file(errors, STDERR_FILENO);
  if (atomic_load(runs_kernel))
    tool_error("the kernel ended the process (%s): is a buffer too small?", name);
  else
    tool_error("the process was ended (%s) before the kernel ran: by code of the library, the "
               "driver or its compiler",
               name);
  return TOOL_FAILURE;
}

static int conclude(int status) {
  if (WIFSIGNALED(status))
    return report_signal(WTERMSIG(status));
  copy_file(errors, STDERR_FILENO);
  if (!copy_file(output, STDOUT_FILENO)) {
    tool_error("the result could not be written: %s", strerror(errno));
    return TOOL_FAILURE;
  }
  return WEXITSTATUS(status);
}

int launch_in_child(int (*work)(void *data), void *data) {
  if (!prepare_files()) {
    tool_error("no files in memory for what the kernel's process writes: %s", strerror(errno));
    return TOOL_FAILURE;
  }
  const pid_t child = child_fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output, STDOUT_FILENO);
    return work(data);
  }
  int status = 0;
  if (child < 0 || !child_wait(child, &status)) {
    tool_error("the process for the kernel: %s", strerror(errno));
    return TOOL_FAILURE;
  }
  return conclude(status);
}
