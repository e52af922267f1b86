#include "a header.h"
kernel void k(global int *x) {
  *x = NUMBER;
}
