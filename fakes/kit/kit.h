/*
 * The parts that fake drivers share, compiled for each: objects with handles that can be checked,
 * one lock, failures on demand, the reasons of refusals. A driver defines the extern variables
 * here; its kinds of objects are numbers from 0 on.
 */
#ifndef SPECPI_FAKE_KIT_H
#define SPECPI_FAKE_KIT_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The start of messages, and the name of each kind in lists. */
extern const char fake_driver_name[];
extern const char *const fake_kind_names[];

/* The number of free slots that wait, so that their handles stay wrong for some time. */
extern const size_t fake_slots_kept;

/* Kinds that are always there, and in no list. */
bool fake_is_permanent(unsigned kind);

/* Calls that give something back: a failure of any call passes them over. */
bool fake_gives_back(const char *symbol);

/* ---- The lock, time, memory ---- */

void fake_lock(void);
void fake_unlock(void);
/* Waits, without the lock, until fake_changed; false: the time (of fake_now) has come first. */
bool fake_wait_change(uint64_t until);
/* Waits for a condition of one's own, without the lock. */
void fake_wait_on(pthread_cond_t *condition);
/* Some state that somebody may wait for has changed. */
void fake_changed(void);

/* A thread that nobody joins, without which the process ends. */
void fake_start_thread(void *(*run)(void *), void *argument);

/* Nanoseconds on a clock that only goes forward. */
uint64_t fake_now(void);

/* Memory that is always there: without it the process ends. Zeroed, fake_copy aside. */
void *fake_allocate(size_t size);
void *fake_grow(void *memory, size_t size);
void *fake_copy(const void *bytes, size_t size);

/* ---- Objects ---- */

typedef struct fake_context fake_context; /* its first member is a fake_object, called head */
typedef struct fake_slot fake_slot;

/* The head of every object. Handles are addresses of slots, so that each value can be checked. */
typedef struct fake_object {
  unsigned kind;
  bool owned; /* by another object: not counted */
  unsigned long serial;
  fake_context *context; /* NULL: of none */
  fake_slot *slot;
  unsigned members; /* of a context: objects of it, owned ones aside */
  unsigned pending; /* commands that were submitted, use it, and have not ended */
} fake_object;

/* A new object of size bytes, whose head is its first member; the rest is 0. */
void *fake_new(unsigned kind, size_t size, fake_context *context, bool owned);
/* From now on it belongs to another object. */
void fake_own(fake_object *object);
/* Ends the handle; fake_delete frees the object, too. */
void fake_retire(void *object);
void fake_delete(void *object);

/* The object after a handle; NULL when there is none of that kind. Takes any value. */
void *fake_find(const void *handle, unsigned kind);

#define FAKE_HANDLE(type, object) ((type)(void *)(object)->head.slot)

/* An object that something remembers: it may have been destroyed since. */
typedef struct fake_weak {
  fake_slot *slot;
  unsigned long serial;
} fake_weak;

fake_weak fake_weak_to(const fake_object *object);
/* NULL: it is there no more. */
fake_object *fake_weak_object(const fake_weak *link);

/* A thread comes to what demands to be alone with a handle, without the lock, and leaves. */
fake_slot *fake_alone_begin(const void *handle);
bool fake_is_alone(const fake_slot *slot);
void fake_alone_end(fake_slot **slot);

/* Calls function for each object of a context, NULL: of all. It may delete the object. */
void fake_each(fake_context *context, void (*function)(fake_object *object, void *user),
               void *user);

/* The number of objects of a kind; and of all, which text lists. */
size_t fake_live(unsigned kind);
size_t fake_list_live(char *text, size_t size);

/* ---- The environment, failures on demand, reasons ---- */

/* Both may be set by the environment. */
extern bool fake_is_strict;
extern unsigned fake_trace;

unsigned long long fake_read_number(const char *name, unsigned long long otherwise);

/* Returns whether text is symbol, or symbol without "_v2" or so. */
bool fake_is_named(const char *symbol, const char *text);

/* The nth call from now on fails with a code; call may be NULL for any. With the lock. */
void fake_inject(const char *call, unsigned long nth, int code);
/* The same of "call:nth:code", where code may be left out. */
void fake_read_injection(const char *text, int otherwise);
/* Counts a call; true: it has to fail, with *code. */
bool fake_is_injected(const char *symbol, int *code);
/* Ends it; which call has failed, or NULL. Takes the lock. */
const char *fake_uninject(void);

/* Keeps the message; in strict mode a program's defect ends it. */
void fake_note(bool defect, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fake_note_list(bool defect, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* The latest message of this thread. */
const char *fake_reason(void);

#endif
