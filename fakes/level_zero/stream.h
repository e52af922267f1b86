/*
 * The commands of the fake Level Zero driver: a stream, which is a thread, for each command
 * queue and each immediate command list.
 */
#ifndef SPECPI_TEST_FAKE_ZE_STREAM_H
#define SPECPI_TEST_FAKE_ZE_STREAM_H

#include "device.h"

typedef struct fake_pool {
  fake_object head;
  ze_event_pool_flags_t flags;
  uint32_t device_count; /* 0: all of the context */
  fake_device **devices;
  uint32_t count;
  uint32_t live; /* events */
  bool *used;    /* by index */
} fake_pool;

typedef struct fake_event {
  fake_object head;
  fake_pool *pool;
  uint32_t index;
  bool signalled;
  uint64_t begin, end; /* of the command, by fake_now */
} fake_event;

/* Signals an event; wakes whoever waits for it. */
void fake_event_signal(fake_event *event, uint64_t begin, uint64_t end);

/* The same by what leaves an event's timestamps undefined: they make no sense. With the lock. */
void fake_event_signal_untimed(fake_event *event);

/*
 * The order that a command keeps. Those before it in its stream have begun in any case, or were
 * passed over: what waits for an event holds everything after it up.
 */
typedef enum fake_order {
  FAKE_ORDER_NONE,   /* it and its neighbours run in any order */
  FAKE_ORDER_BEFORE, /* what is after it begins after its end */
  FAKE_ORDER_FULL,   /* it begins after the end of all before it, too */
} fake_order;

/* A command as a list records it. */
typedef struct fake_command {
  struct fake_command *next; /* in the list */
  fake_order order;
  fake_work work; /* run may be NULL: nothing; uses is NULL */
  size_t link_count;
  fake_weak *links; /* of what it uses, the events, too */
  bool signals;
  fake_weak signal;
  uint32_t wait_count;
  fake_weak *waits;
} fake_command;

typedef struct fake_stream fake_stream;

fake_stream *fake_stream_new(fake_context *context, fake_device *device);
/* Ends a stream that has nothing to do any more. */
void fake_stream_end(fake_stream *stream);
bool fake_stream_is_idle(const fake_stream *stream);

/* Refuses a command of which something was destroyed since it was recorded. */
ze_result_t fake_command_check(const fake_command *command);
void fake_command_free(fake_command *command);

/*
 * Has the stream run a command that fake_command_check has accepted. list is in use until it has
 * ended; owned: the command is freed then.
 */
void fake_stream_submit(fake_stream *stream, fake_command *command, fake_object *list, bool owned);

/*
 * Waits until everything has ended that was submitted before. ZE_RESULT_NOT_READY after timeout
 * nanoseconds (UINT64_MAX: never), or the failure that has lost the context.
 */
ze_result_t fake_stream_wait(fake_stream *stream, uint64_t timeout);

/* When a wait of timeout nanoseconds ends, for fake_wait_change. */
uint64_t fake_deadline(uint64_t timeout);

/* list.c: what appends commands that are not of other files. */
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
  fake_stream *stream; /* of an immediate list; NULL: a regular one */
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

/* The event after a handle, if commands of a list may use it. */
ze_result_t fake_event_find(const fake_list *list, ze_event_handle_t handle, const char *function,
                            fake_event **ret);

#endif
