/* The lexer, which splits text into tokens. */
#ifndef SPECPI_TEST_PTX_LEX_H
#define SPECPI_TEST_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_token_kind {
  PTX_TOKEN_END,
  PTX_TOKEN_WORD,   /* a name, including a leading % */
  PTX_TOKEN_DOT,    /* .name, .1d or .L2::128B; text starts after the dot */
  PTX_TOKEN_NUMBER, /* an integer, in number */
  PTX_TOKEN_F32,    /* 0f and 8 digits; number has the bits */
  PTX_TOKEN_F64,    /* 0d and 16 digits, or a decimal fraction; number has the bits */
  PTX_TOKEN_STRING, /* a string; text is between the quotes */
  PTX_TOKEN_MARK,   /* one character of punctuation, in mark */
  PTX_TOKEN_BAD     /* an invalid character or number */
} ptx_token_kind;

typedef struct ptx_token {
  ptx_token_kind kind;
  const char *text; /* points into the module's text */
  size_t length;
  uint32_t line;
  uint64_t number;
  char mark;
} ptx_token;

typedef struct ptx_lexer {
  const char *at, *end;
  uint32_t line;
} ptx_lexer;

/* Returns the next token; at the end always PTX_TOKEN_END. */
ptx_token ptx_lex(ptx_lexer *lexer);

/* Reads a decimal number of at most four digits. Returns the number of digits, or 0. */
size_t ptx_lex_digits(const char *text, size_t length, unsigned *ret);

/* Returns whether a token has this kind and text. */
bool ptx_token_is(const ptx_token *token, ptx_token_kind kind, const char *text);

#endif
