/* lower IN OUT: rewrites the reads of constants in a module, and prints the constants for the
 * image's property sets. */
#include "../../compiler/properties/properties.h"
#include "../../compiler/sycl_jit/constants.h"
#include "../../plugins/base/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_constant(const specpi_compiler_constant *constant) {
  printf("%s:", constant->name);
  for (size_t i = 0; i < constant->descriptor_count; i++)
    printf(" %d@%u+%u", (int)constant->descriptors[i].id, constant->descriptors[i].offset,
           constant->descriptors[i].size);
  printf(" =");
  for (size_t i = 0; i < constant->size; i++)
    printf(" %02x", ((const unsigned char *)constant->default_data)[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  size_t size;
  char *module = read_file(argv[1], &size);
  if (module == NULL)
    return 2;
  jit_constants all = {0};
  jit_constants_used used = {0};
  word_output made = {0};
  const specpi_compiler_result result = jit_constants_lower(module, size, &all, &used, &made);
  if (result != SPECPI_COMPILER_SUCCESS)
    printf("%s: %s\n", specpiCompilerResultGetName(result), specpiCompilerGetLastError());
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < used.count; i++)
    print_constant(&all.items.items[used.items[i]].known);
  FILE *out = result == SPECPI_COMPILER_SUCCESS ? fopen(argv[2], "wb") : NULL;
  /* The status of an error is 3, because sanitizers use 1. */
  const int status = out != NULL && fwrite(made.bytes, 1, made.size, out) == made.size ? 0 : 3;
  if (out != NULL)
    fclose(out);
  free(made.bytes);
  free(used.items);
  free(module);
  jit_constants_free(&all);
  return status;
}
