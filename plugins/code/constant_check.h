/*
 * The checks of setting a specialization constant, with their sentences: the same in every plugin,
 * whatever language its code is in.
 */
#ifndef PI_CODE_CONSTANT_CHECK_H
#define PI_CODE_CONSTANT_CHECK_H

#include <pi/pi.h>

/* The ids that a module declares: id_at(list, i) is the ith of count. */
typedef struct pi_constant_ids {
  const void *list;
  size_t count;
  pi_uint32 (*id_at)(const void *list, size_t index);
} pi_constant_ids;

/* PI_ERROR_INVALID_VALUE when value is NULL. */
pi_result pi_constant_check_value(pi_uint32 id, const void *value);

/* PI_ERROR_INVALID_VALUE when size is not the size bytes that the constant has. */
pi_result pi_constant_check_size(pi_uint32 id, pi_uint32 declared, size_t size);

/*
 * The answer to an id that the module does not declare: PI_ERROR_INVALID_SPEC_ID with the ids that
 * it does, the first ones if they are many; PI_SUCCESS and a note for PI_SPEC_ID_ITT, which
 * runtimes set unasked.
 */
pi_result pi_constant_unknown(pi_uint32 id, const pi_constant_ids *declared);

#endif
