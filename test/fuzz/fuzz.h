/* What libFuzzer and the replay call, and the check of a fuzz target. */
#ifndef SPECPI_TEST_FUZZ_FUZZ_H
#define SPECPI_TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* One input; ends the process when something is wrong with what the tested code does. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An assertion which is there in every build. */
#define FUZZ_CHECK(condition)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);               \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#endif
