#include "value_variables.h"

extern "C" size_t value_count_wrong_in_cpp(void);

size_t value_count_wrong_in_cpp(void) {
  return count_wrong_values();
}
