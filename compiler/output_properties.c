/* The property sets of a lowered module. */
#include "output.h"
#include "properties.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS_SET "SYCL/specialization constants"
#define DEFAULTS_SET "SYCL/specialization constants default values"
#define MISC_SET "SYCL/misc properties"
#define REPLACED "specConstsReplacedWithDefault"

static void store(unsigned char *to, uint32_t value) {
  for (unsigned i = 0; i < 4; i++)
    to[i] = (unsigned char)(value >> (8 * i));
}

/* A record is its descriptors as three little-endian words each. */
static specpi_compiler_result add_record(specpi_compiler_properties to,
                                         const specpi_compiler_constant *it) {
  unsigned char *bytes = malloc(12 * it->descriptor_count);
  if (bytes == NULL)
    return compiler_error_memory();
  for (size_t i = 0; i < it->descriptor_count; i++) {
    store(bytes + 12 * i, it->descriptors[i].id);
    store(bytes + 12 * i + 4, it->descriptors[i].offset);
    store(bytes + 12 * i + 8, it->descriptors[i].size);
  }
  const specpi_compiler_result result =
      properties_add_payload(to, it->name, bytes, 12 * it->descriptor_count);
  free(bytes);
  return result;
}

static specpi_compiler_result fill(specpi_compiler_output output, specpi_compiler_properties to) {
  if (output->replaced) {
    COMPILER_TRY(properties_add_set(to, MISC_SET, strlen(MISC_SET)));
    return properties_add_number(to, REPLACED, strlen(REPLACED), 1);
  }
  if (output->constants.count == 0)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(properties_add_set(to, RECORDS_SET, strlen(RECORDS_SET)));
  for (size_t i = 0; i < output->constants.count; i++)
    COMPILER_TRY(add_record(to, &output->constants.items[i]));
  COMPILER_TRY(properties_add_set(to, DEFAULTS_SET, strlen(DEFAULTS_SET)));
  return properties_add_payload(to, "all", output->defaults, output->default_size);
}

specpi_compiler_result specpiCompilerOutputGetProperties(specpi_compiler_output output,
                                                         specpi_compiler_properties *ret) {
  COMPILER_REQUIRE(output != NULL && ret != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
                   "%s is NULL", output == NULL ? "output" : "ret");
  specpi_compiler_properties made = properties_new();
  if (made == NULL)
    return compiler_error_memory();
  const specpi_compiler_result result = fill(output, made);
  if (result != SPECPI_COMPILER_SUCCESS)
    specpiCompilerPropertiesRelease(made);
  else
    *ret = made;
  return result;
}
