#define _GNU_SOURCE /* O_CLOEXEC, strsignal */
#include "jobs.h"

#include "../../plugins/base/child.h"
#include "../../plugins/base/os.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A job that was begun. */
typedef struct running {
  pid_t pid; /* 0: it has ended well */
  char *words;
} running;

/* ---- What whoever waits sees ---- */

void cc_progress_open(const cc_work *work, size_t total, cc_progress *ret) {
  const char *terminal = getenv("TERM");
  const char *plain = getenv("NO_COLOR");
  const bool shown = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
  *ret = (cc_progress){
      .shown = shown && !work->options->verbose,
      .colour = shown && (!plain || !*plain),
      .total = total,
  };
}

/* Writes over the line of before; job: NULL for an empty line. */
static void show_job(const cc_work *work, const cc_job *job) {
  const cc_progress *progress = work->progress;
  if (!progress || !progress->shown)
    return;
  fputs("\r\033[K", stderr);
  if (job) {
    const char *slash = strrchr(job->file, '/');
    fprintf(stderr, "[%zu/%zu] %.30s: %s", progress->done, progress->total,
            slash ? slash + 1 : job->file, job->what);
  }
  fflush(stderr);
}

/* ---- Their processes ---- */

static bool start_job(cc_work *work, const cc_job *job, running *ret) {
  *ret = (running){.words = cc_work_file(work, ".txt")};
  ret->pid = child_fork();
  if (ret->pid < 0) {
    ret->pid = 0;
    return CC_FAIL("%s: no process can be started: %s", job->file, strerror(errno));
  }
  if (ret->pid > 0)
    return true;
  const int words = open(ret->words, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (words < 0 || dup2(words, STDERR_FILENO) < 0) {
    cc_error("%s: %s", ret->words, strerror(errno));
    _exit(CC_FAILURE);
  }
  close(words);
  exit(job->run(work, job->data) ? CC_SUCCESS : CC_FAILURE);
}

/* Waits for one to end, and says which; false: it failed. */
static bool await_job(const cc_job *jobs, running *begun, size_t count, size_t *ret) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, 0)) < 0)
    if (errno != EINTR)
      return CC_FAIL("%s: cannot wait for a process: %s", jobs[0].file, strerror(errno));
  for (*ret = 0; *ret + 1 < count && begun[*ret].pid != pid; ++*ret)
    ;
  begun[*ret].pid = 0;
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == 0;
  return CC_FAIL("%s: the compilation was ended by signal %d (%s)", jobs[*ret].file,
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* Prints what the ended ones at the front have said, or all of those that ended. */
static void repeat_words(const running *begun, size_t count, bool all, size_t *repeated) {
  for (; *repeated < count && (all || begun[*repeated].pid == 0); ++*repeated)
    if (begun[*repeated].pid == 0)
      child_repeat(begun[*repeated].words);
}

bool cc_jobs_run(cc_work *work, const cc_job *jobs, size_t count) {
  const size_t limit = work->options->jobs ? work->options->jobs : os_processors();
  running *begun = cc_new(count, sizeof *begun);
  size_t started = 0;
  size_t ended = 0;
  size_t repeated = 0;
  bool done = true;
  while (done && ended < count) {
    if (started < count && started - ended < limit) {
      done = start_job(work, &jobs[started], &begun[started]);
      started++;
      show_job(work, &jobs[repeated]);
      continue;
    }
    size_t which = 0;
    done = await_job(jobs, begun, started, &which);
    ended++;
    if (work->progress)
      work->progress->done++;
    show_job(work, NULL);
    repeat_words(begun, started, !done, &repeated);
    if (done && repeated < started)
      show_job(work, &jobs[repeated]);
  }
  for (size_t i = 0; i < started; i++)
    free(begun[i].words);
  free(begun);
  return done;
}
