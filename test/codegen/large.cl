/* Copies a large specialization constant to unaligned memory. */
#include <specpi/device.h>

typedef struct {
  int numbers[1024];
} table;
SPECPI_CONSTANT(table, numbers, {{1, 2, 3}});

kernel void copied(global char *out) {
  const table copy = specpi_get(numbers);
  __builtin_memcpy(out, &copy, sizeof copy);
}
