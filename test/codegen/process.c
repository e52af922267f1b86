/* The generator's processes: their environment and descriptors, their end, and refused modules. */
#define _GNU_SOURCE /* syscall */
#include "servers.h"
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static codegen *generators;
static unsigned char *kernels;
static size_t kernels_size;

static int start(void **state) {
  (void)state;
  servers_begin();
  kernels = read_module("kernels32.spv", &kernels_size);
  generators = make_generators(CODEGEN_PROGRAM, 120000);
  return 0;
}

static int end(void **state) {
  (void)state;
  codegen_free(generators);
  free(kernels);
  return 0;
}

/* ---- Refused modules ---- */

/* Returns the message about a module that must not build. */
static const char *refusal(const void *module, size_t size) {
  codegen_answer answer = {0};
  const char *message;
  const codegen_request request = request_of(module, size);
  const pi_result result = codegen_build(generators, &request, &answer);
  assert_int_equal(result, PI_ERROR_BUILD_PROGRAM_FAILURE);
  assert_null(answer.ptx);
  plugin_error_last(&message);
  return message;
}

static void put_word(unsigned char *at, pi_uint32 word) {
  memcpy(at, &word, sizeof word);
}

/* Returns the message about a module in which `capability` replaces the first one, Addresses. */
static const char *refuse_capability(pi_uint32 capability) {
  unsigned char *copy = malloc(kernels_size);
  assert_non_null(copy);
  memcpy(copy, kernels, kernels_size);
  put_word(copy + 24, capability);
  const char *message = refusal(copy, kernels_size);
  free(copy);
  return message;
}

TEST(unknown_capabilities_are_refused) {
  assert_string_equal(refuse_capability(5617),
                      "there is no PTX for SPIR-V with the capability VectorComputeINTEL: it is "
                      "ESIMD, for Intel's GPUs only");
  assert_string_equal(refuse_capability(60000),
                      "there is no PTX for SPIR-V with the capability 60000, which is not known");
}

TEST(a_missing_function_is_named) {
  size_t size;
  unsigned char *module = read_module("missing.spv", &size);
  assert_non_null(strstr(refusal(module, size), "'nobody_has_this'"));
  free(module);
}

TEST(bad_values_are_refused) {
  const unsigned char bytes[4] = {1};
  codegen_value value = {.id = 7, .size = 8, .bytes = bytes};
  codegen_request request = request_of(kernels, kernels_size);
  codegen_answer answer;
  request.values = &value;
  request.value_count = 1;
  value.size = 2;
  assert_int_equal(codegen_build(generators, &request, &answer), PI_ERROR_BUILD_PROGRAM_FAILURE);
  value.size = 4;
  value.id = 8;
  assert_int_equal(codegen_build(generators, &request, &answer), PI_ERROR_BUILD_PROGRAM_FAILURE);
  value.id = 7;
  free(build_module(generators, request));
}

/* The number of values has no limit. They all have the same id. */
TEST(any_number_of_values_is_accepted) {
  enum { COUNT = 200000 };
  static const unsigned char bytes[4] = {1};
  codegen_value *values = calloc(COUNT, sizeof *values);
  assert_non_null(values);
  for (size_t i = 0; i < COUNT; i++)
    values[i] = (codegen_value){.id = 7, .size = 4, .bytes = bytes};
  codegen_request request = request_of(kernels, kernels_size);
  request.values = values;
  request.value_count = COUNT;
  free(build_module(generators, request));
  free(values);
}

/* A damaged module builds or gets a message, and does not disturb the next build. */
TEST(damage_does_not_disturb_the_next_build) {
  unsigned random = 1;
  codegen *hasty = make_generators(CODEGEN_PROGRAM, 5000);
  unsigned char *copy = malloc(kernels_size);
  assert_non_null(copy);
  for (int i = 0; i < 40; i++) {
    memcpy(copy, kernels, kernels_size);
    for (int j = 0; j < 4; j++) {
      random = random * 1103515245 + 12345;
      copy[20 + (random >> 8) % (kernels_size - 20)] = (unsigned char)(random >> 3);
    }
    const codegen_request request = request_of(copy, kernels_size);
    codegen_answer answer = {0};
    const char *message;
    if (codegen_build(hasty, &request, &answer) == PI_SUCCESS) {
      free(answer.ptx);
      free(answer.log);
    } else {
      plugin_error_last(&message);
      assert_true(strlen(message) > 10);
      assert_null(strchr(message, '\n'));
    }
  }
  free(build_module(generators, request_of(kernels, kernels_size)));
  codegen_free(hasty);
  free(copy);
}

/* ---- Ends ---- */

TEST(a_build_past_its_time_limit_is_stopped) {
  codegen *hasty = make_generators(CODEGEN_PROGRAM, 1);
  const codegen_request request = request_of(kernels, kernels_size);
  codegen_answer answer;
  assert_failure(codegen_build(hasty, &request, &answer), PI_ERROR_BUILD_PROGRAM_FAILURE,
                 "the code generator took more than 1 ms and was stopped");
  codegen_free(hasty);
}

