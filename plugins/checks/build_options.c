#include "build_options.h"

#include <string.h>

typedef enum option_form { OPTION_WORD, OPTION_PREFIX, OPTION_PAIR } option_form;

static const struct {
  const char *text;
  option_form form;
  bool is_opencl;
} known_options[] = {
#define BUILD_OPTION(text, form) {text, OPTION_##form, true},
    OPENCL_BUILD_OPTIONS(BUILD_OPTION)
#undef BUILD_OPTION
#define BUILD_OPTION(text, form) {text, OPTION_##form, false},
        INTEL_BUILD_OPTIONS(BUILD_OPTION) NVIDIA_BUILD_OPTIONS(BUILD_OPTION)
#undef BUILD_OPTION
};

enum { KNOWN_OPTIONS = sizeof known_options / sizeof known_options[0], SHOWN_MAX = 200 };

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/*
 * Reads the next word; empty at the end. The word includes its quotes; within quotes blanks are
 * part of the word.
 */
static pi_result next_word(const char **at, pi_result refused, option_word *ret) {
  while (is_blank(**at))
    ++*at;
  ret->text = *at;
  char quote = '\0';
  for (; **at && (quote || !is_blank(**at)); ++*at) {
    if (quote && **at == quote)
      quote = '\0';
    else if (!quote && (**at == '\'' || **at == '"'))
      quote = **at;
  }
  REQUIRE(!quote, refused, "the options end within a %c quote", quote);
  ret->length = (size_t)(*at - ret->text);
  return PI_SUCCESS;
}

pi_result check_options(const char *options, pi_result refused) {
  option_word word;
  do
    TRY(next_word(&options, refused, &word));
  while (word.length != 0);
  return PI_SUCCESS;
}

/* Removes quotes that surround the whole word. */
static option_word without_quotes(option_word word) {
  if (word.length <= 2 || (*word.text != '\'' && *word.text != '"') ||
      word.text[word.length - 1] != *word.text)
    return word;
  return (option_word){word.text + 1, word.length - 2};
}

static int shown_length(const build_option *option) {
  return (int)(option->name.length < SHOWN_MAX ? option->name.length : SHOWN_MAX);
}

bool build_option_is(const build_option *option, const char *text, bool is_prefix) {
  const size_t size = strlen(text);
  return option->name.length >= size && memcmp(option->name.text, text, size) == 0 &&
         (is_prefix || option->name.length == size);
}

pi_result build_option_next(const char **options, pi_result refused, build_option *ret) {
  *ret = (build_option){.name = {.length = 0}};
  TRY(next_word(options, refused, &ret->name));
  ret->name = without_quotes(ret->name);
  int row = 0;
  if (ret->name.length == 0)
    return PI_SUCCESS;
  while (row < KNOWN_OPTIONS &&
         !build_option_is(ret, known_options[row].text, known_options[row].form == OPTION_PREFIX))
    row++;
  REQUIRE(row < KNOWN_OPTIONS, refused, "there is no build option %.*s", shown_length(ret),
          ret->name.text);
  ret->is_opencl = known_options[row].is_opencl;
  if (known_options[row].form != OPTION_PAIR)
    return PI_SUCCESS;
  TRY(next_word(options, refused, &ret->value));
  REQUIRE(ret->value.length != 0, refused, "build option %.*s has no value after it",
          shown_length(ret), ret->name.text);
  return PI_SUCCESS;
}

void build_option_ignore(const build_option *option, const char *backend) {
  plugin_note("build option %.*s means nothing to %s, and is ignored", shown_length(option),
              option->name.text, backend);
}
