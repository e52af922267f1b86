/* tsearch allocates inside libc, out of the wraps' sight: here it asks them first. */
#include <search.h>
#include <stdlib.h>

typedef int compare(const void *left, const void *right);

void *__real_tsearch(const void *key, void **root, compare *compare);
void *__wrap_tsearch(const void *key, void **root, compare *compare);

void *__wrap_tsearch(const void *key, void **root, compare *compare) {
  void *asked = malloc(1);
  if (!asked)
    return NULL;
  free(asked);
  return __real_tsearch(key, root, compare);
}