TEST(a_generator_that_cannot_start_is_reported) {
  codegen *none = make_generators("/nowhere/specpi-codegen", 1000);
  const codegen_request request = request_of(kernels, kernels_size);
  codegen_answer answer;
  assert_failure(codegen_build(none, &request, &answer), PI_ERROR_OUT_OF_RESOURCES,
                 "the code generator '/nowhere/specpi-codegen' cannot be started: No such file or "
                 "directory");
  codegen_free(none);
  none = make_generators("/bin/false", 10000);
  assert_failure(codegen_build(none, &request, &answer), PI_ERROR_BUILD_PROGRAM_FAILURE,
                 "the code generator ended: it printed nothing");
  codegen_free(none);
}

/* If an idle generator or its watcher is killed, the next build starts another one. */
TEST(an_ended_generator_is_replaced) {
  codegen *one = make_generators(CODEGEN_PROGRAM, 120000);
  free(build_module(generators, request_of(kernels, kernels_size)));
  servers_wait(1); /* generators of earlier tests may still be ending */
  free(build_module(one, request_of(kernels, kernels_size)));
  servers now = servers_wait(2);
  for (size_t i = 0; i < now.count; i++)
    kill(now.builders[i], SIGKILL);
  free(build_module(one, request_of(kernels, kernels_size)));
  now = servers_wait(1);
  kill(now.watchers[0], SIGKILL);
  free(build_module(one, request_of(kernels, kernels_size)));
  codegen_free(one);
  servers_wait(0);
}

/* ---- Forks ---- */

static int count_descriptors(pid_t process) {
  char path[64];
  int count = 0;
  snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
  DIR *directory = opendir(path);
  if (!directory)
    return -1;
  for (struct dirent *entry; (entry = readdir(directory));)
    count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

/* A generator's process id, number of descriptors, and size of its environment in bytes. */
typedef struct report {
  pid_t process;
  int descriptors;
  long environment;
} report;

/* Builds in a fork, which reports on its generator and kills itself. */
static report report_of_copy(void) {
  int pipes[2];
  report ret = {0};
  assert_int_equal(pipe(pipes), 0);
  const pid_t copy = tests_fork();
  if (copy == 0) {
    char path[64];
    char bytes[16];
    const servers former = servers_now();
    free(build_module(generators, request_of(kernels, kernels_size)));
    const servers now = servers_wait(former.count + 1);
    for (size_t i = 0; i < now.count; i++)
      if (now.builders[i] != former.builders[0])
        ret.process = now.builders[i];
    ret.descriptors = count_descriptors(ret.process);
    snprintf(path, sizeof path, "/proc/%d/environ", (int)ret.process);
    const int file = open(path, O_RDONLY);
    ret.environment = file < 0 ? -1 : (long)read(file, bytes, sizeof bytes);
    if (write(pipes[1], &ret, sizeof ret) != sizeof ret)
      abort();
    raise(SIGKILL);
  }
  close(pipes[1]);
  assert_int_equal(read(pipes[0], &ret, sizeof ret), sizeof ret);
  close(pipes[0]);
  assert_int_equal(waitpid(copy, NULL, 0), copy);
  return ret;
}

/* A fork starts its own generator, which inherits no environment and descriptors, and ends with the
 * fork. */
TEST(a_fork_has_its_own_generator) {
  free(build_module(generators, request_of(kernels, kernels_size)));
  servers_wait(1);
  assert_int_equal(setenv("SPECPI_SECRET", "seen", 1), 0);
  const int extra = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
  assert_true(extra >= 0);
  const report found = report_of_copy();
  close(extra);
  assert_int_equal(found.environment, 0);
  /* /dev/null, the log as two descriptors, and the socket. */
  assert_int_equal(found.descriptors, 4);
  const int watch = (int)syscall(SYS_pidfd_open, found.process, 0);
  struct pollfd ended = {.fd = watch, .events = POLLIN};
  if (watch >= 0) {
    assert_int_equal(poll(&ended, 1, 20000), 1);
    close(watch);
  } else {
    assert_int_equal(errno, ESRCH);
  }
  free(build_module(generators, request_of(kernels, kernels_size)));
}

/* ---- Threads ---- */

static void *build_twice(void *data) {
  char **ptx = data;
  for (size_t i = 0; i < 2; i++)
    ptx[i] = build_module(generators, request_of(kernels, kernels_size));
  return NULL;
}

/* Clears LLVM's numbers of calls in comments, which depend on the process's earlier builds. */
static void clear_counts(char *ptx) {
  for (char *at = ptx; (at = strstr(at, "callseq "));) {
    at += strlen("callseq ");
    memset(at, '0', strspn(at, "0123456789"));
  }
}

TEST(threads_get_the_same_code) {
  pthread_t threads[3];
  char *ptx[3][2];
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, build_twice, ptx[i]), 0);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (size_t i = 0; i < 6; i++) {
    clear_counts(ptx[i / 2][i % 2]);
    assert_int_equal(strncmp(ptx[i / 2][i % 2], ptx[0][0], 4096), 0);
  }
  for (size_t i = 0; i < 6; i++)
    free(ptx[i / 2][i % 2]);
}

int main(void) {
  return tests_run(start, end);
}
