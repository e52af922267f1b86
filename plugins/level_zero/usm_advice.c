#include "usm_advice.h"

size_t usm_advice_list(unsigned bits, ze_memory_advice_t *list) {
  size_t count = 0;
#define USM_ADVICE_ROW(bit, advice)                                                                \
  if (bits & PI_MEM_ADVICE_##bit)                                                                  \
    list[count++] = ZE_MEMORY_ADVICE_##advice;
  USM_ADVICES(USM_ADVICE_ROW)
#undef USM_ADVICE_ROW
  return count;
}
