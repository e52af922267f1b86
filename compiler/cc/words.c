#include "words.h"

#include <stdlib.h>
#include <string.h>

typedef enum form { FORM_ALONE, FORM_START, FORM_VALUE, FORM_NEXT, FORM_BOTH } form;

typedef enum group {
  GROUP_ALL,
  GROUP_READ,
  GROUP_TEXTS,
  GROUP_HOST,
  GROUP_LINK,
  GROUP_LEVEL,
  GROUP_DEPEND,
  GROUP_STEP,
  GROUP_BESIDE,
  GROUP_CLANG,
  GROUP_SYCL,
  GROUP_DEVICE,
  GROUP_ONLY_DEVICE,
  GROUP_ONLY_HOST
} group;

static const struct {
  const char *text;
  form form;
  group group;
} rows[] = {
#define CC_WORD(text, FORM, GROUP) {text, FORM_##FORM, GROUP_##GROUP},
    CC_WORDS(CC_WORD)
#undef CC_WORD
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* The row that fits a word; ROW_COUNT when there is none. */
static size_t find_rule(const char *word) {
  size_t i = 0;
  for (; i < ROW_COUNT; i++) {
    const bool whole = strcmp(word, rows[i].text) == 0;
    const bool start = strncmp(word, rows[i].text, strlen(rows[i].text)) == 0;
    if (whole || (start && rows[i].form != FORM_ALONE && rows[i].form != FORM_NEXT))
      break;
  }
  return i;
}

bool cc_words_have(const char *word) {
  return find_rule(word) != ROW_COUNT;
}

/* The part of a word that is its value; "": the value is the next word; NULL: none follows. */
static const char *value_of(size_t row, const char *word) {
  const form of = row == ROW_COUNT ? FORM_ALONE : rows[row].form;
  if (of == FORM_BOTH)
    return "";
  return of == FORM_VALUE || of == FORM_NEXT ? word + strlen(rows[row].text) : NULL;
}

const char *cc_words_value(const char *word) {
  return value_of(find_rule(word), word);
}

int cc_words_size(const char *word) {
  const char *value = cc_words_value(word);
  return value && *value == '\0' ? 2 : 1;
}

bool cc_words_is_object(const char *file) {
  static const char *const endings[] = {".o", ".a", ".so", ".lo", ".obj"};
  const size_t size = strlen(file);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    const size_t length = strlen(endings[i]);
    if (size > length && strcmp(file + size - length, endings[i]) == 0)
      return true;
  }
  const char *slash = strrchr(file, '/');
  return strstr(slash ? slash : file, ".so.") != NULL;
}

bool cc_words_may_pass(const char *option, const char *value) {
  return *value != '@' || CC_FAIL("'%s%s%s': what begins with '@' is a file of options to "
                                  "compilers; './' may stand before a path",
                                  option, *option ? " " : "", value);
}

char *cc_words_quote(const char *path) {
  char *made = cc_new(2 * strlen(path) + 1, 1);
  char *to = made;
  for (const char *at = path; *at; at++) {
    if (*at == ' ' || *at == '#')
      *to++ = '\\';
    else if (*at == '$')
      *to++ = '$';
    *to++ = *at;
  }
  return made;
}

char *cc_words_unquote(const char *word) {
  char *made = cc_new(strlen(word) + 1, 1);
  char *to = made;
  for (const char *at = word; *at; at++) {
    if ((at[0] == '\\' && (at[1] == ' ' || at[1] == '#')) || (at[0] == '$' && at[1] == '$'))
      at++;
    *to++ = *at;
  }
  return made;
}

static void take_dependence(cc_words *words, const char *word, const char *value) {
  const char kind = word[2];
  if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) {
    words->depend = word;
    return;
  }
  words->depend_other = word;
  if (kind == 'F')
    words->depend_file = value;
  else if (kind == 'P')
    words->depend_phony = true;
  else if (value)
    cc_texts_add(&words->depend_targets,
                 kind == 'Q' ? cc_words_quote(value) : cc_format("%s", value));
}

static void add_word(cc_texts *list, const char *word, const char *next) {
  cc_texts_add(list, word);
  if (next)
    cc_texts_add(list, next);
}

