/* Property sets are written to the bytes that they were read from; malformed text is refused. */
#include "../support/tests.h"

#include <specpi/compiler.h>

#include <stdlib.h>
#include <string.h>

static specpi_compiler_properties read_as(specpi_compiler_property_form form, const char *text,
                                          size_t size) {
  specpi_compiler_properties properties = NULL;
  assert_int_equal(specpiCompilerPropertiesRead(form, text, size, &properties),
                   SPECPI_COMPILER_SUCCESS);
  return properties;
}

/* Writes property sets in a form; the caller frees the text. */
static char *write_as(specpi_compiler_properties properties, specpi_compiler_property_form form,
                      size_t *size) {
  char *text;
  assert_int_equal(specpiCompilerPropertiesWrite(properties, form, &text, size),
                   SPECPI_COMPILER_SUCCESS);
  assert_int_equal(strlen(text), *size);
  return text;
}

TEST(property_sets_survive_both_forms) {
  /* DPC++ wrote the first two byte arrays. */
  static const char text[] =
      "[SYCL/specialization constants]\n"
      "_ZTS3abc=2|gBAAAAAAAAAAAAAAAAAAAEAAAAA\n"
      "four=2|AGAAAAAAAAgEAAAAAAAAAQAAAAwEAAAAEAAAAQAAAAAFAAAAIAAAAQAAAAQFAAAAQAAAAgAAAAA\n"
      "[SYCL/assert used]\n"
      "[SYCL/kernel param opt]\n"
      "k=2|FAAAAAAAAAQB\n"
      "[SYCL/misc properties]\n"
      "optLevel=1|2\n"
      "zero=1|0\n"
      "most=1|4294967295\n";
  specpi_compiler_properties properties =
      read_as(SPECPI_COMPILER_PROPERTY_FORM_TEXT, text, sizeof text - 1);
  assert_int_equal(specpiCompilerPropertiesGetSetCount(properties), 4);
  const specpi_compiler_property *list;
  size_t count;
  assert_string_equal(specpiCompilerPropertiesGetSet(properties, 0, &list, &count),
                      "SYCL/specialization constants");
  assert_int_equal(count, 2);
  assert_string_equal(list[0].name, "_ZTS3abc");
  assert_int_equal(list[0].type, SPECPI_COMPILER_PROPERTY_BYTES);
  static const unsigned char first[] = {0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                        0,    0, 0, 0, 0, 0, 1, 0, 0, 0};
  assert_int_equal(list[0].size, sizeof first);
  assert_memory_equal(list[0].data, first, sizeof first);
  static const unsigned char four[] = {
      0x80, 1, 0, 0, 0,  0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0, 4,  0, 0, 0, 19, 0, 0, 0, 4, 0, 0, 0,
      4,    0, 0, 0, 20, 0, 0, 0, 8,  0, 0, 0, 4, 0, 0, 0, 21, 0, 0, 0, 16, 0, 0, 0, 8, 0, 0, 0};
  assert_int_equal(list[1].size, sizeof four);
  assert_memory_equal(list[1].data, four, sizeof four);
  assert_string_equal(specpiCompilerPropertiesGetSet(properties, 1, &list, &count),
                      "SYCL/assert used");
  assert_int_equal(count, 0);
  assert_string_equal(specpiCompilerPropertiesGetSet(properties, 3, &list, &count),
                      "SYCL/misc properties");
  assert_int_equal(list[0].number, 2);
  assert_int_equal(list[2].number, UINT32_MAX);
  assert_null(specpiCompilerPropertiesGetSet(properties, 4, NULL, NULL));

  size_t size;
  size_t json_size;
  char *again = write_as(properties, SPECPI_COMPILER_PROPERTY_FORM_TEXT, &size);
  assert_string_equal(again, text);
  free(again);
  char *json = write_as(properties, SPECPI_COMPILER_PROPERTY_FORM_JSON, &json_size);
  specpiCompilerPropertiesRelease(properties);
  properties = read_as(SPECPI_COMPILER_PROPERTY_FORM_JSON, json, json_size);
  again = write_as(properties, SPECPI_COMPILER_PROPERTY_FORM_TEXT, &size);
  assert_string_equal(again, text);
  free(again);
  again = write_as(properties, SPECPI_COMPILER_PROPERTY_FORM_JSON, &size);
  assert_string_equal(again, json);
  free(again);
  free(json);
  specpiCompilerPropertiesRelease(properties);
}

