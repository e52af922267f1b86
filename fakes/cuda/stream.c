/* Streams of the fake CUDA driver. */
#define _POSIX_C_SOURCE 200809L
#include "work.h"

/* Returns the calling thread's default stream, which is created when it is first used. */
static fake_stream *stream_of_thread(fake_context *context) {
  const pthread_t self = pthread_self();
  for (fake_stream *i = context->streams; i; i = i->next)
    if (i->of_thread && pthread_equal(i->thread, self))
      return i;
  fake_stream *stream = fake_stream_new(context, CU_STREAM_DEFAULT, 0, false);
  /* Owned, so that it is not counted as a live object: it ends with the context. */
  fake_own(&stream->head);
  stream->of_thread = true;
  stream->thread = self;
  return stream;
}

CUresult fake_stream_find(CUstream handle, const char *function, fake_stream **ret) {
  if (!handle || handle == CU_STREAM_LEGACY) {
    *ret = fake_current()->legacy;
    return CUDA_SUCCESS;
  }
  if (handle == CU_STREAM_PER_THREAD) {
    *ret = stream_of_thread(fake_current());
    return CUDA_SUCCESS;
  }
  fake_stream *stream = fake_find(handle, FAKE_STREAM);
  FAKE_REQUIRE(stream && !stream->dead, INVALID_HANDLE, "%s: no live stream is %p", function,
               (void *)handle);
  /* The stream's own context counts, whichever is current. */
  if (stream->head.context->sticky != CUDA_SUCCESS)
    return fake_deny(stream->head.context->sticky, "%s: something failed in the stream's context",
                     function);
  *ret = stream;
  return CUDA_SUCCESS;
}

static CUresult create_stream(CUstream *ret, unsigned flags, int priority) {
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuStreamCreate: the place for the stream is NULL");
  FAKE_REQUIRE((flags & ~(unsigned)CU_STREAM_NON_BLOCKING) == 0, INVALID_VALUE,
               "cuStreamCreate: unknown flags in 0x%x", flags);
  *ret = FAKE_HANDLE(CUstream, fake_stream_new(fake_current(), flags, priority, false));
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *ret, unsigned int flags) {
  FAKE_ENTER(cuStreamCreate, CONTEXT);
  return create_stream(ret, flags, 0);
}

CUresult cuStreamCreateWithPriority(CUstream *ret, unsigned int flags, int priority) {
  FAKE_ENTER(cuStreamCreateWithPriority, CONTEXT);
  return create_stream(ret, flags, priority);
}

CUresult cuStreamDestroy(CUstream handle) {
  FAKE_ENTER(cuStreamDestroy, LIVING);
  fake_stream *stream = fake_find(handle, FAKE_STREAM);
  FAKE_REQUIRE(stream && !stream->legacy && !stream->of_thread, INVALID_HANDLE,
               "cuStreamDestroy: no stream that was created is %p", (void *)handle);
  fake_stream_end(stream);
  return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream handle) {
  FAKE_ENTER(cuStreamQuery, CONTEXT);
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuStreamQuery", &stream));
  return fake_stream_idle(stream) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamSynchronize(CUstream handle) {
  FAKE_ENTER(cuStreamSynchronize, CONTEXT);
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuStreamSynchronize", &stream));
  fake_context *context = stream->head.context;
  if (stream->legacy)
    /* An empty command of the legacy stream waits for all blocking streams, too. */
    return fake_stream_idle(stream) ? CUDA_SUCCESS : fake_issue_wait(stream, NULL);
  if (stream->tail)
    fake_point_wait(fake_point_retain(stream->tail));
  return context->sticky;
}

CUresult cuStreamGetFlags(CUstream handle, unsigned int *flags) {
  FAKE_ENTER(cuStreamGetFlags, CONTEXT);
  FAKE_REQUIRE(flags, INVALID_VALUE, "cuStreamGetFlags: flags is NULL");
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuStreamGetFlags", &stream));
  *flags = stream->flags;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream handle, int *priority) {
  FAKE_ENTER(cuStreamGetPriority, CONTEXT);
  FAKE_REQUIRE(priority, INVALID_VALUE, "cuStreamGetPriority: priority is NULL");
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuStreamGetPriority", &stream));
  *priority = stream->priority;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream handle, CUcontext *ret) {
  FAKE_ENTER(cuStreamGetCtx, CONTEXT);
  FAKE_REQUIRE(ret, INVALID_VALUE, "cuStreamGetCtx: the place for the context is NULL");
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuStreamGetCtx", &stream));
  *ret = FAKE_HANDLE(CUcontext, stream->head.context);
  return CUDA_SUCCESS;
}

/* A function of the application that a stream calls. */
typedef struct host_task {
  fake_task task;
  CUhostFn function;
  CUstreamCallback callback;
  CUstream stream;
  void *user;
} host_task;

static CUresult run_host(fake_task *task) {
  const host_task *host = (host_task *)task;
  CUresult sticky = CUDA_SUCCESS;
  if (host->callback) {
    fake_lock();
    sticky = task->context->sticky;
    fake_unlock();
  }
  fake_calling_back(true);
  if (host->callback)
    host->callback(host->stream, sticky, host->user);
  else
    host->function(host->user);
  fake_calling_back(false);
  return CUDA_SUCCESS;
}

fake_task *fake_host_task(fake_context *context, CUhostFn function, void *user) {
  host_task *host = fake_task_new(sizeof *host, CU_GRAPH_NODE_TYPE_HOST, context, run_host, NULL);
  host->function = function;
  host->user = user;
  return &host->task;
}

CUresult cuLaunchHostFunc(CUstream handle, CUhostFn function, void *user) {
  FAKE_ENTER(cuLaunchHostFunc, CONTEXT);
  FAKE_REQUIRE(function, INVALID_VALUE, "cuLaunchHostFunc: the function is NULL");
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuLaunchHostFunc", &stream));
  fake_issue(stream, fake_host_task(stream->head.context, function, user));
  return CUDA_SUCCESS;
}

CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void *user,
                             unsigned int flags) {
  FAKE_ENTER(cuStreamAddCallback, CONTEXT);
  FAKE_REQUIRE(callback && flags == 0, INVALID_VALUE,
               "cuStreamAddCallback: no callback, or flags are not 0");
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, "cuStreamAddCallback", &stream));
  host_task *host =
      fake_task_new(sizeof *host, CU_GRAPH_NODE_TYPE_HOST, stream->head.context, run_host, NULL);
  host->callback = callback;
  host->stream = handle;
  host->user = user;
  host->task.always = true;
  fake_issue(stream, host);
  return CUDA_SUCCESS;
}
