/* Text into tokens. */
#ifndef SPECPI_TEST_PTX_LEX_H
#define SPECPI_TEST_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ptx_token_kind {
  PTX_TOKEN_END,
  PTX_TOKEN_WORD,   /* a name, with its % */
  PTX_TOKEN_DOT,    /* .name or .1d or .L2::128B; the text begins after the dot */
  PTX_TOKEN_NUMBER, /* an integer: number */
  PTX_TOKEN_F32,    /* 0f and 8 digits: number has the bits */
  PTX_TOKEN_F64,    /* 0d and 16 digits, or a decimal fraction: number has the bits */
  PTX_TOKEN_STRING, /* the text is between the quotes */
  PTX_TOKEN_MARK,   /* one character of punctuation: mark */
  PTX_TOKEN_BAD     /* a character or number that PTX does not have */
} ptx_token_kind;

typedef struct ptx_token {
  ptx_token_kind kind;
  const char *text; /* in the module's text */
  size_t length;
  uint32_t line;
  uint64_t number;
  char mark;
} ptx_token;

typedef struct ptx_lexer {
  const char *at, *end;
  uint32_t line;
} ptx_lexer;

/* The next token; PTX_TOKEN_END again and again at the end. */
ptx_token ptx_lex(ptx_lexer *lexer);

/* Reads a decimal number at text, of at most four digits; how many there are, or 0. */
size_t ptx_lex_digits(const char *text, size_t length, unsigned *ret);

/* The token is this word of its kind. */
bool ptx_token_is(const ptx_token *token, ptx_token_kind kind, const char *text);

#endif
