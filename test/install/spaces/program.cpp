#include "a header.h"

int main() {
  return NUMBER - 3;
}
