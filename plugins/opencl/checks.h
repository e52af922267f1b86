/* The checks that memory.c, image.c, usm.c and enqueue.c have in common. */
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

/* The same for a pointer that the function cannot do without. */
#define REQUIRE_POINTER(pointer) REQUIRE_NOT_NULL(pointer, PI_ERROR_INVALID_VALUE)

/*
 * PI's rule for wait lists: NULL if and only if the count is 0; and no event in it is
 * NULL, which not every driver survives. The arguments have the same names in every
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
 * The last arguments of an enqueue function, as OpenCL takes them. Drivers write an event
 * even when they fail, so it goes into a variable first; enqueued hands it on.
 */
#define CL_WAIT_LIST num_events_in_wait_list, cl_from_events(event_wait_list)
#define CL_WAIT_LIST_EVENT(made) CL_WAIT_LIST, event ? (made) : NULL

/*
 * Makes an event that stands for a wait list: drivers that have nothing to do, for 0 bytes, may
 * report success and make none.
 */
__attribute__((cold, noinline)) pi_result opencl_stand_in_event(cl_command_queue queue,
                                                                cl_uint count,
                                                                const cl_event *wait_list,
                                                                cl_event *ret);

/*
 * The result of an enqueue function, whose queue and wait list these are. made is a pointer because
 * the event must be read after the call, which is another argument; it is NULL before.
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
 * The same of a function by its name, whose last arguments are these, or of an extension's; the
 * variable for the event is called made.
 */
#define CL_ENQUEUE(function, ...)                                                                  \
  enqueued(cl.function(__VA_ARGS__, CL_WAIT_LIST_EVENT(&made)), "cl" #function, &made,             \
           cl_from_queue(queue), CL_WAIT_LIST, event)
#define CL_EXTENSION_ENQUEUE(extensions, function, ...)                                            \
  enqueued((extensions)->function(__VA_ARGS__, CL_WAIT_LIST_EVENT(&made)), "cl" #function "INTEL", \
           &made, cl_from_queue(queue), CL_WAIT_LIST, event)

/* PI's offsets and regions are three sizes in OpenCL's order, and are passed as arrays. */
#define IS_THREE_SIZES(type, first, second, third)                                                 \
  _Static_assert(sizeof(type) == 3 * sizeof(size_t) && offsetof(type, first) == 0 &&               \
                     offsetof(type, second) == sizeof(size_t) &&                                   \
                     offsetof(type, third) == 2 * sizeof(size_t),                                  \
                 #type " is size_t[3]")

static inline const size_t *sizes(const void *three_sizes) {
  return three_sizes;
}

/*
 * Checks that [offset, offset + size) lies in a buffer, where some drivers do not.
 * PI_ERROR_INVALID_VALUE when it does not, or the driver's code when it does not know the buffer.
 */
pi_result opencl_check_range(pi_mem buffer, size_t offset, size_t size);

#endif
