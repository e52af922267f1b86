/*
 * Reads the declarations of kernels in a PTX text, because the code may not be built yet, and old
 * drivers cannot list kernels. Also finds out whether the text declares variables.
 */
#include "code_info.h"

#include "../base/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct scanner {
  const char *at;
  const char *end;
} scanner;

typedef struct word {
  const char *text;
  size_t length;
} word;

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

static bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Skips a comment or a string that begins here. Returns false if there is none. */
static bool skip_comment_or_string(scanner *s) {
  const size_t left = (size_t)(s->end - s->at);
  if (left >= 2 && s->at[0] == '/' && s->at[1] == '/') {
    const char *line_end = memchr(s->at, '\n', left);
    s->at = line_end ? line_end : s->end;
    return true;
  }
  if (left >= 2 && s->at[0] == '/' && s->at[1] == '*') {
    for (s->at += 2; s->end - s->at >= 2 && !(s->at[0] == '*' && s->at[1] == '/');)
      s->at++;
    s->at = s->end - s->at >= 2 ? s->at + 2 : s->end;
    return true;
  }
  if (left != 0 && *s->at == '"') {
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
      s->at += *s->at == '\\' && s->end - s->at > 1;
    s->at += s->at < s->end;
    return true;
  }
  return false;
}

/* Skips spaces, comments and strings, which this reader ignores. */
static void skip_space(scanner *s) {
  for (;;) {
    if (s->at < s->end && is_space(*s->at))
      s->at++;
    else if (!skip_comment_or_string(s))
      return;
  }
}

/* Skips spaces and reads the next word. The word is empty if something else follows. */
static word take_word(scanner *s) {
  skip_space(s);
  const char *begin = s->at;
  while (s->at < s->end && is_word_char(*s->at))
    s->at++;
  return (word){begin, (size_t)(s->at - begin)};
}

