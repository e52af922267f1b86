#define _GNU_SOURCE /* asprintf */
#include "level_zero_probe_world.h"

#include "../support/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

deed at_init, at_drivers, at_devices, at_properties;
ze_result_t init_result;
int closed_file = -1, kept_file = -1;
pid_t tester;
char directory[4096];

probe_seen *seen;

static void act(deed deed) {
  if (getpid() == tester)
    abort();
  switch (deed) {
  case NOTHING:
    break;
  case CRASH:
    fprintf(stderr, "this must not be seen\n");
    raise(SIGSEGV);
    break;
  case STACK:
    raise(SIGABRT);
    break;
  case EXIT:
    exit(7);
  case QUIT:
    _exit(0);
  case HANG:
    for (;;)
      pause();
  case FORK:
    /* A helper process of the driver, which keeps the pipe open when the driver crashes. */
    if (fork() == 0) {
      sleep(3);
      _exit(0);
    }
    raise(SIGBUS);
    break;
  case CLOSE:
    for (int file = 3; file < 64; file++)
      close(file);
    raise(SIGILL);
    break;
  }
}

static void note_child(void) {
  struct rlimit core;
  struct sigaction action;
  struct stat error;
  struct stat null;
  atomic_fetch_add(&seen->children, 1);
  if (getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_cur != 0 ||
      sigaction(SIGSEGV, NULL, &action) != 0 || action.sa_handler != SIG_DFL ||
      fstat(STDERR_FILENO, &error) != 0 || stat("/dev/null", &null) != 0 ||
      error.st_rdev != null.st_rdev || (closed_file >= 0 && fcntl(closed_file, F_GETFD) != -1) ||
      (kept_file >= 0 && fcntl(kept_file, F_GETFD) == -1))
    atomic_store(&seen->is_noisy, true);
}

static ze_result_t init(ze_init_flags_t flags) {
  assert_int_equal(flags, 0);
  note_child();
  act(at_init);
  return init_result;
}

static ze_result_t driver_get(uint32_t *count, ze_driver_handle_t *drivers) {
  act(at_drivers);
  *count = 1;
  if (drivers)
    drivers[0] = (ze_driver_handle_t)&at_init;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t device_get(ze_driver_handle_t driver, uint32_t *count,
                              ze_device_handle_t *devices) {
  assert_ptr_equal(driver, &at_init);
  act(at_devices);
  *count = 2;
  for (int i = 0; devices && i < 2; i++)
    devices[i] = (ze_device_handle_t)&at_devices;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t properties_get(ze_device_handle_t device, ze_device_properties_t *properties) {
  assert_ptr_equal(device, &at_devices);
  (void)properties;
  act(at_properties);
  atomic_fetch_add(&seen->properties, 1);
  return ZE_RESULT_SUCCESS;
}

const level_zero_driver loader = {.Init = init,
                                  .DriverGet = driver_get,
                                  .DeviceGet = device_get,
                                  .DeviceGetProperties = properties_get};

static void remove_cache(void) {
  scratch_remove(directory);
}

int begin(void **state) {
  (void)state;
  remove_cache();
  at_init = at_drivers = at_devices = at_properties = NOTHING;
  init_result = ZE_RESULT_SUCCESS;
  closed_file = kept_file = -1;
  memset((void *)seen, 0, sizeof *seen);
  setenv("XDG_CACHE_HOME", directory, 1);
  unsetenv("SPECPI_LEVEL_ZERO_PROBE_SECONDS");
  unsetenv("ZE_ENABLE_ALT_DRIVERS");
  setenv("ZE_ENABLE_ALT_DRIVERS", "/nowhere/libze_none.so", 1);
  return 0;
}

/* Checks that no child is left, alive or as a zombie. */
int finish(void **state) {
  (void)state;
  remove_cache();
  errno = 0;
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD ? 0 : -1;
}

probe_answer ask(void) {
  probe_answer answer;
  memset(&answer, 0xa5, sizeof answer);
  probe_ask(&loader, &answer);
  return answer;
}

int children(void) {
  return atomic_load(&seen->children);
}

char *cache_file(void) {
  char *path = NULL;
  char *below;
  assert_true(asprintf(&below, "%s/specpi", directory) > 0);
  DIR *open = opendir(below);
  for (struct dirent *entry; open && (entry = readdir(open));) {
    if (entry->d_name[0] == '.')
      continue;
    assert_null(path);
    assert_true(asprintf(&path, "%s/%s", below, entry->d_name) > 0);
  }
  if (open)
    closedir(open);
  free(below);
  return path;
}

void expect_refused(const probe_answer *answer, const char *sentence) {
  char reason[4096];
  assert_false(probe_allows(answer, reason, sizeof reason));
  assert_string_equal(reason, sentence);
}

void expect_crash(probe_outcome outcome, int number, probe_step step, const char *sentence) {
  for (int i = 0; i < 3; i++) {
    const probe_answer answer = ask();
    assert_int_equal(answer.outcome, outcome);
    assert_int_equal(answer.number, number);
    assert_int_equal(answer.step, step);
    expect_refused(&answer, sentence);
    assert_int_equal(children(), 1);
  }
  assert_false(atomic_load(&seen->is_noisy));
}

bool open_probe_world(void) {
  const char *temporary = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/specpi-probe-test-XXXXXX",
           temporary ? temporary : "/tmp");
  if (!mkdtemp(directory)) {
    perror(directory);
    return false;
  }
  tester = getpid();
  seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return seen != MAP_FAILED;
}
