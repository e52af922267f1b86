/* The threads that run commands of the fake Level Zero driver. */
#define _POSIX_C_SOURCE 200809L
#include "stream.h"

#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

/* A submitted command that has not ended. */
typedef struct fake_item {
  struct fake_item *next;
  unsigned long serial;
  fake_command *command;
  fake_object *list;
  bool owned;
} fake_item;

struct fake_stream {
  fake_stream *next; /* in the list of all streams */
  fake_context *context;
  fake_device *device;
  fake_item *first, **last; /* in order of submission */
  unsigned long serial;     /* of the last submitted item */
  pthread_cond_t wake;
  bool worker; /* it has a thread */
  bool asleep; /* its items wait for an event to be signalled */
  bool dead;   /* its thread is to end */
};

static fake_stream *streams;
static size_t workers;
static struct {
  unsigned long left;
  ze_result_t code;
} failure;

void fake_ze_fail_command(unsigned long nth, ze_result_t code) {
  fake_lock();
  failure.left = nth;
  failure.code = code;
  fake_unlock();
}

size_t fake_ze_threads(void) {
  fake_lock();
  const size_t count = workers;
  fake_unlock();
  return count;
}

static void wake_sleepers(void) {
  for (fake_stream *i = streams; i; i = i->next)
    if (i->asleep)
      pthread_cond_signal(&i->wake);
}

void fake_event_signal(fake_event *event, uint64_t begin, uint64_t end) {
  event->begin = begin;
  event->end = end;
  event->signalled = true;
  wake_sleepers();
  fake_changed();
}

void fake_event_signal_untimed(fake_event *event) {
  fake_event_signal(event, 1, 0);
}

void fake_command_free(fake_command *command) {
  if (command->work.end)
    command->work.end(command->work.data);
  free(command->links);
  free(command->waits);
  free(command);
}

ze_result_t fake_command_check(const fake_command *command) {
  for (size_t i = 0; i < command->link_count; i++)
    FAKE_REQUIRE(fake_weak_object(&command->links[i]), INVALID_ARGUMENT,
                 "%s: something that the command uses was destroyed since", command->work.name);
  return ZE_RESULT_SUCCESS;
}

static bool is_blocked(const fake_item *item) {
  const fake_command *command = item->command;
  for (uint32_t i = 0; i < command->wait_count; i++)
    if (!((fake_event *)(void *)fake_weak_object(&command->waits[i]))->signalled)
      return true;
  return false;
}

/*
 * Returns the item to run next; NULL if none can run. As on a device, commands start in order, so a
 * command that waits blocks all commands after it. Of the commands that could have started, this
 * takes the last one, because programs must not rely on the order.
 */
static fake_item **choose_command(fake_stream *stream) {
  fake_item **best = NULL;
  for (fake_item **i = &stream->first; *i; i = &(*i)->next) {
    const fake_order order = (*i)->command->order;
    if (is_blocked(*i) || (order == FAKE_ORDER_FULL && i != &stream->first))
      break;
    best = i;
    if (order != FAKE_ORDER_NONE || !fake_environment.reverse)
      break;
  }
  return best;
}

static void end_item(fake_item *item) {
  fake_command *command = item->command;
  for (size_t i = 0; i < command->link_count; i++) {
    fake_object *object = fake_weak_object(&command->links[i]);
    object->pending--;
    fake_memory *memory = object->kind == FAKE_MEMORY ? (fake_memory *)(void *)object : NULL;
    if (memory && memory->deferred && object->pending == 0)
      fake_memory_end(memory);
  }
  item->list->pending--;
  if (item->owned)
    fake_command_free(command);
  free(item);
}

static ze_result_t run_command(fake_stream *stream, const fake_command *command) {
  if (stream->context->lost != ZE_RESULT_SUCCESS)
    return ZE_RESULT_SUCCESS;
  if (failure.left != 0 && --failure.left == 0) {
    fake_keep_fault(false, "%s: fails on demand when it runs", command->work.name);
    return failure.code;
  }
  if (!command->work.run)
    return ZE_RESULT_SUCCESS;
  fake_unlock();
  const ze_result_t result = command->work.run(command->work.data);
  fake_lock();
  if (result != ZE_RESULT_SUCCESS)
    fake_keep_fault(true, "%s: the command failed with 0x%x: %s", command->work.name,
                    (unsigned)result, fake_ze_reason());
  return result;
}

