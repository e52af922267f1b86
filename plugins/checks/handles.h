/*
 * Checks of handles, pointers and wait lists. They call HANDLE_IS_LIVE(object, KIND), which the
 * includer defines: objects/handle_checks.h for objects of the plugin, opencl/checks.h for handles
 * of the driver, of which only NULL can be refused.
 */
#ifndef CHECKS_HANDLES_H
#define CHECKS_HANDLES_H

#include "../base/error.h"

/*
 * Each returns from the calling function, with the code for that kind of object, unless the handle
 * is a live object of the kind.
 */
#define REQUIRE_HANDLE(object, KIND, code)                                                         \
  REQUIRE(HANDLE_IS_LIVE(object, KIND), code,                                                      \
          (object) ? #object " is not a live handle" : #object " is NULL")
#define REQUIRE_PLATFORM(platform) REQUIRE_HANDLE(platform, PLATFORM, PI_ERROR_INVALID_PLATFORM)
#define REQUIRE_DEVICE(device) REQUIRE_HANDLE(device, DEVICE, PI_ERROR_INVALID_DEVICE)
#define REQUIRE_CONTEXT(context) REQUIRE_HANDLE(context, CONTEXT, PI_ERROR_INVALID_CONTEXT)
#define REQUIRE_QUEUE(queue) REQUIRE_HANDLE(queue, QUEUE, PI_ERROR_INVALID_QUEUE)
#define REQUIRE_MEM(mem) REQUIRE_HANDLE(mem, MEM, PI_ERROR_INVALID_MEM_OBJECT)
#define REQUIRE_PROGRAM(program) REQUIRE_HANDLE(program, PROGRAM, PI_ERROR_INVALID_PROGRAM)
#define REQUIRE_KERNEL(kernel) REQUIRE_HANDLE(kernel, KERNEL, PI_ERROR_INVALID_KERNEL)
#define REQUIRE_EVENT(event) REQUIRE_HANDLE(event, EVENT, PI_ERROR_INVALID_EVENT)
#define REQUIRE_SAMPLER(sampler) REQUIRE_HANDLE(sampler, SAMPLER, PI_ERROR_INVALID_SAMPLER)
#define REQUIRE_COMMAND_BUFFER(command_buffer)                                                     \
  REQUIRE_HANDLE(command_buffer, COMMAND_BUFFER, PI_ERROR_INVALID_COMMAND_BUFFER_KHR)

/* Returns from the calling function if a required pointer is NULL. */
#define REQUIRE_POINTER(pointer) REQUIRE(pointer, PI_ERROR_INVALID_VALUE, #pointer " is NULL")

/*
 * Requires a wait list to be NULL if and only if its count is 0, and its events to be live handles.
 * Every function of PI has the same names for these arguments.
 */
#define REQUIRE_WAIT_LIST()                                                                        \
  do {                                                                                             \
    REQUIRE((num_events_in_wait_list == 0) == (event_wait_list == NULL),                           \
            PI_ERROR_INVALID_EVENT_WAIT_LIST,                                                      \
            "num_events_in_wait_list is %u and event_wait_list is %sNULL",                         \
            num_events_in_wait_list, event_wait_list ? "not " : "");                               \
    for (pi_uint32 event_index = 0; event_index < num_events_in_wait_list; event_index++)          \
      REQUIRE(HANDLE_IS_LIVE(event_wait_list[event_index], EVENT),                                 \
              PI_ERROR_INVALID_EVENT_WAIT_LIST, "event_wait_list[%u] is %s", event_index,          \
              event_wait_list[event_index] ? "not a live handle" : "NULL");                        \
  } while (0)

#endif
