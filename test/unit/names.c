/* Names of enumerators. */
#include "check.h"

#include "../../plugins/base/names.h"

#include <string.h>

TEST(known_values_have_names) {
  const struct {
    const char *type;
    int64_t value;
    const char *name;
  } rows[] = {
      {"pi_result", 0, "PI_SUCCESS"},
      {"pi_result", -30, "PI_ERROR_INVALID_VALUE"},
      {"pi_result", -1140, "PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR"},
      {"pi_device_info", 0x102b, "PI_DEVICE_INFO_NAME"},
      {"pi_platform_backend", 2, "PI_EXT_PLATFORM_BACKEND_OPENCL"},
      {"pi_sanitize_type", 1, "PI_SANITIZE_TYPE_ADDRESS"},
      /* Values too large for an enumerator, which are compared as bits. */
      {"pi_device_type", 0xffffffff, "PI_DEVICE_TYPE_ALL"},
      {"pi_queue_properties", -1, "PI_QUEUE_FLAGS"},
      /* Equal numbers in two types. */
      {"pi_device_info", 0x10112, "PI_DEVICE_INFO_GPU_HW_THREADS_PER_EU"},
      {"pi_kernel_group_info", 0x10112, "PI_KERNEL_GROUP_INFO_NUM_REGS"},
      /* A value with several names has the first one of the list. */
      {"pi_device_info", 0x102a, "PI_DEVICE_INFO_QUEUE_PROPERTIES"},
      {"pi_mem_advice", 1, "PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_string_equal(enumerator_name(rows[i].type, rows[i].value), rows[i].name);
}

TEST(unknown_values_have_no_name) {
  assert_string_equal(enumerator_name("pi_result", 1), "?");
  assert_string_equal(enumerator_name("pi_result", -71), "?");
  assert_string_equal(enumerator_name("pi_result", (int64_t)-30 + (INT64_C(1) << 32)), "?");
  assert_string_equal(enumerator_name("pi_resul", 0), "?");
  assert_string_equal(enumerator_name("pi_results", 0), "?");
  assert_string_equal(enumerator_name("", 0), "?");
}

/* Every value of the list has a name, which is one of its enumerators. */
TEST(every_value_has_a_name) {
  static const struct {
    const char *type;
    const char *name;
    int64_t value;
  } all[] = {
#define PI_VALUE(type, name, value) {#type, #name, (value)},
#define PI_WIDE(type, name, value) {#type, #name, (int64_t)(value)},
#include <pi/pi_enums.def>
  };
  const size_t count = sizeof all / sizeof all[0];
  assert_true(count > 500);
  for (size_t i = 0; i < count; i++) {
    const char *name = enumerator_name(all[i].type, all[i].value);
    size_t j = 0;
    while (j < count && (strcmp(all[j].name, name) != 0 || strcmp(all[j].type, all[i].type) != 0))
      j++;
    assert_true(j <= i);
    assert_int_equal(all[j].value, all[i].value);
  }
}
