/*
 * Answers to information queries: one place for the rules that every piXGetInfo
 * follows (size only, too small a buffer, NULL).
 */
#ifndef BASE_INFO_H
#define BASE_INFO_H

#include <pi/pi.h>

/* The caller's place for the answer to a query. */
typedef struct info_answer {
  size_t size;      /* capacity of value in bytes */
  void *value;      /* may be NULL */
  size_t *size_ret; /* may be NULL */
} info_answer;

/*
 * Checks a query's outputs before anything is computed. PI_ERROR_INVALID_VALUE when
 * the caller wants neither the answer nor its size.
 */
pi_result answer_check(const info_answer *answer);

/*
 * Answers with size bytes; a size of 0 is an empty list.
 * PI_ERROR_INVALID_VALUE, outputs untouched, when the caller's buffer is smaller.
 */
pi_result answer_bytes(const info_answer *answer, const void *bytes, size_t size);

/* Only that check. */
pi_result answer_check_room(const info_answer *answer, size_t size);

/* The same as answer_bytes for a text, its NUL included. */
pi_result answer_text(const info_answer *answer, const char *text);

pi_result answer_uint32(const info_answer *answer, pi_uint32 value);
pi_result answer_uint64(const info_answer *answer, pi_uint64 value);
pi_result answer_size(const info_answer *answer, size_t value);
pi_result answer_bool(const info_answer *answer, bool value);
pi_result answer_handle(const info_answer *answer, const void *handle);

/* The failure for a query that PI does not have: PI_ERROR_INVALID_VALUE. */
pi_result answer_unknown(const char *type, pi_uint32 query);

/*
 * The failure for a query that PI has and this backend or device cannot answer:
 * PI_ERROR_INVALID_VALUE, as the other plugins do; runtimes take it for "no".
 */
pi_result answer_unsupported(const char *type, pi_uint32 query, const char *reason);

#endif
