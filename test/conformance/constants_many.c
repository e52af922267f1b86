/*
 * Thousands of specialization constants, and several threads that set them: rows 30 and 34 of the
 * table of docs/internals/conformance.md, on modules generated here.
 */
#define _GNU_SOURCE /* clock_gettime */
#include "fixture.h"
#include "generate.h"

#include <float.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Builds, and checks that the kernel computes the result for these values. */
static void check_values(pi_program program, const pi_uint32 *values, pi_uint32 count) {
  pi_uint32 got = 0;
  build_program(program, NULL);
  if (is_built_only(program, "value"))
    return;
  run_for_output(program, "value", 1, sizeof got, &got);
  expect_equal(generated_result(values, count), got);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Makes a program and sets its count constants; *time receives the seconds that setting took. */
static pi_program set_all(module code, pi_uint32 *values, pi_uint32 count, double *time) {
  const pi_program program = new_program(code);
  const double start = seconds();
  for (pi_uint32 i = 0; i < count; i++) {
    values[i] = 3 * i + 1;
    const pi_result result =
        pi.piextProgramSetSpecializationConstant(program, i, sizeof values[i], &values[i]);
    expect(result == PI_SUCCESS, "constant %u: piextProgramSetSpecializationConstant returned %d",
           i, result);
  }
  *time = seconds() - start;
  return program;
}

static void check_many(pi_uint32 count, double *time) {
  const module code = generate_constants(count);
  pi_uint32 *values = malloc(count * sizeof *values);
  expect(values, "no memory");
  const pi_program program = set_all(code, values, count, time);
  check_values(program, values, count);
  free(values);
  free((void *)(uintptr_t)code.bytes);
}

TEST(constants, row30_4096) {
  double time;
  check_many(4096, &time);
}

/*
 * Skipped where nothing is computed: the next test shows that so many can be set, and Intel's
 * compiler would take a minute for the build.
 */
TEST(constants, row30_65536) {
  double time;
  if (builds_only)
    skip_test("4,096 constants are built, and 65,536 set, in other tests");
  check_many(65536, &time);
}

/*
 * 16 times the constants may take at most 160 times the time; a search through a list would take
 * 256 times. The margin and the second try allow for other work on the machine.
 */
TEST(constants, row30_time_is_not_quadratic) {
  enum { FEW = 4096, MANY = 65536 };
  const module few = generate_constants(FEW);
  const module many = generate_constants(MANY);
  pi_uint32 *values = malloc(MANY * sizeof *values);
  expect(values, "no memory");
  double small = DBL_MAX;
  double large = DBL_MAX;
  for (int i = 0; i < 2 && large > 160 * small; i++) {
    double time;
    for (int j = 0; j < 3; j++) {
      set_all(few, values, FEW, &time);
      small = time < small ? time : small;
    }
    set_all(many, values, MANY, &time);
    large = time < large ? time : large;
  }
  expect(large <= 160 * small, "%d constants take %.4f s, %d take %.4f s", FEW, small, MANY, large);
  free(values);
  free((void *)(uintptr_t)few.bytes);
  free((void *)(uintptr_t)many.bytes);
}

enum { THREADS = 8, EACH = 64 };

typedef struct setter {
  pi_program program;
  pi_uint32 first;
  pi_result result;
} setter;

static void *set_in_thread(void *argument) {
  setter *mine = argument;
  for (pi_uint32 i = 0; i < EACH && mine->result == PI_SUCCESS; i++) {
    const pi_uint32 value = 7 * (mine->first + i) + 5;
    mine->result = pi.piextProgramSetSpecializationConstant(mine->program, mine->first + i,
                                                            sizeof value, &value);
  }
  return NULL;
}

/* Each thread sets its own ids while this thread builds; the next build has all the values. */
TEST(constants, row34_threads) {
  const module code = generate_constants(THREADS * EACH);
  const pi_program program = new_program(code);
  pthread_t threads[THREADS];
  setter setters[THREADS];
  for (pi_uint32 t = 0; t < THREADS; t++) {
    setters[t] = (setter){program, t * EACH, PI_SUCCESS};
    expect(pthread_create(&threads[t], NULL, set_in_thread, &setters[t]) == 0, "no thread");
  }
  build_program(program, NULL);
  for (int t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    expect(setters[t].result == PI_SUCCESS, "thread %d: a set returned %d", t, setters[t].result);
  }
  pi_uint32 values[THREADS * EACH];
  for (pi_uint32 i = 0; i < THREADS * EACH; i++)
    values[i] = 7 * i + 5;
  check_values(program, values, THREADS * EACH);
  free((void *)(uintptr_t)code.bytes);
}
