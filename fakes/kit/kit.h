/*
 * Code that the fake drivers share, compiled into each: objects with checkable handles, one lock,
 * failures on demand, and messages about refusals. Each driver defines the extern variables
 * declared here. Its kinds of objects are numbers from 0.
 */
#ifndef SPECPI_FAKE_KIT_H
#define SPECPI_FAKE_KIT_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The prefix of messages, and the name of each kind of objects in lists. */
extern const char fake_driver_name[];
extern const char *const fake_kind_names[];

/* Minimum number of free slots, so that a freed slot is not reused soon and stale handles fail. */
extern const size_t fake_slots_kept;

/* Returns whether objects of a kind always exist. They appear in no list. */
bool fake_is_permanent(unsigned kind);

/* Returns whether a function releases something. fake_inject without a name never makes it fail. */
bool fake_gives_back(const char *symbol);

/* ---- The lock, time, memory ---- */

void fake_lock(void);
void fake_unlock(void);
/* Releases the lock until fake_changed is called. Returns false if the time until comes first. */
bool fake_wait_change(uint64_t until);
/* Waits for the caller's own condition, and releases the lock meanwhile. */
void fake_wait_on(pthread_cond_t *condition);
/* Wakes the threads in fake_wait_change after a change of state. */
void fake_changed(void);

/* Starts a detached thread. Ends the process on failure. */
void fake_start_thread(void *(*run)(void *), void *argument);

/* Returns the nanoseconds of a monotonic clock. */
uint64_t fake_now(void);

/* These end the process if memory is exhausted. fake_allocate zeroes the memory. */
void *fake_allocate(size_t size);
void *fake_grow(void *memory, size_t size);
void *fake_copy(const void *bytes, size_t size);

/* ---- Objects ---- */

typedef struct fake_context fake_context; /* its first member is fake_object head */
typedef struct fake_slot fake_slot;

/* The head of every object. Handles are addresses of slots, so that any value can be checked. */
typedef struct fake_object {
  unsigned kind;
  bool owned; /* owned by another object and therefore not counted */
  unsigned long serial;
  fake_context *context; /* NULL if it belongs to none */
  fake_slot *slot;
  unsigned members; /* for a context: number of its objects that are not owned */
  unsigned pending; /* number of submitted commands that use it and have not ended */
} fake_object;

/* Creates a zeroed object of size bytes, whose first member is the head. */
void *fake_new(unsigned kind, size_t size, fake_context *context, bool owned);
/* Makes an object owned by another one. */
void fake_own(fake_object *object);
/* fake_retire invalidates the handle; fake_delete also frees the object. */
void fake_retire(void *object);
void fake_delete(void *object);

/* Returns a handle's object; NULL if it has none of this kind. The handle may be any value. */
void *fake_find(const void *handle, unsigned kind);

#define FAKE_HANDLE(type, object) ((type)(void *)(object)->head.slot)

/* A weak reference to an object. */
typedef struct fake_weak {
  fake_slot *slot;
  unsigned long serial;
} fake_weak;

fake_weak fake_weak_to(const fake_object *object);
/* Returns the object; NULL if it was destroyed. */
fake_object *fake_weak_object(const fake_weak *link);

/*
 * Detect two threads in functions that allow only one thread at a time per handle. Call begin and
 * end without the lock around such a function; fake_is_alone returns whether no other thread is in
 * one.
 */
fake_slot *fake_alone_begin(const void *handle);
bool fake_is_alone(const fake_slot *slot);
void fake_alone_end(fake_slot **slot);

/* Calls function for each object of a context (NULL: of all). function may delete the object. */
void fake_each(fake_context *context, void (*function)(fake_object *object, void *user),
               void *user);

/* fake_live returns the number of objects of a kind. fake_list_live lists and counts all objects.
 */
size_t fake_live(unsigned kind);
size_t fake_list_live(char *text, size_t size);

/* ---- The environment, failures on demand, reasons ---- */

/* Set from the environment. */
extern bool fake_is_strict;
extern unsigned fake_trace;

unsigned long long fake_read_number(const char *name, unsigned long long otherwise);

/* Returns whether text is symbol, with or without the suffix "_v2" or similar. */
bool fake_is_named(const char *symbol, const char *text);

/* Makes the nth call from now on fail; call NULL: of any function. The caller holds the lock. */
void fake_inject(const char *call, unsigned long nth, int code);
/* The same from the text "call:nth:code". Without a code, otherwise is the code. */
void fake_read_injection(const char *text, int otherwise);
/* Counts a call. Returns true if it has to fail with *code. */
bool fake_is_injected(const char *symbol, int *code);
/* Cancels the failure. Returns the function that failed, or NULL. Takes the lock. */
const char *fake_uninject(void);

/* Records a message for this thread. In strict mode, aborts if it is about a program's defect. */
void fake_note(bool defect, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fake_note_list(bool defect, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Returns this thread's last message. */
const char *fake_reason(void);

#endif
