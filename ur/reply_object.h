/*
 * Answers to UR's queries whose bytes are the same as PI's: the objects answer, and UR's rules
 * apply to the place. All other answers are in reply.h.
 */
#ifndef UR_REPLY_OBJECT_H
#define UR_REPLY_OBJECT_H

#include "../plugins/base/info.h"
#include "reply.h"

/* A query of PI to an object. device: the device of a program's build or of a kernel, else NULL. */
typedef struct object_query {
  pi_result (*ask)(const struct object_query *query, const info_answer *answer);
  void *object;
  pi_device device;
  uint32_t number; /* PI's number for the query */
} object_query;

/*
 * Answers with the object's answer. UNSUPPORTED_ENUMERATION: the object has no answer;
 * INVALID_SIZE; otherwise the object's own failure.
 */
ur_result_t reply_object(const info_answer *reply, const object_query *query);

/* Gets an answer of 32 bits, for a caller that converts it to UR's. */
ur_result_t object_uint32(const object_query *query, uint32_t *ret);

#endif
