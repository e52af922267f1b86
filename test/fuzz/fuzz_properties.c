/*
 * Reads any bytes as property sets, in both forms. Accepted sets are written, read and written
 * again, in both forms, which must give the same bytes.
 */
#include "fuzz.h"

#include <specpi/compiler.h>

#include <string.h>

/* Keeps compilers from leaving out the reads. */
static volatile unsigned sum;

static void read_all(const void *bytes, size_t size) {
  unsigned total = 0;
  for (size_t i = 0; i < size; i++)
    total += ((const unsigned char *)bytes)[i];
  sum += total;
}

static void check_sets(specpi_compiler_properties properties) {
  const size_t count = specpiCompilerPropertiesGetSetCount(properties);
  for (size_t i = 0; i < count; i++) {
    const specpi_compiler_property *list;
    size_t length;
    const char *name = specpiCompilerPropertiesGetSet(properties, i, &list, &length);
    FUZZ_CHECK(name && *name);
    for (size_t j = 0; j < length; j++) {
      FUZZ_CHECK(*list[j].name);
      FUZZ_CHECK(list[j].type == SPECPI_COMPILER_PROPERTY_NUMBER ||
                 list[j].type == SPECPI_COMPILER_PROPERTY_BYTES);
      FUZZ_CHECK(list[j].type == SPECPI_COMPILER_PROPERTY_NUMBER || list[j].size >= 8);
      read_all(list[j].data, list[j].size);
    }
  }
  FUZZ_CHECK(specpiCompilerPropertiesGetSet(properties, count, NULL, NULL) == NULL);
}

/*
 * Writes the sets, reads them, and checks that the next write gives the same bytes. Returns the
 * sets read, or NULL if the form cannot express their names.
 */
static specpi_compiler_properties pass_through(specpi_compiler_properties properties,
                                               specpi_compiler_property_form form) {
  char *text = NULL;
  size_t size;
  const specpi_compiler_result result =
      specpiCompilerPropertiesWrite(properties, form, &text, &size);
  if (result == SPECPI_COMPILER_ERROR_INVALID_NAME)
    return NULL;
  FUZZ_CHECK(result == SPECPI_COMPILER_SUCCESS && strlen(text) == size);
  specpi_compiler_properties read = NULL;
  FUZZ_CHECK(specpiCompilerPropertiesRead(form, text, size, &read) == SPECPI_COMPILER_SUCCESS);
  char *again = NULL;
  FUZZ_CHECK(specpiCompilerPropertiesWrite(read, form, &again, &size) == SPECPI_COMPILER_SUCCESS);
  FUZZ_CHECK(strcmp(text, again) == 0);
  free(again);
  free(text);
  return read;
}

static void check_form(specpi_compiler_property_form form, const uint8_t *data, size_t size) {
  specpi_compiler_properties read = NULL;
  const specpi_compiler_result result = specpiCompilerPropertiesRead(form, data, size, &read);
  if (result != SPECPI_COMPILER_SUCCESS) {
    FUZZ_CHECK(result == SPECPI_COMPILER_ERROR_INVALID_PROPERTIES && !read);
    FUZZ_CHECK(*specpiCompilerGetLastError());
    return;
  }
  check_sets(read);
  specpi_compiler_properties same = pass_through(read, form);
  FUZZ_CHECK(same);
  const specpi_compiler_property_form other = form == SPECPI_COMPILER_PROPERTY_FORM_TEXT
                                                  ? SPECPI_COMPILER_PROPERTY_FORM_JSON
                                                  : SPECPI_COMPILER_PROPERTY_FORM_TEXT;
  specpi_compiler_properties foreign = pass_through(same, other);
  if (foreign) {
    /* Nothing is lost in the other form. */
    char *texts[2];
    size_t sizes[2];
    FUZZ_CHECK(specpiCompilerPropertiesWrite(read, form, &texts[0], &sizes[0]) ==
               SPECPI_COMPILER_SUCCESS);
    FUZZ_CHECK(specpiCompilerPropertiesWrite(foreign, form, &texts[1], &sizes[1]) ==
               SPECPI_COMPILER_SUCCESS);
    FUZZ_CHECK(sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0);
    free(texts[0]);
    free(texts[1]);
  }
  specpiCompilerPropertiesRelease(foreign);
  specpiCompilerPropertiesRelease(same);
  specpiCompilerPropertiesRelease(read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!data) /* the library needs a pointer, even for nothing */
    data = (const uint8_t *)"";
  check_form(SPECPI_COMPILER_PROPERTY_FORM_TEXT, data, size);
  check_form(SPECPI_COMPILER_PROPERTY_FORM_JSON, data, size);
  return 0;
}
