/* The function that libFuzzer and the replay call, and the assertion of fuzz targets. */
#ifndef SPECPI_TEST_FUZZ_FUZZ_H
#define SPECPI_TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Tests one input; ends the process if the tested code does something wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An assertion that every build has. */
#define FUZZ_CHECK(condition)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);               \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

#endif
