/* SPECPI_VALUE finds the types of variables, in C and in C++. */
#include "value_variables.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

size_t value_count_wrong_in_cpp(void);

static void the_types_of_c_are_found(void **state) {
  (void)state;
  assert_int_equal(count_wrong_values(), 0);
}

static void the_types_of_cpp_are_found(void **state) {
  (void)state;
  assert_int_equal(value_count_wrong_in_cpp(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_types_of_c_are_found),
      cmocka_unit_test(the_types_of_cpp_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
