/*
 * Reads any text as an LLVM module in text form. The reader finds or refuses the attributes of its
 * global variables, and each value has the size that the reader reports.
 */
#include "fuzz.h"

#include "../../compiler/global_attributes.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  FUZZ_CHECK(text);
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  global_attributes all = {0};
  if (global_attributes_read(text, &all) == SPECPI_COMPILER_SUCCESS)
    for (size_t i = 0; i < all.variables.count; i++) {
      static const char *const names[] = {"sycl-unique-id", "sycl-uid-kind", ""};
      for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        char *value = NULL;
        size_t length = 99;
        FUZZ_CHECK(global_attributes_get(&all, i, names[n], &value, &length) ==
                   SPECPI_COMPILER_SUCCESS);
        FUZZ_CHECK(value ? value[length] == '\0' && length <= size : length == 0);
        free(value);
      }
    }
  global_attributes_free(&all);
  free(text);
  return 0;
}
