/*
 * Answers to information queries. Implements the rules of all piXGetInfo functions: for queries of
 * the size only, for buffers that are too small, and for NULL.
 */
#ifndef BASE_INFO_H
#define BASE_INFO_H

#include <pi/pi.h>

/* Outputs of a query. */
typedef struct info_answer {
  size_t size;      /* capacity of value in bytes */
  void *value;      /* may be NULL */
  size_t *size_ret; /* may be NULL */
} info_answer;

/* Checks a query's outputs. PI_ERROR_INVALID_VALUE: value and size_ret are both NULL. */
pi_result answer_check(const info_answer *answer);

/*
 * Answers with size bytes; 0 for an empty list. PI_ERROR_INVALID_VALUE: the caller's buffer is too
 * small; the outputs stay unchanged.
 */
pi_result answer_bytes(const info_answer *answer, const void *bytes, size_t size);

/* Only checks that the caller's buffer is large enough. */
pi_result answer_check_room(const info_answer *answer, size_t size);

/* Answers with a text and its NUL. */
pi_result answer_text(const info_answer *answer, const char *text);

pi_result answer_uint32(const info_answer *answer, pi_uint32 value);
pi_result answer_uint64(const info_answer *answer, pi_uint64 value);
pi_result answer_size(const info_answer *answer, size_t value);
pi_result answer_bool(const info_answer *answer, bool value);
pi_result answer_handle(const info_answer *answer, const void *handle);

/* Fails with PI_ERROR_INVALID_VALUE because PI has no such query. */
pi_result answer_unknown(const char *type, pi_uint32 query);

/*
 * Fails because this backend or device cannot answer a query of PI. The code is
 * PI_ERROR_INVALID_VALUE, as in other plugins; runtimes treat it as "no".
 */
pi_result answer_unsupported(const char *type, pi_uint32 query, const char *reason);

#endif
