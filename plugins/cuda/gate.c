#include "gate.h"

#include "../objects/driver.h"

#include <pthread.h>
#include <stdlib.h>

enum { PAGE_GATES = 256 };

/*
 * A gate is open once its word has reached its number. The next event that uses the word has a
 * larger number. So a word can be reused while streams still wait for its previous number.
 */
typedef struct event_gate {
  _Atomic(pi_uint32) *word;
  pi_uint32 number;
  bool is_held; /* a stream waits for the gate, so that gate_closed_count includes it */
  struct event_gate *next;
} event_gate;

/* A block of gates and their words, which is freed with the context. */
typedef struct gate_page {
  struct gate_page *next;
  void *words;
  event_gate gates[PAGE_GATES];
} gate_page;

struct context_gates {
  gate_page *pages;
  event_gate *free;
};

atomic_uint gate_closed_count;

/* One lock for all contexts: user events are rare, and commands of any context may wait for one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static pi_result add_page(pi_context context) {
  gate_page *page = calloc(1, sizeof *page);
  REQUIRE_MEMORY(page, "%d user events", PAGE_GATES);
  const pi_result result = CU_CALL(MemHostAlloc, &page->words, PAGE_GATES * sizeof(pi_uint32),
                                   CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  if (result != PI_SUCCESS) {
    free(page);
    return result;
  }
  _Atomic(pi_uint32) *words = page->words;
  for (int i = 0; i < PAGE_GATES; i++) {
    atomic_init(&words[i], 0);
    page->gates[i].word = &words[i];
    page->gates[i].next = context->driver.gates->free;
    context->driver.gates->free = &page->gates[i];
  }
  page->next = context->driver.gates->pages;
  context->driver.gates->pages = page;
  return PI_SUCCESS;
}

/* The caller holds the lock; the context is current. */
static pi_result take_gate(pi_context context, event_gate **gate) {
  if (!context->driver.gates) {
    context->driver.gates = calloc(1, sizeof *context->driver.gates);
    REQUIRE_MEMORY(context->driver.gates, "user events");
  }
  if (!context->driver.gates->free)
    TRY(add_page(context));
  *gate = context->driver.gates->free;
  context->driver.gates->free = (*gate)->next;
  (*gate)->number++;
  return PI_SUCCESS;
}

pi_result gate_create(pi_event event) {
  if (!cu.StreamWaitValue32)
    return CUDA_UNSUPPORTED("user events need cuStreamWaitValue32 of CUDA 11.7, the driver is of "
                            "CUDA %d.%d",
                            cuda_driver_version / 1000, cuda_driver_version % 1000 / 10);
  TRY(cuda_enter(event->context));
  pthread_mutex_lock(&lock);
  const pi_result result = take_gate(event->context, &event->driver.gate);
  pthread_mutex_unlock(&lock);
  return result;
}

/* The caller holds the lock. */
static void open_gate(event_gate *gate) {
  atomic_store_explicit(gate->word, gate->number, memory_order_release);
  if (gate->is_held)
    atomic_fetch_sub_explicit(&gate_closed_count, 1, memory_order_release);
  gate->is_held = false;
}

void gate_destroy(pi_event event) {
  event_gate *gate = event->driver.gate;
  pthread_mutex_lock(&lock);
  open_gate(gate);
  gate->next = event->context->driver.gates->free;
  event->context->driver.gates->free = gate;
  pthread_mutex_unlock(&lock);
}

void gate_set(pi_event event, pi_int32 status) {
  pthread_mutex_lock(&lock);
  atomic_store_explicit(&event->status, status, memory_order_release);
  open_gate(event->driver.gate);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

pi_result gate_hold(pi_event event, CUstream stream) {
  event_gate *gate = event->driver.gate;
  pthread_mutex_lock(&lock);
  const bool is_closed = atomic_load(&event->status) > PI_EVENT_COMPLETE;
  if (is_closed && !gate->is_held) {
    gate->is_held = true;
    atomic_fetch_add_explicit(&gate_closed_count, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&lock);
  if (is_closed)
    CU_TRY(StreamWaitValue32, stream, cu_pointer(gate->word), gate->number,
           CU_STREAM_WAIT_VALUE_GEQ);
  return PI_SUCCESS;
}

void gate_wait(pi_event event) {
  pthread_mutex_lock(&lock);
  while (atomic_load(&event->status) > PI_EVENT_COMPLETE)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

/*
 * Returns 0 while a gate is closed, because the driver's frees wait for the whole device, and so
 * would wait for the application.
 */
pi_uint64 driver_context_oldest_epoch(pi_context context) {
  (void)context;
  return gate_is_any_closed() ? 0 : UINT64_MAX;
}

void gate_close_context(pi_context context) {
  if (!context->driver.gates)
    return;
  for (gate_page *page = context->driver.gates->pages, *next; page; page = next) {
    next = page->next;
    cu.MemFreeHost(page->words);
    free(page);
  }
  free(context->driver.gates);
}
