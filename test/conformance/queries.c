/* The rules that hold for every information query. */
#include "fixture.h"

#include "../../plugins/base/names.h"

#include <stdlib.h>

/* X(kind, size, list): the kinds of answers in pi_enums.def. A list's size is any multiple of size,
 * including 0. */
#define KINDS(X)                                                                                   \
  X(UINT32, 4, false)                                                                              \
  X(UINT64, 8, false)                                                                              \
  X(SIZE, sizeof(size_t), false)                                                                   \
  X(BITS64, 8, false)                                                                              \
  X(FLOAT, 4, false)                                                                               \
  X(HANDLE, sizeof(void *), false)                                                                 \
  X(BOOL, sizeof(pi_bool), false)                                                                  \
  X(BOOL8, 1, false)                                                                               \
  X(SIZES2, 2 * sizeof(size_t), false)                                                             \
  X(SIZES3, 3 * sizeof(size_t), false)                                                             \
  X(BYTES16, 16, false)                                                                            \
  X(FORMAT, sizeof(pi_image_format), false)                                                        \
  X(TEXT, 1, true)                                                                                 \
  X(SIZES, sizeof(size_t), true)                                                                   \
  X(HANDLES, sizeof(void *), true)                                                                 \
  X(PROPERTIES, sizeof(intptr_t), true)                                                            \
  X(POINTERS, sizeof(void *), true)                                                                \
  X(MATRICES, 1, true)

#define KIND_NUMBER(kind, size, list) KIND_##kind,
typedef enum query_kind { KINDS(KIND_NUMBER) } query_kind;
#undef KIND_NUMBER

static const struct {
  size_t size;
  bool list;
} kinds[] = {
#define KIND_ROW(kind, size, list) {size, list},
    KINDS(KIND_ROW)
#undef KIND_ROW
};

static const struct {
  const char *type;
  const char *name;
  pi_uint32 query;
  query_kind kind;
} queries[] = {
#define PI_QUERY(type, name, value, kind) {#type, #name, value, KIND_##kind},
#include <pi/pi_enums.def>
};

/* Calls check with each query of this type that the object answers; returns their number. */
static int for_each_answer(const char *type, info_call *call, void *object, info_optional *optional,
                           void (*check)(size_t q, info_call *call, void *object, size_t size)) {
  int answered = 0;
  for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++) {
    if (strcmp(queries[q].type, type) != 0)
      continue;
    size_t size;
    memset(&size, UNTOUCHED_BYTE, sizeof size);
    const pi_result result = call(object, queries[q].query, 0, NULL, &size);
    if (result == PI_SUCCESS) {
      answered++;
      check(q, call, object, size);
    } else if (optional && !optional(queries[q].query)) {
      expect(false, "%s returned %s (%d)", queries[q].name, enumerator_name("pi_result", result),
             result);
    }
  }
  return answered;
}

/* Space for an answer and 16 bytes after it, all of them UNTOUCHED_BYTE. */
static unsigned char *new_room(size_t size) {
  unsigned char *value = malloc(size + 16);
  expect(value, "no memory");
  memset(value, UNTOUCHED_BYTE, size + 16);
  return value;
}

static void check_answer(size_t q, info_call *call, void *object, size_t size) {
  const char *name = queries[q].name;
  const size_t unit = kinds[queries[q].kind].size;
  if (kinds[queries[q].kind].list)
    expect(size % unit == 0, "%s has %zu bytes, which is no multiple of %zu", name, size, unit);
  else
    expect(size == unit, "%s has %zu bytes and must have %zu", name, size, unit);
  /* The caller must fill in an answer of pointers before the call, see program.c. */
  if (size == 0 || queries[q].kind == KIND_POINTERS)
    return;
  unsigned char *value = new_room(size);
  pi_result result = call(object, queries[q].query, size, value, NULL);
  expect(result == PI_SUCCESS, "%s reported its size, then returned %d", name, result);
  expect(value[size] == UNTOUCHED_BYTE, "%s was written after its end", name);
  if (queries[q].kind == KIND_TEXT)
    expect(value[size - 1] == '\0', "%s is a text that does not end in NUL", name);
  size_t told = 0;
  result = call(object, queries[q].query, size, value, &told);
  expect(result == PI_SUCCESS, "%s asked a second time returned %d", name, result);
  expect(told == size, "%s has %zu bytes, then %zu", name, size, told);
  free(value);
}

void check_queries(const char *type, info_call *call, void *object, info_optional *optional) {
  const int answered = for_each_answer(type, call, object, optional, check_answer);
  expect(answered > 0, "no query of %s was answered", type);
}

static void check_more_room(size_t q, info_call *call, void *object, size_t size) {
  if (size == 0 || queries[q].kind == KIND_POINTERS)
    return;
  unsigned char *value = new_room(size);
  size_t told = 0;
  const pi_result result = call(object, queries[q].query, size + 16, value, &told);
  expect(result == PI_SUCCESS, "%s with more space than it needs returned %d", queries[q].name,
         result);
  expect(told == size, "%s has %zu bytes, then %zu", queries[q].name, size, told);
  for (size_t i = size; i < size + 16; i++)
    expect(value[i] == UNTOUCHED_BYTE, "%s was written after its end", queries[q].name);
  free(value);
}

void check_queries_with_more_room(const char *type, info_call *call, void *object) {
  for_each_answer(type, call, object, NULL, check_more_room);
}

static void check_less_room(size_t q, info_call *call, void *object, size_t size) {
  if (size == 0 || queries[q].kind == KIND_POINTERS)
    return;
  unsigned char *value = new_room(size);
  size_t told;
  memset(&told, UNTOUCHED_BYTE, sizeof told);
  const pi_result result = call(object, queries[q].query, size - 1, value, &told);
  expect(result == PI_ERROR_INVALID_VALUE, "%s with one byte too little space returned %s (%d)",
         queries[q].name, enumerator_name("pi_result", result), result);
  check_untouched(value, size, CHECK_PLACE("the answer that does not fit"));
  check_untouched(&told, sizeof told, CHECK_PLACE("the size of an answer that does not fit"));
  free(value);
}

void check_queries_with_less_room(const char *type, info_call *call, void *object) {
  for_each_answer(type, call, object, NULL, check_less_room);
}

void check_unknown_query(info_call *call, void *object) {
  size_t size;
  expect_error_keeps(PI_ERROR_INVALID_VALUE, size, call(object, 0x7eeeeeee, 0, NULL, &size));
  unsigned char value[64];
  expect_error_keeps(PI_ERROR_INVALID_VALUE, value,
                     call(object, 0x7eeeeeee, sizeof value, value, NULL));
}

void check_query_for_nothing(const char *type, info_call *call, void *object) {
  for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++)
    if (strcmp(queries[q].type, type) == 0) {
      expect_error(PI_ERROR_INVALID_VALUE, call(object, queries[q].query, 0, NULL, NULL));
      return;
    }
}

void check_query_of_null(const char *type, info_call *call, pi_result code) {
  for (size_t q = 0; q < sizeof queries / sizeof queries[0]; q++)
    if (strcmp(queries[q].type, type) == 0) {
      size_t size;
      expect_error_keeps(code, size, call(NULL, queries[q].query, 0, NULL, &size));
      return;
    }
}
