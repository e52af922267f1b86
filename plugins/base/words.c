#include "words.h"

#include <string.h>

bool pi_word_next(const char **list, pi_word *ret) {
  if (!*list)
    return false;
  *list += strspn(*list, ",");
  const size_t length = strcspn(*list, ",");
  if (length == 0)
    return false;
  *ret = (pi_word){*list, length};
  *list += length;
  return true;
}

bool pi_word_is(pi_word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}
