/*
 * Answers to UR's queries, by UR's rules: the size is always reported if the caller asks for it;
 * too small a capacity is UR_RESULT_ERROR_INVALID_SIZE, and a query without an answer is
 * UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION. The type for the place of an answer is PI's
 * (base/info.h).
 */
#ifndef UR_REPLY_H
#define UR_REPLY_H

#include "../plugins/base/info.h"

#include <ur/ur.h>

/* The place of the answer, from the parameters that every urXGetInfo has. */
#define REPLY_PLACE ((info_answer){propSize, pPropValue, pPropSizeRet})

/*
 * Checks the place before anything is computed. UR_RESULT_ERROR_INVALID_NULL_POINTER: the caller
 * asks for neither the answer nor its size, or passes a capacity without a place;
 * UR_RESULT_ERROR_INVALID_SIZE: the place has capacity 0.
 */
ur_result_t reply_check(const info_answer *answer);

/* Writes only the size, if the caller asks for it. INVALID_SIZE: the capacity is too small. */
ur_result_t reply_check_room(const info_answer *answer, size_t size);

/* Answer with size bytes (0 for an empty list), with a text and its NUL, or with a number. */
ur_result_t reply_bytes(const info_answer *answer, const void *bytes, size_t size);
ur_result_t reply_text(const info_answer *answer, const char *text);
ur_result_t reply_uint32(const info_answer *answer, uint32_t value);
ur_result_t reply_uint64(const info_answer *answer, uint64_t value);
ur_result_t reply_size(const info_answer *answer, size_t value);
ur_result_t reply_bool(const info_answer *answer, bool value);
ur_result_t reply_handle(const info_answer *answer, const void *handle);

/* Fail for a query that UR does not have, and for one without an answer here. */
ur_result_t reply_unknown(const char *type, uint32_t query);
ur_result_t reply_unsupported(const char *query, const char *reason);

#endif
