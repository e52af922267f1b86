/* Checks and macros that several files of the plugin share. */
#ifndef OPENCL_CHECKS_H
#define OPENCL_CHECKS_H

#include "opencl.h"

#include "../checks/arguments.h"

/* Each returns from the calling function with the object's code when the handle is NULL. */
#define REQUIRE_NOT_NULL(handle, code) REQUIRE(handle, code, #handle " is NULL")
#define REQUIRE_PLATFORM(platform) REQUIRE_NOT_NULL(platform, PI_ERROR_INVALID_PLATFORM)
#define REQUIRE_DEVICE(device) REQUIRE_NOT_NULL(device, PI_ERROR_INVALID_DEVICE)
#define REQUIRE_CONTEXT(context) REQUIRE_NOT_NULL(context, PI_ERROR_INVALID_CONTEXT)
#define REQUIRE_QUEUE(queue) REQUIRE_NOT_NULL(queue, PI_ERROR_INVALID_QUEUE)
#define REQUIRE_MEM(mem) REQUIRE_NOT_NULL(mem, PI_ERROR_INVALID_MEM_OBJECT)
#define REQUIRE_PROGRAM(program) REQUIRE_NOT_NULL(program, PI_ERROR_INVALID_PROGRAM)
#define REQUIRE_KERNEL(kernel) REQUIRE_NOT_NULL(kernel, PI_ERROR_INVALID_KERNEL)
#define REQUIRE_EVENT(event) REQUIRE_NOT_NULL(event, PI_ERROR_INVALID_EVENT)
#define REQUIRE_SAMPLER(sampler) REQUIRE_NOT_NULL(sampler, PI_ERROR_INVALID_SAMPLER)

/* Returns PI_ERROR_INVALID_VALUE from the calling function when a required pointer is NULL. */
#define REQUIRE_POINTER(pointer) REQUIRE_NOT_NULL(pointer, PI_ERROR_INVALID_VALUE)

/*
 * Checks PI's rule for wait lists: the list is NULL if and only if the count is 0. Also refuses
 * NULL in the list, because some drivers crash on it. The arguments have the same names in every
 * function of PI.
 */
#define REQUIRE_WAIT_LIST()                                                                        \
  do {                                                                                             \
    REQUIRE((num_events_in_wait_list == 0) == (event_wait_list == NULL),                           \
            PI_ERROR_INVALID_EVENT_WAIT_LIST,                                                      \
            "num_events_in_wait_list is %u and event_wait_list is %sNULL",                         \
            num_events_in_wait_list, event_wait_list ? "not " : "");                               \
    for (pi_uint32 event_index = 0; event_index < num_events_in_wait_list; event_index++)          \
      REQUIRE(event_wait_list[event_index], PI_ERROR_INVALID_EVENT_WAIT_LIST,                      \
              "event_wait_list[%u] is NULL", event_index);                                         \
  } while (0)

/*
 * The last arguments of an enqueue function for OpenCL. Drivers write the event even when they
 * fail, so they write it to a variable, from which `enqueued` copies it after a success.
 */
#define CL_WAIT_LIST num_events_in_wait_list, cl_from_events(event_wait_list)
#define CL_WAIT_LIST_EVENT(made) CL_WAIT_LIST, event ? (made) : NULL

/*
 * Makes an event that stands for a wait list. Needed because some drivers report success without
 * making an event when there is nothing to do (0 bytes).
 */
__attribute__((cold, noinline)) pi_result opencl_stand_in_event(cl_command_queue queue,
                                                                cl_uint count,
                                                                const cl_event *wait_list,
                                                                cl_event *ret);

/*
 * Returns the result of an enqueue function and passes on its event. made points to the event,
 * which was NULL before the call. It is a pointer because the call is the argument code, and the
 * event must be read after that has been evaluated.
 */
static inline pi_result enqueued(cl_int code, const char *call, cl_event *made,
                                 cl_command_queue queue, cl_uint count, const cl_event *wait_list,
                                 pi_event *event) {
  if (__builtin_expect(code != CL_SUCCESS, 0))
    return cl_error(code, call);
  if (!event)
    return PI_SUCCESS;
  if (__builtin_expect(!*made, 0))
    TRY(opencl_stand_in_event(queue, count, wait_list, made));
  *event = pi_from_cl_event(*made);
  return PI_SUCCESS;
}

/*
 * Call an enqueue function of the driver, or of an extension, with the wait list and event as the
 * last arguments. The calling function has a variable `made` for the event.
 */
#define CL_ENQUEUE(function, ...)                                                                  \
  enqueued(cl.function(__VA_ARGS__, CL_WAIT_LIST_EVENT(&made)), "cl" #function, &made,             \
           cl_from_queue(queue), CL_WAIT_LIST, event)
#define CL_EXTENSION_ENQUEUE(extensions, function, ...)                                            \
  enqueued((extensions)->function(__VA_ARGS__, CL_WAIT_LIST_EVENT(&made)), "cl" #function "INTEL", \
           &made, cl_from_queue(queue), CL_WAIT_LIST, event)

/* Asserts that a structure of PI is three sizes in OpenCL's order, and so passes as an array. */
#define IS_THREE_SIZES(type, first, second, third)                                                 \
  _Static_assert(sizeof(type) == 3 * sizeof(size_t) && offsetof(type, first) == 0 &&               \
                     offsetof(type, second) == sizeof(size_t) &&                                   \
                     offsetof(type, third) == 2 * sizeof(size_t),                                  \
                 #type " is size_t[3]")

static inline const size_t *sizes(const void *three_sizes) {
  return three_sizes;
}

/*
 * Checks that [offset, offset + size) is inside a buffer, because some drivers do not.
 * PI_ERROR_INVALID_VALUE when it is not, or the driver's code when the buffer is invalid.
 */
pi_result opencl_check_range(pi_mem buffer, size_t offset, size_t size);

#endif
