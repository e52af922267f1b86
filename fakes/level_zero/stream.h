/*
 * Commands of the fake Level Zero driver. Each command queue and each immediate command list has a
 * stream, whose thread runs its commands.
 */
#ifndef SPECPI_TEST_FAKE_ZE_STREAM_H
#define SPECPI_TEST_FAKE_ZE_STREAM_H

#include "device.h"

typedef struct fake_pool {
  fake_object head;
  ze_event_pool_flags_t flags;
  uint32_t device_count; /* 0 for all devices of the context */
  fake_device **devices;
  uint32_t count;
  uint32_t live; /* number of events */
  bool *used;    /* by index: whether there is an event */
} fake_pool;

typedef struct fake_event {
  fake_object head;
  fake_pool *pool;
  uint32_t index;
  bool signalled;
  uint64_t begin, end; /* of the command, in times of fake_now */
} fake_event;

/* Signals an event, and wakes the threads that wait for it. */
void fake_event_signal(fake_event *event, uint64_t begin, uint64_t end);

/* The same with meaningless timestamps, for uses that leave them undefined. Call with the lock. */
void fake_event_signal_untimed(fake_event *event);

/*
 * Constraints on the order of a command in its stream. In addition, a command that waits for an
 * event blocks all commands after it.
 */
typedef enum fake_order {
  FAKE_ORDER_NONE,   /* no constraint */
  FAKE_ORDER_BEFORE, /* later commands start after it has ended */
  FAKE_ORDER_FULL,   /* also, it starts after all earlier commands have ended */
} fake_order;

/* A command recorded in a list. */
typedef struct fake_command {
  struct fake_command *next; /* in the list */
  fake_order order;
  fake_work work; /* run is NULL if there is nothing to do; uses is always NULL */
  size_t link_count;
  fake_weak *links; /* to the objects that it uses, including events */
  bool signals;
  fake_weak signal;
  uint32_t wait_count;
  fake_weak *waits;
} fake_command;

typedef struct fake_stream fake_stream;

fake_stream *fake_stream_new(fake_context *context, fake_device *device);
/* Ends an idle stream. */
void fake_stream_end(fake_stream *stream);
bool fake_stream_is_idle(const fake_stream *stream);

/* Refuses a command if an object that it uses was destroyed after it was recorded. */
ze_result_t fake_command_check(const fake_command *command);
void fake_command_free(fake_command *command);

/*
 * Submits a command that fake_command_check has accepted. list counts as in use until the command
 * ends. owned: the command is freed at its end.
 */
void fake_stream_submit(fake_stream *stream, fake_command *command, fake_object *list, bool owned);

/*
 * Waits until all commands submitted before have ended. Returns ZE_RESULT_NOT_READY after timeout
 * nanoseconds (UINT64_MAX: never), or the failure by which the context was lost.
 */
ze_result_t fake_stream_wait(fake_stream *stream, uint64_t timeout);

/* Returns the end of a wait of timeout nanoseconds, for fake_wait_change. */
uint64_t fake_deadline(uint64_t timeout);

/* list.c: appending commands with more options than fake_append has. */
typedef struct fake_append_options {
  fake_order order;
  ze_event_handle_t signal;
  uint32_t wait_count;
  ze_event_handle_t *waits;
} fake_append_options;

ze_result_t fake_append_ordered(fake_list *list, const fake_work *work,
                                const fake_append_options *options);

struct fake_list {
  fake_object head;
  fake_device *device;
  uint32_t ordinal;
  fake_stream *stream; /* for an immediate list; NULL for a regular one */
  bool synchronous;
  bool closed;
  fake_command *first, **last;
};

typedef struct fake_queue {
  fake_object head;
  fake_device *device;
  uint32_t ordinal;
  fake_stream *stream;
  bool synchronous;
  unsigned fences;
} fake_queue;

/* Checks the descriptor of a command queue or an immediate list. */
ze_result_t fake_check_queue_desc(const fake_context *context, ze_device_handle_t device,
                                  const ze_command_queue_desc_t *desc, const char *function,
                                  fake_device **ret);

/* Finds a handle's event, which commands of the list must be allowed to use. */
ze_result_t fake_event_find(const fake_list *list, ze_event_handle_t handle, const char *function,
                            fake_event **ret);

#endif
