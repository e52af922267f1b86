/*
 * The files scenarios_*.c have a call of every entry point of the table on a fixture: call_<entry>.
 * If one is missing, the program does not link. more_<name> are further calls.
 *
 * A call writes only to w->out, and takes objects that it uses up from w->spare. It also returns
 * PI_SUCCESS if the entry point rightly reports that the backend lacks an ability.
 */
#ifndef SPECPI_TEST_FAULT_SCENARIOS_H
#define SPECPI_TEST_FAULT_SCENARIOS_H

#include "world.h"

#define PI_FUNCTION(name, since, parameters, arguments) pi_result call_##name(world *w);
#include <pi/pi_functions.def>

/*
 * X(name): more_<name> in scenarios_more.c, a call that takes another path through its entry point.
 */
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

/* Starts a scenario. */
#define CALL(name) pi_result call_##name(world *w)

/* For entry points that no backend here supports: any other result fails the test. */
static inline pi_result expect_unsupported(pi_result result) {
  if (result == PI_ERROR_UNSUPPORTED_FEATURE)
    return PI_SUCCESS;
  return result == PI_SUCCESS ? PI_ERROR_UNKNOWN : result;
}

/* The same for entry points that only some backends support: can is a member of backend. */
static inline pi_result expect_where(bool can, pi_result result) {
  return can ? result : expect_unsupported(result);
}

#endif
