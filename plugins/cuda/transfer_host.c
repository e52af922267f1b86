/* Copies between the device and the application's memory, some of them staged (transfer.h). */
#include "command_buffer.h"
#include "gate.h"
#include "transfer.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* State of the copy from the application's memory to the pinned memory. */
typedef enum stage_reading { READING_DUE, READING_NOW, READING_OVER } stage_reading;

/* A staged copy. */
typedef struct transfer_staged {
  size_t size;                  /* bytes of pinned */
  void *pinned;                 /* the copied rectangle, without gaps */
  transfer transfer;            /* the copy between the application's and the pinned memory */
  atomic_int reading;           /* a stage_reading; only for a copy from the host */
  atomic_bool is_done;          /* the copy is complete, and another one may use the object */
  struct transfer_staged *next; /* in the list of the context */
} staged;

static pthread_mutex_t staged_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t bytes_of(const transfer *transfer) {
  return transfer->width * transfer->height * transfer->depth;
}

static char *host_pointer(CUdeviceptr address) {
  return (char *)(uintptr_t)address;
}

/* Carries out a copy on the host. */
static void copy_rows(const transfer *transfer) {
  for (size_t z = 0; z < transfer->depth; z++)
    for (size_t y = 0; y < transfer->height; y++)
      memcpy(host_pointer(transfer->to.start) + z * transfer->to.slice + y * transfer->to.row,
             host_pointer(transfer->from.start) + z * transfer->from.slice + y * transfer->from.row,
             transfer->width);
}

/* Returns the pinned memory as a side of a copy. */
static transfer_side pinned_side(const staged *staged) {
  return (transfer_side){cu_pointer(staged->pinned), staged->transfer.width,
                         staged->transfer.width * staged->transfer.height};
}

/*
 * Removes the complete copies from the context's list, or all copies if all is true. The caller
 * holds the lock, or ends the context.
 */
static staged *take_out(pi_context context, bool all) {
  staged *taken = NULL;
  for (staged **link = &context->driver.staged; *link;) {
    staged *one = *link;
    if (!all && !atomic_load_explicit(&one->is_done, memory_order_acquire)) {
      link = &one->next;
      continue;
    }
    *link = one->next;
    one->next = taken;
    taken = one;
  }
  return taken;
}

/* Frees copies. The caller does not hold the lock, because the driver may wait for the device. */
static void free_staged(staged *first) {
  for (staged *one = first, *next; one; one = next) {
    next = one->next;
    cu.MemFreeHost(one->pinned);
    free(one);
  }
}

void transfer_free_staged(pi_context context) {
  if (context->driver.staged) /* host functions and copies may be under way */
    context_synchronize(context);
  free_staged(take_out(context, true));
}

/* Frees the complete copies, and defers itself again if there are others. */
static void free_complete(deferred *node) {
  const pi_context context = OWNER_OF(node, struct pi_context_object, driver.staged_free);
  pthread_mutex_lock(&staged_lock);
  staged *complete = take_out(context, false);
  if (context->driver.staged)
    deferred_free_later(context, node, free_complete);
  pthread_mutex_unlock(&staged_lock);
  (void)cuda_enter(context);
  free_staged(complete);
}

/* Finds a complete copy whose memory is large enough, and marks it as in use; NULL if none is. */
static staged *take_done(pi_context context, size_t size) {
  staged *found = NULL;
  pthread_mutex_lock(&staged_lock);
  for (staged *one = context->driver.staged; one && !found; one = one->next)
    if (one->size >= size && atomic_load_explicit(&one->is_done, memory_order_acquire))
      found = one;
  if (found)
    atomic_store_explicit(&found->is_done, false, memory_order_relaxed);
  pthread_mutex_unlock(&staged_lock);
  return found;
}

