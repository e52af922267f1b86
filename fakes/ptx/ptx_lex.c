#include "ptx_lex.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

static char peek(const ptx_lexer *lexer, size_t ahead) {
  if (ahead < (size_t)(lexer->end - lexer->at))
    return lexer->at[ahead];
  return '\0';
}

static void skip_line(ptx_lexer *lexer) {
  while (lexer->at < lexer->end && *lexer->at != '\n')
    lexer->at++;
}

static void skip_comment(ptx_lexer *lexer) {
  lexer->at += 2;
  while (lexer->at < lexer->end && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/')) {
    if (*lexer->at == '\n')
      lexer->line++;
    lexer->at++;
  }
  lexer->at += lexer->at < lexer->end ? 2 : 0;
}

static void skip_blank(ptx_lexer *lexer) {
  while (lexer->at < lexer->end) {
    const char c = *lexer->at;
    if (c == '\n')
      lexer->line++;
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f')
      lexer->at++;
    else if (c == '/' && peek(lexer, 1) == '/')
      skip_line(lexer);
    else if (c == '/' && peek(lexer, 1) == '*')
      skip_comment(lexer);
    else
      return;
  }
}

static int digit_of(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Reads min to max digits of a base, whose value must fit 64 bits. */
static bool digits(ptx_lexer *lexer, unsigned base, size_t min, size_t max, uint64_t *ret) {
  uint64_t value = 0;
  size_t count = 0;
  while (count < max && digit_of(peek(lexer, 0)) < (int)base) {
    const uint64_t digit = (uint64_t)digit_of(*lexer->at);
    if (value > (UINT64_MAX - digit) / base)
      return false;
    value = value * base + digit;
    lexer->at++;
    count++;
  }
  *ret = value;
  return count >= min;
}

/* Reads a fraction such as 1.5e-3, which starts at text. */
static bool fraction(ptx_lexer *lexer, const char *text, uint64_t *ret) {
  lexer->at = text;
  while (is_digit(peek(lexer, 0)) || peek(lexer, 0) == '.')
    lexer->at++;
  if (peek(lexer, 0) == 'e' || peek(lexer, 0) == 'E') {
    lexer->at++;
    if (peek(lexer, 0) == '+' || peek(lexer, 0) == '-')
      lexer->at++;
    while (is_digit(peek(lexer, 0)))
      lexer->at++;
  }
  char copy[64];
  const size_t length = (size_t)(lexer->at - text);
  if (length >= sizeof(copy))
    return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  char *end;
  const double value = strtod(copy, &end);
  memcpy(ret, &value, sizeof(value));
  return *end == '\0';
}

static bool lex_number(ptx_lexer *lexer, ptx_token *token) {
  const char *text = lexer->at;
  token->kind = PTX_TOKEN_NUMBER;
  const char second = peek(lexer, 1);
  if (*text == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
    const bool wide = second == 'd' || second == 'D';
    lexer->at += 2;
    token->kind = wide ? PTX_TOKEN_F64 : PTX_TOKEN_F32;
    const size_t count = wide ? 16 : 8;
    return digits(lexer, 16, count, count, &token->number) && !is_name(peek(lexer, 0));
  }
  unsigned base = 10;
  if (*text == '0' && (second == 'x' || second == 'X' || second == 'b' || second == 'B')) {
    base = second == 'x' || second == 'X' ? 16 : 2;
    lexer->at += 2;
  } else {
    size_t length = 0;
    while (is_digit(peek(lexer, length)))
      length++;
    const char next = peek(lexer, length);
    if (next == 'e' || next == 'E' || (next == '.' && is_digit(peek(lexer, length + 1)))) {
      token->kind = PTX_TOKEN_F64;
      return fraction(lexer, text, &token->number) && !is_name(peek(lexer, 0));
    }
    base = *text == '0' ? 8 : 10;
  }
  if (!digits(lexer, base, 1, SIZE_MAX, &token->number))
    return false;
  if (peek(lexer, 0) == 'U')
    lexer->at++;
  return !is_name(peek(lexer, 0));
}

static void string(ptx_lexer *lexer, ptx_token *token) {
  token->text = ++lexer->at;
  while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n')
    lexer->at++;
  token->length = (size_t)(lexer->at - token->text);
  token->kind = peek(lexer, 0) == '"' ? PTX_TOKEN_STRING : PTX_TOKEN_BAD;
  lexer->at += token->kind == PTX_TOKEN_STRING;
}

ptx_token ptx_lex(ptx_lexer *lexer) {
  skip_blank(lexer);
  ptx_token token = {.kind = PTX_TOKEN_END, .text = lexer->at, .line = lexer->line};
  const char c = peek(lexer, 0);
  if (lexer->at == lexer->end)
    return token;
  if (c == '"') {
    string(lexer, &token);
    return token;
  }
  if (is_digit(c)) {
    if (!lex_number(lexer, &token))
      token.kind = PTX_TOKEN_BAD;
    while (is_name(peek(lexer, 0)))
      lexer->at++; /* skips the rest of a bad number */
  } else if (c == '.' && is_name(peek(lexer, 1))) {
    token.kind = PTX_TOKEN_DOT;
    token.text = ++lexer->at;
    while (is_name(peek(lexer, 0)) || (peek(lexer, 0) == ':' && peek(lexer, 1) == ':')) {
      if (*lexer->at == ':')
        lexer->at++;
      lexer->at++;
    }
  } else if (is_name(c) || (c == '%' && is_name(peek(lexer, 1)))) {
    token.kind = PTX_TOKEN_WORD;
    do
      lexer->at++;
    while (is_name(peek(lexer, 0)));
  } else {
    token.mark = c;
    token.kind = c && strchr("{}()[]<>,;:=+-*|!@~&^", c) ? PTX_TOKEN_MARK : PTX_TOKEN_BAD;
    lexer->at++;
  }
  token.length = (size_t)(lexer->at - token.text);
  return token;
}

size_t ptx_lex_digits(const char *text, size_t length, unsigned *ret) {
  size_t count = 0;
  *ret = 0;
  for (; count < length && count < 4 && is_digit(text[count]); count++)
    *ret = *ret * 10 + (unsigned)(text[count] - '0');
  return count;
}

bool ptx_token_is(const ptx_token *token, ptx_token_kind kind, const char *text) {
  /* Compares the first letter before a call, because sanitizers make calls expensive. */
  return token->kind == kind && token->length > 0 && *token->text == *text &&
         strncmp(text, token->text, token->length) == 0 && text[token->length] == '\0';
}
