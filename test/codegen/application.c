/* Code generators in an application that waits for its children, drops privileges, and exits. */
#define _GNU_SOURCE /* setresuid, unshare, CLONE_NEWPID */
#include "servers.h"
#include "world.h"

#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned char *module;
static size_t module_size;

static int start(void **state) {
  (void)state;
  servers_begin();
  module = read_module("small.spv", &module_size);
  return 0;
}

static int end(void **state) {
  (void)state;
  free(module);
  return 0;
}

static void build_small(codegen *generators) {
  free(build_module(generators, request_of(module, module_size)));
}

/* Runs a case in a child process; fails unless the child exits with 0. */
static void run_apart(int (*run)(void)) {
  const pid_t child = tests_fork();
  if (child == 0) {
    alarm(60);
    _exit(run());
  }
  tests_join(child);
}

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                              \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

/* Builds, and returns whether that succeeded. */
static bool has_built(codegen *generators) {
  const codegen_request request = request_of(module, module_size);
  codegen_answer answer = {0};
  const char *message = "";
  if (codegen_build(generators, &request, &answer) != PI_SUCCESS) {
    plugin_error_last(&message);
    fprintf(stderr, "%s\n", message);
    return false;
  }
  free(answer.ptx);
  free(answer.log);
  return true;
}

/* ---- Waiting ---- */

static atomic_int told_ends;

static void count_end(int number) {
  (void)number;
  atomic_fetch_add(&told_ends, 1);
}

/* Starts three children and returns whether wait() reports exactly these three. */
static bool waits_for_three(void) {
  int count = 0;
  for (int i = 0; i < 3; i++)
    if (fork() == 0)
      _exit(0);
  while (wait(NULL) > 0)
    count++;
  return count == 3 && errno == ECHILD;
}

static int wait_beside(void) {
  codegen *generators = make_generators(CODEGEN_PROGRAM, 60000);
  signal(SIGCHLD, count_end);
  EXPECT(has_built(generators));
  EXPECT(wait(NULL) < 0 && errno == ECHILD);
  EXPECT(servers_now().count == 1);
  kill(servers_now().builders[0], SIGKILL);
  servers_wait(0);
  EXPECT(has_built(generators));
  EXPECT(atomic_load(&told_ends) == 0);
  EXPECT(waits_for_three());
  codegen_free(generators);
  servers_wait(0);
  EXPECT(atomic_load(&told_ends) > 0);
  return 0;
}

TEST(no_wait_reports_a_generator) {
  run_apart(wait_beside);
}

static int ignore_children(void) {
  codegen *generators = make_generators(CODEGEN_PROGRAM, 60000);
  codegen *wrong = make_generators("/bin/false", 60000);
  const codegen_request request = request_of(module, module_size);
  codegen_answer answer;
  signal(SIGCHLD, SIG_IGN);
  for (int i = 0; i < 3; i++)
    EXPECT(has_built(generators));
  EXPECT(codegen_build(wrong, &request, &answer) == PI_ERROR_BUILD_PROGRAM_FAILURE);
  codegen_free(wrong);
  codegen_free(generators);
  servers_wait(0);
  return 0;
}

TEST(ignored_children_are_fine) {
  run_apart(ignore_children);
}

/* A thread that calls waitpid(-1) all the time reaps no code generator. */
static atomic_bool is_done;

static void *wait_always(void *data) {
  while (!atomic_load(&is_done))
    if (waitpid(-1, NULL, WNOHANG) > 0)
      *(int *)data += 1;
  return NULL;
}

TEST(waiting_threads_take_nothing) {
  int taken = 0;
  pthread_t waiter;
  codegen *generators = make_generators("/bin/false", 60000);
  const codegen_request request = request_of(module, module_size);
  codegen_answer answer;
  atomic_store(&is_done, false);
  assert_int_equal(pthread_create(&waiter, NULL, wait_always, &taken), 0);
  for (int i = 0; i < 50; i++)
    assert_failure(codegen_build(generators, &request, &answer), PI_ERROR_BUILD_PROGRAM_FAILURE,
                   "the code generator ended: it printed nothing");
  atomic_store(&is_done, true);
  assert_int_equal(pthread_join(waiter, NULL), 0);
  assert_int_equal(taken, 0);
  codegen_free(generators);
}

/* A process that adopts orphans keeps no idle code generator and no zombie. */
static int adopt_orphans(void) {
  codegen *generators = make_generators(CODEGEN_PROGRAM, 60000);
  for (int i = 0; i < 3; i++) {
    EXPECT(has_built(generators));
    EXPECT(wait(NULL) < 0 && errno == ECHILD);
  }
  EXPECT(waits_for_three());
  codegen_free(generators);
  return 0;
}

