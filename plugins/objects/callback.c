#include "callback.h"

#include "../base/error.h"
#include "../checks/arguments.h"
#include "event.h"
#include "watcher.h"

#include <stdlib.h>

typedef struct callback {
  watched watched; /* first, because call_due casts it to callback */
  pi_event event;  /* a reference */
  pi_int32 state;
  void (*function)(pi_event event, pi_int32 status, void *user_data);
  void *user_data;
} callback;

/* Calls the function if the event has reached the state; returns whether it did. */
static bool call_due(watched *watched) {
  callback *self = (callback *)(void *)watched;
  const pi_int32 status = event_status(self->event);
  if (status > self->state)
    return false;
  self->function(self->event, status < 0 ? status : self->state, self->user_data);
  event_release(self->event);
  free(self);
  return true;
}

pi_result callback_add(pi_event event, pi_int32 state,
                       void (*function)(pi_event event, pi_int32 status, void *user_data),
                       void *user_data) {
  TRY(check_callback_type(state));
  callback *made = malloc(sizeof *made);
  REQUIRE_MEMORY(made, "a callback of %zu bytes", sizeof *made);
  *made = (callback){.event = event, .state = state, .function = function, .user_data = user_data};
  event_retain(event);
  const pi_result result = watcher_add(&made->watched, call_due);
  if (result != PI_SUCCESS) {
    event_release(event);
    free(made);
  }
  return result;
}
