/* compress INPUT OUTPUT: compresses a file to one zstd frame, as DPC++ compresses code. */
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

int main(int argc, char **argv) {
  enum { MOST = 1 << 23 };
  FILE *input = argc == 3 ? fopen(argv[1], "rb") : NULL;
  FILE *output = input ? fopen(argv[2], "wb") : NULL;
  if (!output)
    return 1;
  unsigned char *from = malloc(MOST), *to = malloc(ZSTD_compressBound(MOST));
  const size_t size = fread(from, 1, MOST, input);
  const size_t packed = ZSTD_compress(to, ZSTD_compressBound(MOST), from, size, 10);
  const int failed = ZSTD_isError(packed) || fwrite(to, 1, packed, output) != packed;
  free(from);
  free(to);
  return fclose(output) != 0 || fclose(input) != 0 || failed;
}