TEST(malformed_property_sets_are_refused) {
  static const struct {
    specpi_compiler_property_form form;
    const char *text;
    const char *sentence;
  } cases[] = {
      {0, "a=1|1\n", "line 1 has a property before the first set"},
      {0, "[s]\n=1|1\n", "line 2 has no name and '='"},
      {0, "[s]\na\n", "line 2 has no name and '='"},
      {0, "[s]\na=3|1\n", "line 2 has no type 1 or 2 and '|' after '='"},
      {0, "[s]\na=1\n", "line 2 has no type 1 or 2 and '|' after '='"},
      {0, "[s]\na=1|\n", "line 2 has a value that is no decimal number of 32 bits"},
      {0, "[s]\na=1|01\n", "line 2 has a value that is no decimal number of 32 bits"},
      {0, "[s]\na=1|-1\n", "line 2 has a value that is no decimal number of 32 bits"},
      {0, "[s]\na=1|4294967296\n", "line 2 has a value that is no decimal number of 32 bits"},
      {0, "[s]\r\n", "line 1 has a NUL or a carriage return"},
      {0, "[s]x\n", "line 1 has no name between '[' and ']', or something after it"},
      {0, "[]\n", "line 1 has no name between '[' and ']', or something after it"},
      {0, "[s]\na=2|-A\n", "line 2 has a value that is no base 64 of its kind"},
      {0, "[s]\na=2|A\n", "line 2 has a value that is no base 64 of its kind"},
      {0, "[s]\na=2|AAAAAAAAAAw\n", "line 2 has a value that is no base 64 of its kind"},
      {0, "[s]\na=2|\n", "line 2 has bytes whose length is not the one that they begin with"},
      {0, "[s]\na=2|BAAAAAAAAAA\n",
       "line 2 has bytes whose length is not the one that they begin with"},
      {1, "{}", "the JSON value is no array"},
      {1, "[{\"set\": \"s\"}]", "element 0 has no set name or no array of properties"},
      {1, "[{\"set\": \"s\", \"properties\": [{}]}]", "'s' has a property without a name"},
      {1, "[{\"set\": \"s\", \"properties\": [{\"name\": \"a\", \"number\": -1}]}]",
       "'a' has neither a number of 32 bits nor bytes"},
      {1, "[{\"set\": \"s\", \"properties\": [{\"name\": \"a\", \"bytes\": \"0g\"}]}]",
       "'a' has bytes that are no pairs of hexadecimal digits"},
      {1, "[{\"set\": \"s\", \"properties\": [{\"name\": \"a\", \"bytes\": \"00\"}]}]",
       "'a' has bytes whose length is not the one that they begin with"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    specpi_compiler_properties untouched = (specpi_compiler_properties)state;
    assert_int_equal(specpiCompilerPropertiesRead(cases[i].form, cases[i].text,
                                                  strlen(cases[i].text), &untouched),
                     SPECPI_COMPILER_ERROR_INVALID_PROPERTIES);
    assert_string_equal(specpiCompilerGetLastError(), cases[i].sentence);
    assert_ptr_equal(untouched, state);
  }
  static const char bad[] =
      "[{\"set\": \"s\", \"properties\": [{\"name\": \"a=b\", \"number\": 1}]}]";
  specpi_compiler_properties properties =
      read_as(SPECPI_COMPILER_PROPERTY_FORM_JSON, bad, sizeof bad - 1);
  char *text;
  size_t size;
  assert_int_equal(
      specpiCompilerPropertiesWrite(properties, SPECPI_COMPILER_PROPERTY_FORM_TEXT, &text, &size),
      SPECPI_COMPILER_ERROR_INVALID_NAME);
  assert_string_equal(specpiCompilerGetLastError(),
                      "a .prop file cannot have a property named 'a=b'");
  specpiCompilerPropertiesRelease(properties);
}