static bool word_is(word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

static bool take_char(scanner *s, char c) {
  skip_space(s);
  if (s->at == s->end || *s->at != c)
    return false;
  s->at++;
  return true;
}

/* Moves past the closing bracket. The caller has already read the opening one. */
static void skip_brackets(scanner *s, char open, char close) {
  size_t depth = 1;
  while (s->at < s->end && depth != 0) {
    if (skip_comment_or_string(s))
      continue;
    depth += *s->at == open;
    depth -= *s->at == close;
    s->at++;
  }
}

/* Reads a number in decimal, octal or hexadecimal, as in C. */
static bool take_number(scanner *s, pi_uint32 *ret) {
  const word word = take_word(s);
  char text[24];
  if (word.length == 0 || word.length >= sizeof text || *word.text < '0' || *word.text > '9')
    return false;
  memcpy(text, word.text, word.length);
  text[word.length] = '\0';
  char *end;
  const unsigned long long value = strtoull(text, &end, 0);
  if ((*end != '\0' && strcmp(end, "U") != 0) || value > INT32_MAX)
    return false;
  *ret = (pi_uint32)value;
  return true;
}

/* X(type, size in bytes) */
#define PTX_TYPES(X)                                                                               \
  X(".b8", 1)                                                                                      \
  X(".u8", 1)                                                                                      \
  X(".s8", 1)                                                                                      \
  X(".b16", 2)                                                                                     \
  X(".u16", 2)                                                                                     \
  X(".s16", 2)                                                                                     \
  X(".f16", 2)                                                                                     \
  X(".bf16", 2)                                                                                    \
  X(".b32", 4)                                                                                     \
  X(".u32", 4)                                                                                     \
  X(".s32", 4)                                                                                     \
  X(".f32", 4)                                                                                     \
  X(".f16x2", 4)                                                                                   \
  X(".bf16x2", 4)                                                                                  \
  X(".b64", 8)                                                                                     \
  X(".u64", 8)                                                                                     \
  X(".s64", 8)                                                                                     \
  X(".f64", 8)                                                                                     \
  X(".b128", 16)

/* Returns the size of a type in bytes; 0 for other words. *ret is the name without the dot. */
static pi_uint32 type_size(word word, const char **ret) {
#define PTX_TYPE(name, bytes)                                                                      \
  if (word_is(word, name)) {                                                                       \
    *ret = &(name)[1];                                                                             \
    return bytes;                                                                                  \
  }
  PTX_TYPES(PTX_TYPE)
#undef PTX_TYPE
  return 0;
}

/* Returns the name of a state space without the dot; NULL for other words. */
static const char *space_of(word word) {
  static const char *const spaces[] = {".global", ".const", ".local", ".shared"};
  for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
    if (word_is(word, spaces[i]))
      return spaces[i] + 1;
  return NULL;
}

/*
 * Reads a parameter such as `.param .align 8 .b8 name[24]`. Returns false if the syntax is unknown.
 */
static bool take_parameter(scanner *s, pi_uint32 *end, code_parameter *ret, code_declaration *as) {
  pi_uint32 size = 0;
  pi_uint32 align = 0;
  bool pointer = false;
  *as = (code_declaration){.type = NULL};
  if (!word_is(take_word(s), ".param"))
    return false;
  word word = take_word(s);
  for (; word.length != 0 && *word.text == '.'; word = take_word(s)) {
    pi_uint32 number = 0;
    if (word_is(word, ".align")) {
      if (!take_number(s, &number))
        return false;
      align = pointer ? align : number; /* after .ptr it is the alignment of the target */
    } else if (word_is(word, ".ptr")) {
      pointer = true;
    } else if (type_size(word, &as->type) != 0) {
      size = type_size(word, &as->type);
    } else if (!pointer) {
      return false; /* only after .ptr may another word follow, a state space */
    } else {
      as->space = space_of(word);
    }
  }
  if (word.length == 0 || size == 0)
    return false;
  align = align ? align : size;
  while (take_char(s, '[')) {
    pi_uint32 count = 0;
    if (!take_number(s, &count) ||
        __builtin_mul_overflow(as->count ? as->count : 1, count, &as->count) ||
        !take_char(s, ']') || __builtin_mul_overflow(size, count, &size))
      return false;
  }
  if ((align & (align - 1)) != 0 || align > 4096 || size > INT32_MAX - 2 * 4096u ||
      *end > INT32_MAX - size - 4096u)
    return false;
  ret->offset = (*end + align - 1) & ~(align - 1);
  ret->size = size;
  *end = ret->offset + size;
  return true;
}

enum { PARAMETERS_MAX = 4096 };

/* Reads the parameters in parentheses. parameter_count stays CODE_UNKNOWN if one is unknown. */
static pi_result take_parameters(scanner *s, code_kernel *kernel) {
  /* Count the parameters first, so that one allocation is enough. */
  scanner ahead = *s;
  code_parameter parameter;
  code_declaration declaration;
  pi_uint32 count = 0;
  pi_uint32 end = 0;
  bool known = true;
  if (!take_char(&ahead, ')')) {
    do {
      known = take_parameter(&ahead, &end, &parameter, &declaration);
      count++;
    } while (known && count < PARAMETERS_MAX && take_char(&ahead, ','));
    known = known && take_char(&ahead, ')');
  }
  if (!known) {
    skip_brackets(s, '(', ')');
    return PI_SUCCESS;
  }
  TRY(code_set_parameter_count(kernel, count));
  kernel->declarations = calloc((size_t)count + 1, sizeof *kernel->declarations);
  REQUIRE_MEMORY(kernel->declarations, "%u declarations of parameters", count);
  end = 0;
  for (pi_uint32 i = 0; i < count; i++) {
    take_parameter(s, &end, &kernel->parameters[i], &kernel->declarations[i]);
    take_char(s, ',');
  }
  *s = ahead;
  return PI_SUCCESS;
}

static void take_required(scanner *s, code_kernel *kernel) {
  pi_uint32 sizes[3] = {0, 1, 1};
  for (int i = 0; i < 3; i++)
    if (!take_number(s, &sizes[i]) || !take_char(s, ','))
      break;
  if (sizes[0] != 0 && sizes[1] != 0 && sizes[2] != 0)
    memcpy(kernel->required, sizes, sizeof sizes);
}

static pi_result take_entry(scanner *s, code_info *info) {
  const word name = take_word(s);
  if (name.length == 0)
    return PI_SUCCESS;
  code_kernel *kernel;
  TRY(code_add_kernel(info, name.text, name.length, &kernel));
  if (take_char(s, '('))
    TRY(take_parameters(s, kernel));
  else
    TRY(code_set_parameter_count(kernel, 0));
  for (skip_space(s); s->at < s->end && *s->at != '{' && *s->at != ';'; skip_space(s)) {
    const word word = take_word(s);
    if (word_is(word, ".reqntid"))
      take_required(s, kernel);
    else if (word.length == 0)
      s->at += s->at < s->end && *s->at != '{' && *s->at != ';';
  }
  if (s->at == s->end || *s->at == '{')
    return PI_SUCCESS;
  /* Remove the kernel again: this is only a declaration, and the definition follows. */
  info->count--;
  free(kernel->name);
  free(kernel->parameters);
  free(kernel->declarations);
  return PI_SUCCESS;
}

pi_result ptx_read_kernels(const char *text, size_t size, code_info *info) {
  scanner s = {text, text + size};
  for (skip_space(&s); s.at < s.end; skip_space(&s)) {
    const word word = take_word(&s);
    if (word_is(word, ".entry")) {
      TRY(take_entry(&s, info));
    } else if (word.length == 0 && s.at < s.end) {
      const char c = *s.at++;
      if (c == '{')
        skip_brackets(&s, '{', '}');
    }
  }
  return PI_SUCCESS;
}

/*
 * Any other word .global or .const declares a variable: in memory accesses the space is part of a
 * longer word, such as ld.global.u32, and in parameters the space follows .ptr.
 */
bool ptx_declares_variables(const char *text, size_t size) {
  scanner s = {text, text + size};
  word before = {NULL, 0};
  for (skip_space(&s); s.at < s.end; skip_space(&s)) {
    const word word = take_word(&s);
    if ((word_is(word, ".global") || word_is(word, ".const")) && !word_is(before, ".ptr"))
      return true;
    if (word.length == 0 && s.at < s.end)
      s.at++;
    before = word;
  }
  return false;
}
