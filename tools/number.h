/* Numbers of the types that kernels use: converts text to bytes and back. */
#ifndef SPECPI_TOOLS_NUMBER_H
#define SPECPI_TOOLS_NUMBER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* X(NAME, name, bytes, kind): every number type. */
#define NUMBER_TYPES(X)                                                                            \
  X(I8, "i8", 1, INTEGER)                                                                          \
  X(I16, "i16", 2, INTEGER)                                                                        \
  X(I32, "i32", 4, INTEGER)                                                                        \
  X(I64, "i64", 8, INTEGER)                                                                        \
  X(F16, "f16", 2, FLOAT)                                                                          \
  X(F32, "f32", 4, FLOAT)                                                                          \
  X(F64, "f64", 8, FLOAT)                                                                          \
  X(BOOL, "bool", 1, BOOL)

/* The types' names as a list for messages. */
#define NUMBER_TYPES_TEXT "i8, i16, i32, i64, f16, f32, f64, bool"

typedef enum number_kind { NUMBER_INTEGER, NUMBER_FLOAT, NUMBER_BOOL } number_kind;

typedef struct number_type {
  const char *name;
  size_t size; /* bytes, at most 8 */
  number_kind kind;
} number_type;

/* Returns the type with this name of length bytes; NULL if there is none. */
const number_type *number_type_find(const char *name, size_t length);

/*
 * Parses the whole text as a number, and stores type->size bytes at bytes, which may have any
 * alignment. Integers are decimal, or hexadecimal after 0x, with an optional minus or plus; their
 * value must fit the type's width as a signed or as an unsigned number. Floating-point numbers have
 * strtod's syntax and are rounded once, to the nearest, ties to even. bool is true, false, 1 or 0.
 *
 * Returns NULL on success, else the reason, a message without a full stop that the caller frees.
 */
char *number_parse(const number_type *type, const char *text, void *bytes);

/* Stores index as a number of the type. Integers keep the low bits; bool is index != 0. */
void number_from_index(const number_type *type, size_t index, void *bytes);

/*
 * Returns the number in JSON. Integers are signed, and bool is 0 or 1. Infinities and NaNs, which
 * JSON numbers lack, become the strings "inf", "-inf" and "nan".
 */
json_t *number_json(const number_type *type, const void *bytes);

/* Prints the number so that number_parse reads it back to the same bytes. */
void number_print(const number_type *type, const void *bytes, FILE *out);

/* Parses a decimal count that ends at end. Returns false if it overflows or is no number. */
bool number_parse_count(const char *text, const char *end, size_t *ret);

/* Returns the message for an unknown type name. others: more valid names to list, or "". */
char *number_unknown_type(const char *name, size_t length, const char *others);

/*
 * Parses text as a number of the named type, or as hexadecimal bytes if the name is "hex", whose
 * *type is NULL. name has length bytes. The result is in new memory that the caller frees, also
 * after a failure. Returns as number_parse.
 */
char *number_parse_typed(const char *name, size_t length, const char *text,
                         const number_type **type, unsigned char **ret, size_t *size);

/*
 * Parses pairs of hexadecimal digits into new memory that the caller frees. *size receives the
 * number of bytes, at least 1. Returns as number_parse.
 */
char *number_parse_hex(const char *text, unsigned char **ret, size_t *size);

#endif
