/* Commands on single words of memory: wait for a value, write a value. */
#define _DEFAULT_SOURCE /* usleep */
#include "memory.h"

#include <unistd.h>

typedef struct word_task {
  fake_task task;
  unsigned char *word;
  unsigned size; /* 4 or 8 */
  unsigned flags;
  uint64_t value;
} word_task;

static uint64_t load_word(const word_task *word) {
  return word->size == 4 ? __atomic_load_n((uint32_t *)(void *)word->word, __ATOMIC_ACQUIRE)
                         : __atomic_load_n((uint64_t *)(void *)word->word, __ATOMIC_ACQUIRE);
}

static bool is_there(const word_task *word) {
  const uint64_t now = load_word(word);
  const uint64_t difference = now - word->value;
  switch (word->flags & ~(unsigned)CU_STREAM_WAIT_VALUE_FLUSH) {
  case CU_STREAM_WAIT_VALUE_GEQ:
    return word->size == 4 ? (int32_t)difference >= 0 : (int64_t)difference >= 0;
  case CU_STREAM_WAIT_VALUE_EQ:
    return now == word->value;
  case CU_STREAM_WAIT_VALUE_AND:
    return (now & word->value) != 0;
  default: {
    const uint64_t mask = word->size == 4 ? UINT32_MAX : UINT64_MAX;
    return (~(now | word->value) & mask) != 0;
  }
  }
}

/* Waits until the word has the value, or the context ends. */
static CUresult run_wait(fake_task *task) {
  const word_task *word = (word_task *)task;
  bool ending = false;
  while (!is_there(word) && !ending) {
    usleep(50);
    fake_lock();
    ending = task->context->ending;
    fake_unlock();
  }
  return CUDA_SUCCESS;
}

static CUresult run_write(fake_task *task) {
  const word_task *word = (word_task *)task;
  if (word->size == 4)
    __atomic_store_n((uint32_t *)(void *)word->word, (uint32_t)word->value, __ATOMIC_RELEASE);
  else
    __atomic_store_n((uint64_t *)(void *)word->word, word->value, __ATOMIC_RELEASE);
  return CUDA_SUCCESS;
}

static CUresult issue(CUstream handle, CUdeviceptr address, uint64_t value, unsigned size,
                      unsigned flags, bool wait, const char *function) {
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, function, &stream));
  FAKE_REQUIRE(wait ? flags <= CU_STREAM_WAIT_VALUE_NOR
                    : (flags & ~(unsigned)CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) == 0,
               INVALID_VALUE, "%s: unknown flags in 0x%x", function, flags);
  FAKE_REQUIRE(address % size == 0, INVALID_VALUE, "%s: 0x%llx is no multiple of %u", function,
               address, size);
  unsigned char *bytes;
  FAKE_TRY(fake_device_range(address, size, !wait, function, &bytes));
  word_task *word = fake_task_new(sizeof *word, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP,
                                  stream->head.context, wait ? run_wait : run_write, NULL);
  word->word = bytes;
  word->size = size;
  word->flags = flags;
  word->value = value;
  fake_issue(stream, word);
  return CUDA_SUCCESS;
}

CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                             unsigned int flags) {
  FAKE_ENTER(cuStreamWaitValue32, CONTEXT);
  return issue(stream, address, value, 4, flags, true, "cuStreamWaitValue32");
}

CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                             unsigned int flags) {
  FAKE_ENTER(cuStreamWaitValue64, CONTEXT);
  return issue(stream, address, value, 8, flags, true, "cuStreamWaitValue64");
}

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                              unsigned int flags) {
  FAKE_ENTER(cuStreamWriteValue32, CONTEXT);
  return issue(stream, address, value, 4, flags, false, "cuStreamWriteValue32");
}

CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                              unsigned int flags) {
  FAKE_ENTER(cuStreamWriteValue64, CONTEXT);
  return issue(stream, address, value, 8, flags, false, "cuStreamWriteValue64");
}
