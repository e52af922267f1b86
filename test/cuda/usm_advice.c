/* PI's advice about memory, translated to CUDA's. */
#include "../../plugins/cuda/usm_advice.h"
#include "../../plugins/checks/usm_arguments.h"
#include "../support/tests.h"

static usm_advice list[USM_ADVICE_MAX];

static size_t read(unsigned bits) {
  unsigned given = 0;
  assert_int_equal(read_usm_advice((pi_mem_advice)bits, &given), PI_SUCCESS);
  return usm_advice_list(given, list);
}

TEST(every_bit_has_its_advice) {
#define CHECK(bit, advice_, is_host_)                                                              \
  assert_int_equal(read(PI_MEM_ADVICE_##bit), 1);                                                  \
  assert_int_equal(list[0].advice, CU_MEM_ADVISE_##advice_);                                       \
  assert_int_equal(list[0].is_host, is_host_);
  USM_ADVICES(CHECK)
#undef CHECK
}

TEST(each_bit_of_a_combination_counts) {
  assert_int_equal(read(PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY |
                        PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY_HOST |
                        PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST),
                   4);
  assert_int_equal(
      read(PI_MEM_ADVICE_CUDA_UNSET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION |
           PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY | PI_MEM_ADVICE_CUDA_UNSET_PREFERRED_LOCATION_HOST |
           PI_MEM_ADVICE_CUDA_UNSET_ACCESSED_BY_HOST),
      5);
}

TEST(a_reset_unsets_all_advice) {
  assert_int_equal(read(PI_MEM_ADVICE_RESET), 5);
  for (size_t i = 0; i < 5; i++)
    assert_true(list[i].advice == CU_MEM_ADVISE_UNSET_READ_MOSTLY ||
                list[i].advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION ||
                list[i].advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY);
}

/* Advice that CUDA lacks becomes no advice. */
TEST(other_bits_are_no_advice) {
  assert_int_equal(read(PI_MEM_ADVICE_UNKNOWN), 0);
  assert_int_equal(read(PI_MEM_ADVICE_HIP_SET_COARSE_GRAINED), 0);
  assert_int_equal(read(PI_MEM_ADVICE_HIP_UNSET_COARSE_GRAINED), 0);
  assert_int_equal(read(0x10000 | PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY), 1);
}

TEST(contradictions_are_refused) {
  unsigned bits = 99;
  for (unsigned pair = 3; pair < 0x1000; pair <<= 2)
    assert_int_equal(read_usm_advice((pi_mem_advice)pair, &bits), PI_ERROR_INVALID_VALUE);
  assert_int_equal(read_usm_advice((pi_mem_advice)(PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION |
                                                   PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST),
                                   &bits),
                   PI_ERROR_INVALID_VALUE);
  assert_int_equal(bits, 99);
}
