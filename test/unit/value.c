/* SPECPI_VALUE finds the types of variables, in C and in C++. */
#include "value_variables.h"

#include "../support/tests.h"

size_t value_count_wrong_in_cpp(void);

TEST(the_types_of_c_are_found) {
  assert_int_equal(count_wrong_values(), 0);
}

TEST(the_types_of_cpp_are_found) {
  assert_int_equal(value_count_wrong_in_cpp(), 0);
}