static pi_result make_staged(pi_context context, size_t size, staged **ret) {
  staged *made = calloc(1, sizeof *made);
  REQUIRE(made, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory to stage a copy");
  const pi_result result = CU_CALL(MemHostAlloc, &made->pinned, size, CU_MEMHOSTALLOC_PORTABLE);
  if (result != PI_SUCCESS) {
    free(made);
    return result;
  }
  made->size = size;
  atomic_init(&made->is_done, false);
  pthread_mutex_lock(&staged_lock);
  made->next = context->driver.staged;
  if (!context->driver.staged)
    deferred_free_later(context, &context->driver.staged_free, free_complete);
  context->driver.staged = made;
  pthread_mutex_unlock(&staged_lock);
  *ret = made;
  return PI_SUCCESS;
}

/*
 * Prepares a staged copy with size bytes of pinned memory. Reuses a complete copy if possible,
 * because freeing pinned memory waits for the device.
 */
static pi_result stage(pi_context context, size_t size, const transfer *transfer, staged **ret) {
  *ret = take_done(context, size);
  if (!*ret)
    TRY(make_staged(context, size, ret));
  (*ret)->transfer = *transfer;
  atomic_store_explicit(&(*ret)->reading, READING_DUE, memory_order_relaxed);
  return PI_SUCCESS;
}

static void end_staged(staged *staged) {
  atomic_store_explicit(&staged->is_done, true, memory_order_release);
}

/* The driver calls this before the device copies from the pinned memory. Fills that memory. */
static void CUDA_CB begin_from(void *data) {
  staged *staged = data;
  int due = READING_DUE;
  if (!atomic_compare_exchange_strong(&staged->reading, &due, READING_NOW))
    return;
  copy_rows(&staged->transfer);
  atomic_store(&staged->reading, READING_OVER);
}

/* The driver calls this after the device has copied from the pinned memory. */
static void CUDA_CB finish_from(void *data) {
  end_staged(data);
}

/* The driver calls this after the device has copied to the pinned memory, for the last step. */
static void CUDA_CB finish_to(void *data) {
  staged *staged = data;
  copy_rows(&staged->transfer);
  end_staged(staged);
}

/* Prevents begin_from from reading the application's memory, or waits until it has read it. */
static void give_up(staged *staged) {
  int due = READING_DUE;
  if (atomic_compare_exchange_strong(&staged->reading, &due, READING_OVER))
    return;
  while (atomic_load(&staged->reading) == READING_NOW)
    sched_yield();
}

pi_result transfer_stage_begin(pi_context context, CUstream stream, const transfer *host,
                               bool is_to_host, staged **ret, CUdeviceptr *ret_pinned) {
  staged *staged;
  TRY(stage(context, bytes_of(host), host, &staged));
  if (is_to_host) {
    staged->transfer.from = pinned_side(staged);
  } else {
    staged->transfer.to = pinned_side(staged);
    const pi_result result = CU_CALL(LaunchHostFunc, stream, begin_from, staged);
    if (result != PI_SUCCESS) {
      end_staged(staged);
      return result;
    }
  }
  *ret_pinned = cu_pointer(staged->pinned);
  *ret = staged;
  return PI_SUCCESS;
}

/* After a failure is_done stays false until the context ends: the device may use the memory. */
pi_result transfer_stage_end(CUstream stream, staged *staged, bool is_to_host, pi_result result) {
  if (result == PI_SUCCESS)
    result = CU_CALL(LaunchHostFunc, stream, is_to_host ? finish_to : finish_from, staged);
  if (result != PI_SUCCESS && !is_to_host)
    give_up(staged);
  return result;
}

/* Memory that the driver does not know is pageable. */
bool transfer_needs_stage(CUdeviceptr host, bool blocking) {
  if (blocking || !gate_is_any_closed())
    return false;
  CUmemorytype type;
  return cu.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, host) != CUDA_SUCCESS;
}

static bool needs_stage(const transfer *transfer, CUdeviceptr host, bool blocking) {
  return transfer->width != 0 && transfer_needs_stage(host, blocking);
}

/* Returns whether the driver does not know memory; false if it fails for another reason. */
static bool is_unknown(CUdeviceptr memory) {
  CUmemorytype type;
  return cu.PointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory) ==
         CUDA_ERROR_INVALID_VALUE;
}

/* Enqueues a copy within the application's memory, as a host function. */
static pi_result enqueue_on_host(pi_context context, CUstream stream, const transfer *transfer) {
  staged *staged;
  TRY(stage(context, 1, transfer, &staged));
  const pi_result result = CU_CALL(LaunchHostFunc, stream, finish_to, staged);
  if (result != PI_SUCCESS)
    end_staged(staged);
  return result;
}

/* Enqueues a staged copy. */
static pi_result enqueue_staged(pi_context context, CUstream stream, const transfer *transfer,
                                bool is_to_host) {
  staged *staged;
  CUdeviceptr pinned;
  if (is_to_host && is_unknown(transfer->from.start))
    return enqueue_on_host(context, stream, transfer);
  TRY(transfer_stage_begin(context, stream, transfer, is_to_host, &staged, &pinned));
  struct transfer through = *transfer;
  *(is_to_host ? &through.to : &through.from) = pinned_side(staged);
  return transfer_stage_end(stream, staged, is_to_host,
                            transfer_enqueue(context, stream, &through));
}

static pi_result enqueue_copy(const sink *sink, const transfer *transfer, copy_host host) {
  const CUstream stream = sink->command.stream;
  const CUdeviceptr memory = host == COPY_TO_HOST ? transfer->to.start : transfer->from.start;
  if (__builtin_expect(host == COPY_NO_HOST || !needs_stage(transfer, memory, sink->is_blocking),
                       1))
    return transfer_enqueue(sink->context, stream, transfer);
  return enqueue_staged(sink->context, stream, transfer, host == COPY_TO_HOST);
}

pi_result driver_copy(sink *sink, const transfer *transfer, copy_host host) {
  TRY(sink_begin(sink, SINK_COPY));
  sink->command.is_several = !transfer_is_plain(transfer);
  return sink_end(sink,
                  sink->buffer ? record_copy(sink, transfer) : enqueue_copy(sink, transfer, host));
}
