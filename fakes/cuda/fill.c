/* cuMemset. */
#include "memory.h"

typedef struct fill_task {
  fake_task task;
  fake_fill fill;
} fill_task;

static CUresult run_fill(fake_task *task) {
  const fake_fill *fill = &((fill_task *)task)->fill;
  const uint16_t half = (uint16_t)fill->value;
  for (size_t y = 0; y < fill->height; y++) {
    unsigned char *row = fill->bytes + y * fill->pitch;
    if (fill->element == 1) {
      memset(row, (int)(fill->value & 0xff), fill->width);
      continue;
    }
    for (size_t x = 0; x < fill->width; x++)
      memcpy(row + x * fill->element, fill->element == 2 ? (const void *)&half : &fill->value,
             fill->element);
  }
  return CUDA_SUCCESS;
}

fake_task *fake_fill_task(fake_context *context, const fake_fill *fill) {
  fill_task *task = fake_task_new(sizeof *task, CU_GRAPH_NODE_TYPE_MEMSET, context, run_fill, NULL);
  task->fill = *fill;
  return &task->task;
}

CUresult fake_fill_find(CUdeviceptr address, size_t pitch, unsigned value, unsigned element,
                        size_t width, size_t height, const char *function, fake_fill *ret) {
  FAKE_REQUIRE(element == 1 || element == 2 || element == 4, INVALID_VALUE,
               "%s: elements of %u bytes", function, element);
  FAKE_REQUIRE(address % element == 0, INVALID_VALUE, "%s: 0x%llx is no multiple of %u", function,
               address, element);
  fake_fill fill = {NULL, pitch, width, height, value, element};
  if (width == 0 || height == 0) {
    fill.height = 0;
    *ret = fill;
    return CUDA_SUCCESS;
  }
  size_t row;
  size_t size;
  FAKE_REQUIRE(!__builtin_mul_overflow(width, (size_t)element, &row) &&
                   !__builtin_mul_overflow(height - 1, pitch, &size) &&
                   !__builtin_add_overflow(size, row, &size),
               INVALID_VALUE, "%s: more than there is memory", function);
  FAKE_REQUIRE(height == 1 || (pitch >= row && pitch % element == 0), INVALID_VALUE,
               "%s: a pitch of %zu bytes for rows of %zu", function, pitch, row);
  FAKE_TRY(fake_device_range(address, size, true, function, &fill.bytes));
  *ret = fill;
  return CUDA_SUCCESS;
}

static CUresult fill_memory(const char *function, CUdeviceptr address, size_t pitch, unsigned value,
                            unsigned element, size_t width, size_t height, CUstream handle,
                            bool wait) {
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, function, &stream));
  fake_fill found;
  FAKE_TRY(fake_fill_find(address, pitch, value, element, width, height, function, &found));
  fake_task *task = fake_fill_task(stream->head.context, &found);
  if (wait)
    return fake_issue_wait(stream, task);
  fake_issue(stream, task);
  return CUDA_SUCCESS;
}

/* X(bits, type of the value) */
#define FILLS(X)                                                                                   \
  X(8, unsigned char)                                                                              \
  X(16, unsigned short)                                                                            \
  X(32, unsigned int)

#define DEFINE(bits, type)                                                                         \
  CUresult cuMemsetD##bits##_v2(CUdeviceptr address, type value, size_t count) {                   \
    FAKE_ENTER(cuMemsetD##bits##_v2, CONTEXT);                                                     \
    return fill_memory("cuMemsetD" #bits, address, 0, value, (bits) / 8, count, 1, NULL, true);    \
  }                                                                                                \
  CUresult cuMemsetD##bits##Async(CUdeviceptr address, type value, size_t count,                   \
                                  CUstream stream) {                                               \
    FAKE_ENTER(cuMemsetD##bits##Async, CONTEXT);                                                   \
    return fill_memory("cuMemsetD" #bits "Async", address, 0, value, (bits) / 8, count, 1, stream, \
                       false);                                                                     \
  }                                                                                                \
  CUresult cuMemsetD2D##bits##_v2(CUdeviceptr address, size_t pitch, type value, size_t width,     \
                                  size_t height) {                                                 \
    FAKE_ENTER(cuMemsetD2D##bits##_v2, CONTEXT);                                                   \
    return fill_memory("cuMemsetD2D" #bits, address, pitch, value, (bits) / 8, width, height,      \
                       NULL, true);                                                                \
  }                                                                                                \
  CUresult cuMemsetD2D##bits##Async(CUdeviceptr address, size_t pitch, type value, size_t width,   \
                                    size_t height, CUstream stream) {                              \
    FAKE_ENTER(cuMemsetD2D##bits##Async, CONTEXT);                                                 \
    return fill_memory("cuMemsetD2D" #bits "Async", address, pitch, value, (bits) / 8, width,      \
                       height, stream, false);                                                     \
  }

FILLS(DEFINE)
