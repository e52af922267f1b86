/* Commands of Level Zero: one is put into a queue at once, or kept in a command list for later. */
#ifndef ZE_COMMAND_H
#define ZE_COMMAND_H

#include "../plugins/checks/rect.h"
#include "../plugins/objects/sink.h"
#include "signal.h"

#include <ur/ur.h>

/*
 * A command, with the events as the application passed them. What its pointers refer to belongs to
 * the caller, or to the command if it is kept.
 */
typedef struct ze_command ze_command;
struct ze_command {
  /* Enqueues it, as a whole command of a sink: from sink_begin to sink_end. */
  pi_result (*run)(const ze_command *command, sink *sink);
  ur_command_t type; /* of its event, as runtimes see it */
  ze_event_handle_t signal;
  ze_event_handle_t reset; /* an event that the command resets */
  uint32_t wait_count;
  const ze_event_handle_t *waits;
  union {
    struct {
      pi_kernel kernel;
      size_t offset[3], global[3], local[3];
      bool is_cooperative;
    } launch;
    struct {
      void *to;
      const void *from;
      size_t size;
    } copy;
    transfer box;
    struct {
      void *pointer;
      const void *pattern;
      size_t pattern_size, size;
    } fill;
    struct {
      const void *pointer;
      size_t size;
      pi_mem_advice advice;
    } hint;
    struct {
      void *to;
      uint32_t count; /* of events; 0: the time now is written */
      const ze_event_handle_t *events;
      const size_t *offsets; /* of the events' times from to on; NULL: one after another */
    } report;
  };
};

/*
 * Checks a command's events. ZE_RESULT_ERROR_INVALID_SIZE: there are waits and no list;
 * ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT: an event is no live handle, or it is that of a
 * runtime's command, which no other command can signal.
 */
ze_result_t command_check(const ze_command *command);

/*
 * Puts a checked command into a queue. Without a signal it allocates nothing, except for more waits
 * than usual. is_blocking: it waits until the command has ended. Errors of the commands of
 * objects/.
 */
ze_result_t command_run(const ze_command *command, pi_queue queue, bool is_blocking);

/*
 * Makes a copy of a checked command that depends on nothing of the caller, with the kernel's
 * current arguments; and frees such a copy. ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY.
 */
ze_result_t command_keep(const ze_command *command, ze_command *ret);
void command_drop(ze_command *command);

/* Values of run for the commands of which command_keep copies more than the structure. */
pi_result command_launch(const ze_command *command, sink *sink);
pi_result command_fill(const ze_command *command, sink *sink);
pi_result command_report(const ze_command *command, sink *sink);

/* A command with the events of an entry's arguments. */
#define ZE_COMMAND(runs, kind)                                                                     \
  {                                                                                                \
    .run = (runs), .type = UR_COMMAND_##kind, .signal = hSignalEvent, .wait_count = numWaitEvents, \
    .waits = phWaitEvents                                                                          \
  }

/*
 * Puts a command at the end of a list: into its queue if the list is immediate. Errors of
 * command_run and command_keep; ZE_RESULT_ERROR_INVALID_ARGUMENT: the list is closed.
 */
ze_result_t list_append(ze_command_list_handle_t list, const ze_command *command);

/* The context and the device of a list. */
void list_place(ze_command_list_handle_t list, pi_context *context, pi_device *device);

#endif
