/*
 * Answers to UR's queries which the objects give as PI has them (reply.h has all others): the same
 * bytes, by UR's rules.
 */
#ifndef UR_REPLY_OBJECT_H
#define UR_REPLY_OBJECT_H

#include "../plugins/base/info.h"
#include "reply.h"

/* A query of PI's, of an object; device is that of a program's build or of a kernel, else NULL. */
typedef struct object_query {
  pi_result (*ask)(const struct object_query *query, const info_answer *answer);
  void *object;
  pi_device device;
  uint32_t number; /* PI's */
} object_query;

/*
 * Answers as the object does. UNSUPPORTED_ENUMERATION: the object has no answer; INVALID_SIZE; else
 * the object's own failure.
 */
ur_result_t reply_object(const info_answer *reply, const object_query *query);

/* Gets an answer of 32 bits, for a caller who has to turn it into UR's. */
ur_result_t object_uint32(const object_query *query, uint32_t *ret);

#endif
