/* Each allocation of a build in this process fails once; nothing leaks. */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "cache_world.h"

#include "../unit/memory.h"

static pi_result build_once(const codegen_request *request, codegen_answer *answer) {
  codegen *generators;
  pi_result result = codegen_create(CODEGEN_PROGRAM, 120000, &generators);
  if (result != PI_SUCCESS)
    return result;
  result = codegen_build(generators, request, answer);
  codegen_free(generators);
  return result;
}

TEST(a_failed_allocation_in_a_build_leaks_nothing) {
  size_t size;
  unsigned char *kernels = read_module("kernels32.spv", &size);
  const codegen_request request = request_of(kernels, size);
  memory_use use = {.failed = true};
  for (long n = 0; use.failed; n++) {
    codegen_answer answer = {0};
    memory_watch(n);
    const pi_result result = build_once(&request, &answer);
    free(answer.ptx);
    free(answer.log);
    use = memory_unwatch();
    assert_int_equal(result, use.failed ? PI_ERROR_OUT_OF_HOST_MEMORY : PI_SUCCESS);
    assert_int_equal(use.held, 0);
  }
  free(kernels);
}

/* Builds a module with the nth allocation failing, and clears the cache in memory. */
static memory_use build_watched(const unsigned char *module, size_t size, long n) {
  const cache_wish wish = {.value = 5};
  code_product product = {0};
  memory_watch(n);
  const pi_result result = build_bytes(&wish, module, size, &product);
  code_product_free(&product);
  cache_clear(&generated_texts);
  const memory_use use = memory_unwatch();
  assert_true(result == PI_SUCCESS || (use.failed && result == PI_ERROR_OUT_OF_HOST_MEMORY));
  return use;
}

static void clear_directory(void) {
  char path[CACHE_DIRECTORY_PATH];
  os_reason reason;
  assert_true(cache_directory_clear(&generated_directory, path, &reason));
}

/* A failed allocation either fails the build, or the build succeeds and is not cached. */
TEST_WITH(a_failed_allocation_in_the_cache_leaks_nothing, cache_setup, cache_teardown) {
  size_t size;
  unsigned char *module = read_module("small.spv", &size);
  for (int is_there = 0; is_there < 2; is_there++) {
    memory_use use = {.failed = true};
    for (long n = 0; use.failed; n++) {
      /* Starts the generator first, so that its memory does not count. */
      if (n == 0 || use.held != 0)
        build_watched(module, size, MEMORY_NEVER);
      if (!is_there)
        clear_directory();
      use = build_watched(module, size, n);
      /* -1: a failed allocation for the answer ends the generator, which frees its memory. */
      assert_in_range(use.held + 1, 0, 1);
    }
  }
  free(module);
}
