/*
 * For every entry of the table a call of it in a world: call_<entry>, in the files
 * scenarios_*.c. An entry without one does not link. more_<name> are further ones.
 *
 * A call writes to nothing but w->out, and what it uses up it takes from w->spare. It
 * returns PI_SUCCESS also where the entry answers, as it should, that the backend cannot do it.
 */
#ifndef SPECPI_TEST_FAULT_SCENARIOS_H
#define SPECPI_TEST_FAULT_SCENARIOS_H

#include "world.h"

#define PI_FUNCTION(name, since, parameters, arguments) pi_result call_##name(world *w);
#include <pi/pi_functions.def>

/* X(name): more_<name> in scenarios_more.c, a call that takes another way through its entry. */
#define MORE_SCENARIOS(X)                                                                          \
  X(program_of_other_code)                                                                         \
  X(binaries_unwanted)                                                                             \
  X(command_buffer_grows)                                                                          \
  X(fill_in_steps)                                                                                 \
  X(write_later)                                                                                   \
  X(first_map)                                                                                     \
  X(read_rect_in_steps)                                                                            \
  X(barrier_of_all)                                                                                \
  X(marker_of_all)                                                                                 \
  X(write_behind_a_gate)                                                                           \
  X(read_behind_a_gate)                                                                            \
  X(queue_with_a_command)                                                                          \
  X(native_user_event)                                                                             \
  X(buffer_of_used_memory)                                                                         \
  X(buffer_of_allocated_memory)                                                                    \
  X(usm_fill_in_steps)                                                                             \
  X(usm_copy_of_rows_later)                                                                        \
  X(image_of_host_memory)                                                                          \
  X(image_read_with_gaps)                                                                          \
  X(image_copied_further)                                                                          \
  X(image_copied_back)                                                                             \
  X(mipmap_memory)                                                                                 \
  X(unsampled_level)                                                                               \
  X(sampled_mipmap)

#define MORE(name) pi_result more_##name(world *w)
#define MORE_SCENARIO(name) MORE(name);
MORE_SCENARIOS(MORE_SCENARIO)
#undef MORE_SCENARIO

/* Begins a scenario. */
#define CALL(name) pi_result call_##name(world *w)

/* For what no backend here has: any other answer is the test's failure. */
static inline pi_result expect_unsupported(pi_result result) {
  if (result == PI_ERROR_UNSUPPORTED_FEATURE)
    return PI_SUCCESS;
  return result == PI_SUCCESS ? PI_ERROR_UNKNOWN : result;
}

/* The same for what only some backends have: can is a member of backend. */
static inline pi_result expect_where(bool can, pi_result result) {
  return can ? result : expect_unsupported(result);
}

#endif
