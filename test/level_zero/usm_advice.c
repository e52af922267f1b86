/* PI's advice as Level Zero's. */
#include "../../plugins/level_zero/usm_advice.h"
#include "../../plugins/checks/usm_arguments.h"
#include "../support/tests.h"

static void expect(unsigned bits, size_t count, const ze_memory_advice_t *want) {
  ze_memory_advice_t got[USM_ADVICE_MAX];
  unsigned given = 0;
  assert_int_equal(read_usm_advice((pi_mem_advice)bits, &given), PI_SUCCESS);
  assert_int_equal(usm_advice_list(given, got), count);
  for (size_t i = 0; i < count; i++)
    assert_int_equal(got[i], want[i]);
}

TEST(each_bit_has_its_advice) {
  const ze_memory_advice_t advice[] = {
      ZE_MEMORY_ADVICE_SET_READ_MOSTLY,
      ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY,
      ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION,
      ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION,
  };
  for (unsigned i = 0; i < 4; i++)
    expect(1u << i, 1, &advice[i]);
  for (unsigned i = 4; i < 10; i++)
    expect(1u << i, 0, NULL);
  expect(0x400, 1, &(ze_memory_advice_t){ZE_MEMORY_ADVICE_SET_NON_ATOMIC_MOSTLY});
  expect(0x800, 1, &(ze_memory_advice_t){ZE_MEMORY_ADVICE_CLEAR_NON_ATOMIC_MOSTLY});
}

TEST(each_bit_of_a_combination_counts) {
  const ze_memory_advice_t reset[] = {ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY,
                                      ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION,
                                      ZE_MEMORY_ADVICE_CLEAR_NON_ATOMIC_MOSTLY};
  const ze_memory_advice_t both[] = {ZE_MEMORY_ADVICE_SET_READ_MOSTLY,
                                     ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION};
  expect(PI_MEM_ADVICE_RESET, 3, reset);
  expect(PI_MEM_ADVICE_UNKNOWN, 0, NULL);
  expect(0x1 | 0x8 | 0x100, 2, both);
  expect(0x40000000, 0, NULL);
}

TEST(contradictions_are_refused) {
  static const unsigned pairs[] = {0x3, 0xc, 0xc00, 0x3 | 0x10};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    unsigned bits = 99;
    assert_int_equal(read_usm_advice((pi_mem_advice)pairs[i], &bits), PI_ERROR_INVALID_VALUE);
    assert_int_equal(bits, 99);
  }
}
