#include "words.h"

#include <string.h>

bool text_word_next(const char **list, text_word *ret) {
  if (!*list)
    return false;
  *list += strspn(*list, ",");
  const size_t length = strcspn(*list, ",");
  if (length == 0)
    return false;
  *ret = (text_word){*list, length};
  *list += length;
  return true;
}

bool text_word_is(text_word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}
