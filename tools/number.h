/* Numbers of the types that kernels have, from text to bytes and back. */
#ifndef SPECPI_TOOLS_NUMBER_H
#define SPECPI_TOOLS_NUMBER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* X(NAME, name, bytes, kind): every type of a number. */
#define NUMBER_TYPES(X)                                                                            \
  X(I8, "i8", 1, INTEGER)                                                                          \
  X(I16, "i16", 2, INTEGER)                                                                        \
  X(I32, "i32", 4, INTEGER)                                                                        \
  X(I64, "i64", 8, INTEGER)                                                                        \
  X(F16, "f16", 2, FLOAT)                                                                          \
  X(F32, "f32", 4, FLOAT)                                                                          \
  X(F64, "f64", 8, FLOAT)                                                                          \
  X(BOOL, "bool", 1, BOOL)

/* The types as people read them in messages. */
#define NUMBER_TYPES_TEXT "i8, i16, i32, i64, f16, f32, f64, bool"

typedef enum number_kind { NUMBER_INTEGER, NUMBER_FLOAT, NUMBER_BOOL } number_kind;

typedef struct number_type {
  const char *name;
  size_t size; /* bytes, at most 8 */
  number_kind kind;
} number_type;

/* The type whose name are the length bytes at name; NULL when there is none. */
const number_type *number_type_find(const char *name, size_t length);

/*
 * Reads all of text as a number and stores type->size bytes at bytes, at any alignment.
 * Integers are decimal or, after 0x, hexadecimal, with or without a sign; they may have any
 * value that fits the width with or without sign. Floating-point numbers are what strtod takes,
 * rounded once, to the nearest, ties to even. bool is true, false, 1 or 0.
 *
 * NULL on success, else why not, as a message without a full stop that the caller frees.
 */
char *number_parse(const number_type *type, const char *text, void *bytes);

/* Stores index as a number: integers keep the low bits, bool is whether it is not 0. */
void number_from_index(const number_type *type, size_t index, void *bytes);

/*
 * The number in JSON: bool as 0 or 1; what is not finite, for which JSON has no number, as the
 * text "nan", "inf" or "-inf". Integers have a sign.
 */
json_t *number_json(const number_type *type, const void *bytes);

/* Writes the number as text that number_parse would read to the same bytes. */
void number_print(const number_type *type, const void *bytes, FILE *out);

/* A count in decimal, which ends at end; false for one that overflows, or is none. */
bool number_parse_count(const char *text, const char *end, size_t *ret);

/* The reason for a name that is no type's, to be freed; others are more names, or "". */
char *number_unknown_type(const char *name, size_t length, const char *others);

/*
 * Reads a number of the type whose name are the length bytes at name, or bytes for the name "hex",
 * into new memory that the caller frees, also after a failure. *type is NULL for hex. As
 * number_parse otherwise.
 */
char *number_parse_typed(const char *name, size_t length, const char *text,
                         const number_type **type, unsigned char **ret, size_t *size);

/*
 * Reads pairs of hexadecimal digits into new memory that the caller frees. *size receives the
 * number of bytes, at least 1. As number_parse otherwise.
 */
char *number_parse_hex(const char *text, unsigned char **ret, size_t *size);

#endif
