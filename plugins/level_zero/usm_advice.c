#include "usm_advice.h"

/* What undoes all other advice; PI has one number for it. */
static const ze_memory_advice_t reset[] = {
    ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY,
    ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION,
    ZE_MEMORY_ADVICE_CLEAR_NON_ATOMIC_MOSTLY,
};

static const struct {
  unsigned bit, contrary;
  const char *name, *contrary_name;
  ze_memory_advice_t advice;
} advices[] = {
#define USM_ADVICE_ROW(bit, advice, contrary)                                                      \
  {PI_MEM_ADVICE_##bit, PI_MEM_ADVICE_##contrary, "PI_MEM_ADVICE_" #bit,                           \
   "PI_MEM_ADVICE_" #contrary, ZE_MEMORY_ADVICE_##advice},
    USM_ADVICES(USM_ADVICE_ROW)
#undef USM_ADVICE_ROW
};

pi_result usm_advice_read(pi_mem_advice advice, ze_memory_advice_t *list, size_t *count) {
  const unsigned bits = (unsigned)advice;
  size_t calls = 0;
  if (advice == PI_MEM_ADVICE_RESET)
    for (; calls < sizeof reset / sizeof reset[0]; calls++)
      list[calls] = reset[calls];
  else if (advice != PI_MEM_ADVICE_UNKNOWN)
    for (size_t i = 0; i < sizeof advices / sizeof advices[0]; i++) {
      if ((bits & advices[i].bit) == 0)
        continue;
      PI_REQUIRE((bits & advices[i].contrary) == 0, PI_ERROR_INVALID_VALUE,
                 "advice 0x%x has both %s and %s", bits, advices[i].name, advices[i].contrary_name);
      list[calls++] = advices[i].advice;
    }
  *count = calls;
  return PI_SUCCESS;
}
