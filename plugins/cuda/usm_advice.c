#include "usm_advice.h"

size_t usm_advice_list(unsigned bits, usm_advice *list) {
  size_t count = 0;
#define USM_ADVICE_ROW(bit, advice, is_host)                                                       \
  if (bits & PI_MEM_ADVICE_##bit)                                                                  \
    list[count++] = (usm_advice){CU_MEM_ADVISE_##advice, is_host};
  USM_ADVICES(USM_ADVICE_ROW)
#undef USM_ADVICE_ROW
  return count;
}