static int adopt_as_subreaper(void) {
  EXPECT(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
  return adopt_orphans();
}

TEST(a_subreaper_keeps_none) {
  run_apart(adopt_as_subreaper);
}

static int adopt_as_first_process(void) {
  EXPECT(unshare(CLONE_NEWPID) == 0);
  run_apart(adopt_orphans);
  return 0;
}

TEST(the_first_process_of_a_container_keeps_none) {
  if (geteuid() != 0)
    skip();
  run_apart(adopt_as_first_process);
}

/* ---- Rights ---- */

/* Ways to give up or change the rights of this process. */
static int drop_user(void) {
  return setgroups(0, NULL) || setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534);
}
static int drop_effective_user(void) {
  return seteuid(65534);
}
static int drop_groups(void) {
  return setgroups(1, (const gid_t[]){4711});
}
static int drop_bounding_capability(void) {
  return prctl(PR_CAPBSET_DROP, 12, 0, 0, 0);
}
static int enter_namespace(void) {
  return unshare(CLONE_NEWNS);
}
static int forbid_new_rights(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
static int lower_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max = limit.rlim_cur - 1;
  return setrlimit(RLIMIT_NOFILE, &limit);
}

static int (*change)(void);

/* After the change of rights the next build starts a new process, and the old one has ended. */
static int build_with_other_rights(void) {
  codegen *generators = make_generators(CODEGEN_PROGRAM, 60000);
  EXPECT(has_built(generators));
  EXPECT(has_built(generators));
  EXPECT(servers_now().count == 1);
  const pid_t former = servers_now().watchers[0];
  EXPECT(change() == 0);
  EXPECT(has_built(generators));
  const servers now = servers_wait(1);
  EXPECT(now.watchers[0] != former);
  EXPECT(server_user(now.builders[0]) == geteuid());
  EXPECT(has_built(generators));
  EXPECT(servers_wait(1).watchers[0] == now.watchers[0]);
  codegen_free(generators);
  servers_wait(0);
  return 0;
}

TEST(other_rights_get_another_process) {
  static int (*const of_root[])(void) = {drop_user, drop_effective_user, drop_groups,
                                         drop_bounding_capability, enter_namespace};
  static int (*const of_all[])(void) = {forbid_new_rights, lower_limit};
  for (size_t i = 0; i < sizeof of_all / sizeof of_all[0]; i++) {
    change = of_all[i];
    run_apart(build_with_other_rights);
  }
  if (geteuid() != 0)
    skip();
  for (size_t i = 0; i < sizeof of_root / sizeof of_root[0]; i++) {
    change = of_root[i];
    run_apart(build_with_other_rights);
  }
}

/* Without /proc nobody can read a process's rights, so none is kept for the next build. */
static int build_without_proc(void) {
  codegen *generators = make_generators(CODEGEN_PROGRAM, 60000);
  EXPECT(has_built(generators));
  EXPECT(unshare(CLONE_NEWNS) == 0);
  EXPECT(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
  EXPECT(mount("none", "/proc", "tmpfs", 0, NULL) == 0);
  EXPECT(has_built(generators));
  EXPECT(umount("/proc") == 0);
  EXPECT(servers_wait(0).count == 0);
  codegen_free(generators);
  return 0;
}

TEST(without_proc_each_build_has_its_process) {
  if (geteuid() != 0)
    skip();
  run_apart(build_without_proc);
}

/* ---- Exit ---- */

static codegen generators;

static void *build_always(void *data) {
  atomic_int *count = data;
  for (int i = 0; i < 40; i++) {
    if (!has_built(&generators))
      return NULL;
    atomic_fetch_add(count, 1);
  }
  return NULL;
}

/* Closes the generators as the library's destructor does at exit, while threads build. */
TEST(builds_go_on_beside_and_after_the_end) {
  atomic_int count = 0;
  pthread_t threads[4];
  codegen_open(&generators, CODEGEN_PROGRAM, 60000);
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, build_always, &count), 0);
  while (atomic_load(&count) < 40)
    sched_yield();
  codegen_close(&generators);
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_int_equal(atomic_load(&count), 160);
  build_small(&generators);
  servers_wait(0);
}

/* A stopped code generator does not delay codegen_free(). */
static int leave_a_stopped_one(void) {
  codegen *made = make_generators(CODEGEN_PROGRAM, 60000);
  EXPECT(has_built(made));
  const servers now = servers_now();
  EXPECT(now.count == 1);
  kill(now.watchers[0], SIGSTOP);
  kill(now.builders[0], SIGSTOP);
  alarm(5);
  codegen_free(made);
  kill(now.watchers[0], SIGCONT);
  servers_wait(0);
  return 0;
}

TEST(the_end_waits_for_nobody) {
  run_apart(leave_a_stopped_one);
}

int main(void) {
  return tests_run(start, end);
}
