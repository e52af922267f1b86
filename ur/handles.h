/*
 * Conversions of handles. UR's handles point to the same objects as PI's: queue_of(handle) is the
 * pi_queue of a ur_queue_handle_t, queues_of converts a list, and queue_handle converts back.
 */
#ifndef UR_HANDLES_H
#define UR_HANDLES_H

#include "../plugins/objects/handle.h"
#include "result.h"

struct physical_memory;
struct usm_pool;

/* X(UR's type, PI's type, noun). Objects that PI does not have have their own type. */
#define FACE_HANDLES(X)                                                                            \
  X(ur_platform_handle_t, pi_platform, platform)                                                   \
  X(ur_device_handle_t, pi_device, device)                                                         \
  X(ur_context_handle_t, pi_context, context)                                                      \
  X(ur_queue_handle_t, pi_queue, queue)                                                            \
  X(ur_event_handle_t, pi_event, event)                                                            \
  X(ur_mem_handle_t, pi_mem, mem)                                                                  \
  X(ur_program_handle_t, pi_program, program)                                                      \
  X(ur_kernel_handle_t, pi_kernel, kernel)                                                         \
  X(ur_sampler_handle_t, pi_sampler, sampler)                                                      \
  X(ur_exp_command_buffer_handle_t, pi_ext_command_buffer, command_buffer)                         \
  X(ur_usm_pool_handle_t, struct usm_pool *, usm_pool)                                             \
  X(ur_physical_mem_handle_t, struct physical_memory *, physical_mem)

#define FACE_HANDLE(ur_type, pi_type, noun)                                                        \
  static inline pi_type noun##_of(ur_type handle) { return (pi_type)(void *)handle; }              \
  static inline pi_type *noun##s_of(const ur_type *handles) {                                      \
    return (pi_type *)(void *)(uintptr_t)handles;                                                  \
  }                                                                                                \
  static inline ur_type noun##_handle(pi_type object) { return (ur_type)(void *)object; }
FACE_HANDLES(FACE_HANDLE)
#undef FACE_HANDLE

/*
 * Each returns from the calling function with an error if the handle is NULL, or does not point to
 * a live object of that kind.
 */
#define UR_REQUIRE_HANDLE(handle, KIND, code)                                                      \
  do {                                                                                             \
    UR_REQUIRE(handle, UR_RESULT_ERROR_INVALID_NULL_HANDLE, #handle " is NULL");                   \
    UR_REQUIRE(object_is((const object_head *)(const void *)(handle), OBJECT_##KIND), code,        \
               #handle " is not a live handle");                                                   \
  } while (0)
#define UR_REQUIRE_ADAPTER(handle)                                                                 \
  UR_REQUIRE_HANDLE(handle, ADAPTER, UR_RESULT_ERROR_INVALID_ARGUMENT)
#define UR_REQUIRE_PLATFORM(handle)                                                                \
  UR_REQUIRE_HANDLE(handle, PLATFORM, UR_RESULT_ERROR_INVALID_PLATFORM)
#define UR_REQUIRE_DEVICE(handle) UR_REQUIRE_HANDLE(handle, DEVICE, UR_RESULT_ERROR_INVALID_DEVICE)
#define UR_REQUIRE_CONTEXT(handle)                                                                 \
  UR_REQUIRE_HANDLE(handle, CONTEXT, UR_RESULT_ERROR_INVALID_CONTEXT)
#define UR_REQUIRE_QUEUE(handle) UR_REQUIRE_HANDLE(handle, QUEUE, UR_RESULT_ERROR_INVALID_QUEUE)
#define UR_REQUIRE_EVENT(handle) UR_REQUIRE_HANDLE(handle, EVENT, UR_RESULT_ERROR_INVALID_EVENT)
#define UR_REQUIRE_MEM(handle) UR_REQUIRE_HANDLE(handle, MEM, UR_RESULT_ERROR_INVALID_MEM_OBJECT)
#define UR_REQUIRE_PROGRAM(handle)                                                                 \
  UR_REQUIRE_HANDLE(handle, PROGRAM, UR_RESULT_ERROR_INVALID_PROGRAM)
#define UR_REQUIRE_KERNEL(handle) UR_REQUIRE_HANDLE(handle, KERNEL, UR_RESULT_ERROR_INVALID_KERNEL)
#define UR_REQUIRE_SAMPLER(handle)                                                                 \
  UR_REQUIRE_HANDLE(handle, SAMPLER, UR_RESULT_ERROR_INVALID_SAMPLER)
#define UR_REQUIRE_COMMAND_BUFFER(handle)                                                          \
  UR_REQUIRE_HANDLE(handle, COMMAND_BUFFER, UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP)
#define UR_REQUIRE_COMMAND(handle)                                                                 \
  UR_REQUIRE_HANDLE(handle, COMMAND, UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_COMMAND_HANDLE_EXP)
#define UR_REQUIRE_PHYSICAL_MEM(handle)                                                            \
  UR_REQUIRE_HANDLE(handle, PHYSICAL_MEM, UR_RESULT_ERROR_INVALID_MEM_OBJECT)
#define UR_REQUIRE_USM_POOL(handle)                                                                \
  UR_REQUIRE_HANDLE(handle, USM_POOL, UR_RESULT_ERROR_INVALID_ARGUMENT)

/*
 * UR's rule for returned lists: the caller asks for the list, the count or both, and the list's
 * capacity is at least one.
 */
#define UR_REQUIRE_ROOM(room, list, count)                                                         \
  do {                                                                                             \
    UR_REQUIRE((list) || ((count) && (room) == 0), UR_RESULT_ERROR_INVALID_NULL_POINTER,           \
               (count) ? #list " is NULL, and " #room " is not 0"                                  \
                       : #list " and " #count " are NULL");                                        \
    UR_REQUIRE(!(list) || (room) != 0, UR_RESULT_ERROR_INVALID_SIZE,                               \
               #room " is 0, and " #list " is not NULL");                                          \
  } while (0)

/*
 * UR's rule for wait lists: the list is NULL if and only if the count is 0, and every event in it
 * is alive. The parameters have the same names in every function of UR.
 */
#define UR_REQUIRE_WAIT_LIST()                                                                     \
  do {                                                                                             \
    UR_REQUIRE((numEventsInWaitList == 0) == (phEventWaitList == NULL),                            \
               UR_RESULT_ERROR_INVALID_EVENT_WAIT_LIST,                                            \
               "numEventsInWaitList is %u and phEventWaitList is %sNULL", numEventsInWaitList,     \
               phEventWaitList ? "not " : "");                                                     \
    for (uint32_t event_index = 0; event_index < numEventsInWaitList; event_index++)               \
      UR_REQUIRE(object_is((const object_head *)(const void *)phEventWaitList[event_index],        \
                           OBJECT_EVENT),                                                          \
                 UR_RESULT_ERROR_INVALID_EVENT_WAIT_LIST, "phEventWaitList[%u] is %s",             \
                 event_index, phEventWaitList[event_index] ? "not a live handle" : "NULL");        \
  } while (0)

#endif
