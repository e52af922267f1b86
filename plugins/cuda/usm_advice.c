#include "usm_advice.h"

/* What undoes all other advice; PI has one number for it. */
static const usm_advice reset[] = {
    {CU_MEM_ADVISE_UNSET_READ_MOSTLY, false},
    {CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, false},
    {CU_MEM_ADVISE_UNSET_ACCESSED_BY, false},
    {CU_MEM_ADVISE_UNSET_ACCESSED_BY, true},
};

static const struct {
  unsigned bit, contrary;
  const char *name, *contrary_name;
  usm_advice call;
} advices[] = {
#define USM_ADVICE_ROW(bit, advice, is_host, contrary)                                             \
  {PI_MEM_ADVICE_##bit,                                                                            \
   PI_MEM_ADVICE_##contrary,                                                                       \
   "PI_MEM_ADVICE_" #bit,                                                                          \
   "PI_MEM_ADVICE_" #contrary,                                                                     \
   {CU_MEM_ADVISE_##advice, is_host}},
    USM_ADVICES(USM_ADVICE_ROW)
#undef USM_ADVICE_ROW
};

pi_result usm_advice_read(pi_mem_advice advice, usm_advice *list, size_t *count) {
  const unsigned bits = (unsigned)advice;
  const unsigned places = (unsigned)PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION |
                          (unsigned)PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST;
  size_t calls = 0;
  if (advice == PI_MEM_ADVICE_RESET)
    for (; calls < sizeof reset / sizeof reset[0]; calls++)
      list[calls] = reset[calls];
  if (advice == PI_MEM_ADVICE_RESET || advice == PI_MEM_ADVICE_UNKNOWN) {
    *count = calls;
    return PI_SUCCESS;
  }
  PI_REQUIRE((bits & places) != places, PI_ERROR_INVALID_VALUE,
             "advice 0x%x prefers the host and the device", bits);
  for (size_t i = 0; i < sizeof advices / sizeof advices[0]; i++) {
    if ((bits & advices[i].bit) == 0)
      continue;
    PI_REQUIRE((bits & advices[i].contrary) == 0, PI_ERROR_INVALID_VALUE,
               "advice 0x%x has both %s and %s", bits, advices[i].name, advices[i].contrary_name);
    list[calls++] = advices[i].call;
  }
  *count = calls;
  return PI_SUCCESS;
}