/* The value of a word that begins with a text; NULL: it does not. */
static const char *after(const char *word, const char *text) {
  const size_t size = strlen(text);
  return strncmp(word, text, size) == 0 ? word + size : NULL;
}

/* The host's compiler and libraries are all that counts of options for DPC++'s driver. */
static void take_sycl(cc_words *words, const char *word) {
  const char *compiler = after(word, "-fsycl-host-compiler=");
  const char *options = after(word, "-fsycl-host-compiler-options=");
  const char *library = after(word, "-foffload-static-lib=");
  const char *whole = after(word, "-foffload-whole-static-lib=");
  if (compiler)
    words->host_compiler = compiler;
  if (options)
    words->host_compiler_options = options;
  if (library)
    cc_texts_add(&words->link, library);
  if (whole) {
    cc_texts_add(&words->link, "-Wl,--whole-archive");
    cc_texts_add(&words->link, whole);
    cc_texts_add(&words->link, "-Wl,--no-whole-archive");
  }
}

/* next: a value in a word of its own, or NULL; value: the same, or what the word has of it. */
static bool take_word(cc_words *words, group to, const char *word, const char *next,
                      const char *value) {
  switch (to) {
  case GROUP_ALL:
    add_word(&words->device, word, next);
    /* fall through */
  case GROUP_READ:
    add_word(&words->read, word, next);
    /* fall through */
  case GROUP_HOST:
    add_word(&words->host, word, next);
    return true;
  case GROUP_TEXTS:
    add_word(&words->read, word, next);
    return true;
  case GROUP_LINK:
    add_word(&words->link, word, next);
    return true;
  case GROUP_LEVEL:
    words->level = word;
    return true;
  case GROUP_DEPEND:
    take_dependence(words, word, value);
    return true;
  case GROUP_STEP:
    return CC_FAIL("'%s' asks for another step than --emit does; -c and -E stand before --", word);
  case GROUP_CLANG:
    add_word(&words->device, word, next);
    add_word(&words->clang, word, next);
    return true;
  case GROUP_SYCL:
    take_sycl(words, word);
    return true;
  case GROUP_DEVICE:
    add_word(&words->sycl, word, next);
    return true;
  case GROUP_ONLY_DEVICE:
    cc_texts_add(&words->device, next);
    return true;
  case GROUP_ONLY_HOST:
    cc_texts_add(&words->read, next);
    cc_texts_add(&words->host, next);
    return true;
  case GROUP_BESIDE:
    break;
  }
  return CC_FAIL("'%s' makes files beside the output, which specpi-cc has no place for; "
                 "docs/include-sycl.md has the single steps",
                 word);
}

bool cc_words_take(cc_words *cc_words, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *word = words[i];
    if (word[0] != '-' || word[1] == '\0') {
      if (!cc_words_is_object(word))
        return CC_FAIL("'%s' is no option, object or library; files of C++ stand before --", word);
      if (!cc_words_may_pass("", word))
        return false;
      cc_texts_add(&cc_words->link, word);
      continue;
    }
    if (strncmp(word, "-std=", 5) == 0 || strncmp(word, "--std=", 6) == 0)
      cc_words->standard = strchr(word, '=') + 1;
    const size_t row = find_rule(word);
    const char *next = NULL;
    const char *value = value_of(row, word);
    if (value) {
      if (*value == '\0') {
        if (++i == count)
          return CC_FAIL("'%s' needs a value", word);
        value = next = words[i];
      }
      if (rows[row].group != GROUP_DEPEND && !cc_words_may_pass(rows[row].text, value))
        return false;
    }
    if (!take_word(cc_words, row == ROW_COUNT ? GROUP_ALL : rows[row].group, word, next, value))
      return false;
  }
  return !cc_words->depend_other || cc_words->depend ||
         CC_FAIL("'%s' needs -MD or -MMD", cc_words->depend_other);
}

void cc_words_free(cc_words *words) {
  for (size_t i = 0; i < words->depend_targets.count; i++)
    free((char *)words->depend_targets.items[i]);
  cc_texts_free(&words->host);
  cc_texts_free(&words->read);
  cc_texts_free(&words->device);
  cc_texts_free(&words->clang);
  cc_texts_free(&words->sycl);
  cc_texts_free(&words->link);
  cc_texts_free(&words->depend_targets);
  *words = (cc_words){0};
}
