/* Helpers of the fake CUDA driver's tests. */
#ifndef SPECPI_TEST_FAKE_CUDA_CHECK_H
#define SPECPI_TEST_FAKE_CUDA_CHECK_H

#include "../../../test/support/tests.h"
#include "../fake_cuda.h"

#include <stdio.h>
#include <string.h>

/* Fails the test with the line, the returned code and the driver's reason if the code differs. */
#define expect(code, call)                                                                         \
  do {                                                                                             \
    const CUresult check_result = (call);                                                          \
    if (check_result != (code)) {                                                                  \
      print_error("%s:%d: %s is %d, not %d: %s\n", __FILE__, __LINE__, #call, (int)check_result,   \
                  (int)(code), fake_cuda_reason());                                                \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

#define ok(call) expect(CUDA_SUCCESS, call)

/* Checks that the call is refused with a code, for a reason with these words. */
#define refused(code, words, call)                                                                 \
  do {                                                                                             \
    expect(code, call);                                                                            \
    if (!strstr(fake_cuda_reason(), words)) {                                                      \
      print_error("%s:%d: no '%s' in '%s'\n", __FILE__, __LINE__, words, fake_cuda_reason());      \
      fail();                                                                                      \
    }                                                                                              \
  } while (0)

/* Test setup: creates a context of device 0. */
static inline int make_context(void **state) {
  CUcontext context;
  ok(cuInit(0));
  ok(cuCtxCreate_v2(&context, 0, 0));
  *state = context;
  return 0;
}

/* Test teardown: destroys the context, and checks that no object is left. */
static inline int end_context(void **state) {
  char list[2048];
  ok(cuCtxDestroy((CUcontext)*state));
  if (fake_cuda_list(list, sizeof list) != 0) {
    print_error("%s", list);
    return -1;
  }
  return 0;
}

#define CONTEXT_TEST(name) TEST_WITH(name, make_context, end_context)

#endif
