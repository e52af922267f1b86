/* Sentences: one line of text, and of a plugin's words only those about the failure. */
#include "support.h"

#include "../../runtime/driver_error.h"

static pi_result code_of_words;
static const char *words;

static pi_result last_error(char **message) {
  *message = (char *)(uintptr_t)words;
  return code_of_words;
}

static const pi_function_table table = {.piPluginGetLastError = last_error};

static void takes_the_words_of_the_failure(void **state) {
  (void)state;
  code_of_words = PI_ERROR_INVALID_VALUE;
  words = "size is 0";
  assert_error(driver_error(&table, PI_ERROR_INVALID_VALUE, "piCall"), SPECPI_ERROR_DRIVER,
               "piCall failed with PI_ERROR_INVALID_VALUE (-30): size is 0");
  words = NULL;
  assert_int_equal(driver_error(&table, PI_ERROR_INVALID_VALUE, "piCall"), SPECPI_ERROR_DRIVER);
  assert_string_equal(specpiGetLastError(), "piCall failed with PI_ERROR_INVALID_VALUE (-30)");
}

/* The words are of another failure, long ago. */
static void leaves_older_words_out(void **state) {
  (void)state;
  words = "size is 0";
  const pi_result others[] = {PI_SUCCESS, PI_ERROR_INVALID_VALUE};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    code_of_words = others[i];
    assert_int_equal(driver_error(&table, PI_ERROR_OUT_OF_HOST_MEMORY, "piCall"),
                     SPECPI_ERROR_OUT_OF_MEMORY);
    assert_string_equal(specpiGetLastError(),
                        "piCall failed with PI_ERROR_OUT_OF_HOST_MEMORY (-6)");
  }
}

static void is_one_line_of_text(void **state) {
  (void)state;
  error_set(SPECPI_ERROR_INVALID_IMAGE, "constant \"%s\"", "a\nb\t\033[31m\177\xc3\xa4");
  assert_string_equal(specpiGetLastError(), "constant \"a?b??[31m?\xc3\xa4\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_the_words_of_the_failure),
      cmocka_unit_test(leaves_older_words_out),
      cmocka_unit_test(is_one_line_of_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
