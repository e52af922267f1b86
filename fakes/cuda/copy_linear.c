/* cuMemcpy of consecutive bytes. */
#include "memory.h"

#define HOST(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

static CUresult copy_sides(const char *function, fake_side_kind to_kind, CUdeviceptr to,
                           fake_side_kind from_kind, CUdeviceptr from, size_t size, CUstream handle,
                           bool wait) {
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, function, &stream));
  fake_shape shape = {.width = size, .height = 1, .depth = 1};
  FAKE_TRY(fake_side_find(to_kind, to, size, true, function, &shape.to));
  FAKE_TRY(fake_side_find(from_kind, from, size, false, function, &shape.from));
  return fake_copy_issue(stream, &shape, wait);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  FAKE_ENTER(cuMemcpy, CONTEXT);
  return copy_sides("cuMemcpy", FAKE_SIDE_ANY, to, FAKE_SIDE_ANY, from, size, NULL, true);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  FAKE_ENTER(cuMemcpyAsync, CONTEXT);
  return copy_sides("cuMemcpyAsync", FAKE_SIDE_ANY, to, FAKE_SIDE_ANY, from, size, stream, false);
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
  FAKE_ENTER(cuMemcpyHtoD, CONTEXT);
  return copy_sides("cuMemcpyHtoD", FAKE_SIDE_DEVICE, to, FAKE_SIDE_HOST, HOST(from), size, NULL,
                    true);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  FAKE_ENTER(cuMemcpyHtoDAsync, CONTEXT);
  return copy_sides("cuMemcpyHtoDAsync", FAKE_SIDE_DEVICE, to, FAKE_SIDE_HOST, HOST(from), size,
                    stream, false);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) {
  FAKE_ENTER(cuMemcpyDtoH, CONTEXT);
  return copy_sides("cuMemcpyDtoH", FAKE_SIDE_HOST, HOST(to), FAKE_SIDE_DEVICE, from, size, NULL,
                    true);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  FAKE_ENTER(cuMemcpyDtoHAsync, CONTEXT);
  return copy_sides("cuMemcpyDtoHAsync", FAKE_SIDE_HOST, HOST(to), FAKE_SIDE_DEVICE, from, size,
                    stream, false);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  FAKE_ENTER(cuMemcpyDtoD, CONTEXT);
  return copy_sides("cuMemcpyDtoD", FAKE_SIDE_DEVICE, to, FAKE_SIDE_DEVICE, from, size, NULL, true);
}

static CUresult check_peer(CUcontext handle, CUdeviceptr pointer, const char *function) {
  const fake_context *context = fake_find(handle, FAKE_CONTEXT);
  FAKE_REQUIRE(context, INVALID_CONTEXT, "%s: no live context is %p", function, (void *)handle);
  const fake_memory *memory = fake_memory_at(pointer);
  FAKE_REQUIRE(memory && (memory->head.kind != FAKE_MEMORY || memory->head.context == context),
               INVALID_VALUE, "%s: 0x%llx is no memory of the context named", function, pointer);
  return CUDA_SUCCESS;
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t size) {
  FAKE_ENTER(cuMemcpyPeer, CONTEXT);
  FAKE_TRY(check_peer(to_context, to, "cuMemcpyPeer"));
  FAKE_TRY(check_peer(from_context, from, "cuMemcpyPeer"));
  return copy_sides("cuMemcpyPeer", FAKE_SIDE_DEVICE, to, FAKE_SIDE_DEVICE, from, size, NULL, true);
}
