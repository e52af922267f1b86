/* Messages: one line of text, with the plugin's message only if it is about this failure. */
#include "support.h"

#include "../../runtime/driver_error.h"

#include <string.h>

static pi_result code_of_words;
static const char *words;

static pi_result last_error(char **message) {
  *message = (char *)(uintptr_t)words;
  return code_of_words;
}

static const pi_function_table table = {.piPluginGetLastError = last_error};

TEST(takes_the_words_of_the_failure) {
  code_of_words = PI_ERROR_INVALID_VALUE;
  words = "size is 0";
  assert_error(driver_error(&table, PI_ERROR_INVALID_VALUE, "piCall"), SPECPI_ERROR_DRIVER,
               "piCall failed with PI_ERROR_INVALID_VALUE (-30): size is 0");
  words = NULL;
  assert_int_equal(driver_error(&table, PI_ERROR_INVALID_VALUE, "piCall"), SPECPI_ERROR_DRIVER);
  assert_string_equal(specpiGetLastError(), "piCall failed with PI_ERROR_INVALID_VALUE (-30)");
}

/* The plugin's last message is about another failure. */
TEST(leaves_older_words_out) {
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

TEST(is_one_line_of_text) {
  error_set(SPECPI_ERROR_INVALID_IMAGE, "constant \"%s\"", "a\nb\t\033[31m\177\xc3\xa4");
  assert_string_equal(specpiGetLastError(), "constant \"a?b??[31m?\xc3\xa4\"");
}

TEST(an_unknown_name_gets_a_list_of_the_known_ones) {
  const specpi_result code = SPECPI_ERROR_UNKNOWN_CONSTANT;
  error_names names = {.given = "raduis"};
  assert_int_equal(error_set_unknown(code, "no constant is called", &names), code);
  assert_string_equal(specpiGetLastError(), "no constant is called \"raduis\"; there are: none");
  static const char *const known[] = {"block", "radius", "rad", "block"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    error_names_offer(&names, known[i]);
  error_set_unknown(code, "no constant is called", &names);
  assert_string_equal(specpiGetLastError(),
                      "no constant is called \"raduis\": did you mean radius? "
                      "There are: block, radius, rad");
  names = (error_names){.given = "x"};
  error_names_offer(&names, "nothing_like_it");
  error_set_unknown(code, "no constant is called", &names);
  assert_string_equal(specpiGetLastError(),
                      "no constant is called \"x\"; there are: nothing_like_it");
}

/* A message has a maximum length, which long mangled names can exceed. */
TEST(names_that_do_not_fit_are_counted) {
  static char long_names[3][300];
  error_names names = {.given = "x"};
  for (size_t i = 0; i < 3; i++) {
    memset(long_names[i], 'a' + (int)i, sizeof long_names[i] - 1);
    error_names_offer(&names, long_names[i]);
  }
  error_set_unknown(SPECPI_ERROR_UNKNOWN_KERNEL, "no kernel is called", &names);
  assert_non_null(strstr(specpiGetLastError(), long_names[0]));
  assert_null(strstr(specpiGetLastError(), "bb"));
  assert_non_null(strstr(specpiGetLastError(), "aa and 2 more"));
}
