/*
 * Shared parts of the tests of cached PTX. Each case runs in child processes, because a process
 * chooses its generator and its cache directory only once. The generator is a script that records
 * each start. All builds are of a small module.
 */
#ifndef SPECPI_TEST_CODEGEN_CACHE_WORLD_H
#define SPECPI_TEST_CODEGEN_CACHE_WORLD_H

#include "world.h"

#include "../../plugins/code/generated_cache.h"
#include "../../plugins/code/program_code.h"
#include "../support/scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static char cache_base[256];
static char cache_place[300]; /* the cache directory, which does not exist at first */

/* Returns the path of a file in the test's directory; valid until the fourth call after this. */
static inline const char *cache_in(const char *name) {
  static char path[4][512];
  static unsigned next;
  char *at = path[next++ % 4];
  snprintf(at, sizeof path[0], "%s/%s", cache_base, name);
  return at;
}

static inline void cache_write(const char *name, const char *text, mode_t mode) {
  const int file = open(cache_in(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  assert_true(file >= 0);
  assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
  close(file);
}

/* Writes a script that appends its process id to the file "starts" and then executes `becomes`. */
static inline void cache_write_generator(const char *name, const char *becomes) {
  char text[9000];
  snprintf(text, sizeof text, "#!/bin/sh\necho $$ >>%s\nexec %s\n", cache_in("starts"), becomes);
  cache_write(name, text, 0700);
}

static inline int cache_setup(void **state) {
  const char *temporary = getenv("TMPDIR");
  (void)state;
  snprintf(cache_base, sizeof cache_base, "%s/specpi-generated-XXXXXX",
           temporary ? temporary : "/tmp");
  assert_non_null(mkdtemp(cache_base));
  snprintf(cache_place, sizeof cache_place, "%s/cache", cache_base);
  cache_write_generator("generator", CODEGEN_PROGRAM " --serve");
  cache_write("generator.id", "one generator\n", 0600);
  assert_int_equal(setenv("SPECPI_CODEGEN", cache_in("generator"), 1), 0);
  assert_int_equal(setenv("SPECPI_CACHE_DIR", cache_place, 1), 0);
  return 0;
}

static inline int cache_teardown(void **state) {
  (void)state;
  return scratch_remove(cache_base);
}

/* Counts the generators that were started; *latest receives the process id of the last one. */
static inline unsigned cache_starts(pid_t *latest) {
  FILE *file = fopen(cache_in("starts"), "r");
  char line[32];
  unsigned count = 0;
  while (file && fgets(line, sizeof line, file)) {
    *latest = (pid_t)strtol(line, NULL, 10);
    count++;
  }
  if (file)
    fclose(file);
  return count;
}

/* Starts a child process that exits with the result of work(). */
static inline pid_t cache_start(int (*work)(void)) {
  const pid_t process = tests_fork();
  if (process == 0) {
    const int status = work();
    fflush(NULL);
    _exit(status);
  }
  return process;
}

static inline void cache_run(int (*work)(void)) {
  tests_join(cache_start(work));
}

/* Parameters of a build. */
typedef struct cache_wish {
  const char *module; /* file; NULL: small.spv */
  pi_uint32 value;    /* of constant 7; 0: not set */
  code_target target; /* capability 0: sm_80, level 1 */
} cache_wish;

static inline pi_result build_read(program_code *code, const cache_wish *wish, code_product *ret) {
  unsigned char *values;
  if (wish->value != 0)
    TRY(code_constants_set(code->constants, 7, sizeof wish->value, &wish->value));
  TRY(constants_copy_values(code->constants, &values));
  const code_target plain = {.capability = 80, .level = 1};
  const pi_result result =
      code_specialise(code, values, wish->target.capability ? &wish->target : &plain, ret);
  free(values);
  return result;
}

/* Builds from a module's bytes. */
static inline pi_result build_bytes(const cache_wish *wish, const void *module, size_t size,
                                    code_product *ret) {
  program_code code = {.form = NULL};
  pi_result result = code_open(&code, &code_form_generated);
  if (result == PI_SUCCESS)
    result = code_read(&code, &code_form_generated, module, size);
  if (result == PI_SUCCESS)
    result = build_read(&code, wish, ret);
  code_close(&code);
  return result;
}

static inline pi_result build_wish(const cache_wish *wish, code_product *ret) {
  size_t size;
  unsigned char *module = read_module(wish->module ? wish->module : "small.spv", &size);
  const pi_result result = build_bytes(wish, module, size, ret);
  free(module);
  return result;
}

/* Builds and returns how often the generator ran (0 for a hit); 9 if the build failed. */
static inline unsigned cache_generates(cache_wish wish) {
  code_product product = {0};
  const unsigned long long before = atomic_load(&generated_count);
  if (build_wish(&wish, &product) != PI_SUCCESS)
    return 9;
  const bool is_good = product.info && product.info->count != 0 &&
                       strstr((const char *)product.bytes, ".target") != NULL;
  code_product_free(&product);
  return is_good ? (unsigned)(atomic_load(&generated_count) - before) : 9;
}

#endif