static void signal(const fake_command *command, uint64_t begin) {
  fake_event *event = (fake_event *)(void *)fake_weak_object(&command->signal);
  if (event->signalled)
    fake_keep_fault(true, "%s: its event is signalled already and was not reset",
                    command->work.name);
  if (command->work.is_untimed)
    fake_event_signal_untimed(event);
  else
    fake_event_signal(event, begin, fake_now());
}

static void run_item(fake_stream *stream, fake_item *item) {
  const fake_command *command = item->command;
  const uint64_t begin = fake_now();
  const ze_result_t result = run_command(stream, command);
  if (result != ZE_RESULT_SUCCESS && stream->context->lost == ZE_RESULT_SUCCESS)
    stream->context->lost = result;
  fake_item **place = &stream->first;
  while (*place != item)
    place = &(*place)->next;
  *place = item->next;
  if (!item->next)
    stream->last = place;
  if (command->signals)
    signal(command, begin);
  end_item(item);
  fake_changed();
}

static void free_stream(fake_stream *stream) {
  fake_stream **place = &streams;
  while (*place != stream)
    place = &(*place)->next;
  *place = stream->next;
  pthread_cond_destroy(&stream->wake);
  free(stream);
}

static void *work_stream(void *argument) {
  fake_stream *stream = argument;
  fake_lock();
  while (!stream->dead) {
    fake_item **item = choose_command(stream);
    if (item) {
      run_item(stream, *item);
      continue;
    }
    stream->asleep = stream->first != NULL;
    fake_wait_on(&stream->wake);
    stream->asleep = false;
  }
  free_stream(stream);
  workers--;
  fake_changed();
  fake_unlock();
  return NULL;
}

static void start_worker(fake_stream *stream) {
  fake_start_thread(work_stream, stream);
  stream->worker = true;
  workers++;
}

fake_stream *fake_stream_new(fake_context *context, fake_device *device) {
  fake_stream *stream = fake_allocate(sizeof *stream);
  stream->context = context;
  stream->device = device;
  stream->last = &stream->first;
  pthread_cond_init(&stream->wake, NULL);
  stream->next = streams;
  streams = stream;
  return stream;
}

void fake_stream_end(fake_stream *stream) {
  stream->dead = true;
  if (stream->worker)
    pthread_cond_signal(&stream->wake);
  else
    free_stream(stream);
}

bool fake_stream_is_idle(const fake_stream *stream) {
  return !stream->first;
}

void fake_stream_submit(fake_stream *stream, fake_command *command, fake_object *list, bool owned) {
  fake_item *item = fake_allocate(sizeof *item);
  *item = (fake_item){.serial = ++stream->serial, .command = command, .list = list, .owned = owned};
  for (size_t i = 0; i < command->link_count; i++)
    fake_weak_object(&command->links[i])->pending++;
  list->pending++;
  *stream->last = item;
  stream->last = &item->next;
  if (!stream->worker)
    start_worker(stream);
  else
    pthread_cond_signal(&stream->wake);
}

uint64_t fake_deadline(uint64_t timeout) {
  const uint64_t now = timeout == UINT64_MAX ? 0 : fake_now();
  return timeout > UINT64_MAX - now ? UINT64_MAX : now + timeout;
}

ze_result_t fake_stream_wait(fake_stream *stream, uint64_t timeout) {
  const unsigned long last = stream->serial;
  const uint64_t deadline = fake_deadline(timeout);
  /* Items are in order of submission, so the first one is the oldest. */
  while (stream->first && stream->first->serial <= last)
    if (timeout == 0 || !fake_wait_change(deadline))
      return stream->first && stream->first->serial <= last ? ZE_RESULT_NOT_READY
                                                            : stream->context->lost;
  return stream->context->lost;
}
