/* cuMemcpy of rows and slices, and of arrays. */
#include "memory.h"

static CUresult copy_shape(const CUDA_MEMCPY3D *request, CUstream handle, const char *function,
                           bool wait) {
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(handle, function, &stream));
  fake_shape shape;
  FAKE_TRY(fake_shape_find(request, function, &shape));
  return fake_copy_issue(stream, &shape, wait);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *request, CUstream handle, const char *function,
                        bool wait) {
  FAKE_REQUIRE(request, INVALID_VALUE, "%s: the description is NULL", function);
  const CUDA_MEMCPY3D whole = {
      .srcXInBytes = request->srcXInBytes,
      .srcY = request->srcY,
      .srcMemoryType = request->srcMemoryType,
      .srcHost = request->srcHost,
      .srcDevice = request->srcDevice,
      .srcArray = request->srcArray,
      .srcPitch = request->srcPitch,
      .dstXInBytes = request->dstXInBytes,
      .dstY = request->dstY,
      .dstMemoryType = request->dstMemoryType,
      .dstHost = request->dstHost,
      .dstDevice = request->dstDevice,
      .dstArray = request->dstArray,
      .dstPitch = request->dstPitch,
      .WidthInBytes = request->WidthInBytes,
      .Height = request->Height,
      .Depth = 1,
  };
  return copy_shape(&whole, handle, function, wait);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *request) {
  FAKE_ENTER(cuMemcpy2D, CONTEXT);
  return copy_2d(request, NULL, "cuMemcpy2D", true);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *request, CUstream stream) {
  FAKE_ENTER(cuMemcpy2DAsync, CONTEXT);
  return copy_2d(request, stream, "cuMemcpy2DAsync", false);
}

CUresult cuMemcpy3D(const CUDA_MEMCPY3D *request) {
  FAKE_ENTER(cuMemcpy3D, CONTEXT);
  return copy_shape(request, NULL, "cuMemcpy3D", true);
}

CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D *request, CUstream stream) {
  FAKE_ENTER(cuMemcpy3DAsync, CONTEXT);
  return copy_shape(request, stream, "cuMemcpy3DAsync", false);
}

static CUresult copy_peer(const CUDA_MEMCPY3D_PEER *request, CUstream handle, const char *function,
                          bool wait) {
  FAKE_REQUIRE(request, INVALID_VALUE, "%s: the description is NULL", function);
  FAKE_REQUIRE(fake_find(request->srcContext, FAKE_CONTEXT) &&
                   fake_find(request->dstContext, FAKE_CONTEXT),
               INVALID_CONTEXT, "%s: a context is not alive", function);
  const CUDA_MEMCPY3D whole = {
      .srcXInBytes = request->srcXInBytes,
      .srcY = request->srcY,
      .srcZ = request->srcZ,
      .srcLOD = request->srcLOD,
      .srcMemoryType = request->srcMemoryType,
      .srcHost = request->srcHost,
      .srcDevice = request->srcDevice,
      .srcArray = request->srcArray,
      .srcPitch = request->srcPitch,
      .srcHeight = request->srcHeight,
      .dstXInBytes = request->dstXInBytes,
      .dstY = request->dstY,
      .dstZ = request->dstZ,
      .dstLOD = request->dstLOD,
      .dstMemoryType = request->dstMemoryType,
      .dstHost = request->dstHost,
      .dstDevice = request->dstDevice,
      .dstArray = request->dstArray,
      .dstPitch = request->dstPitch,
      .dstHeight = request->dstHeight,
      .WidthInBytes = request->WidthInBytes,
      .Height = request->Height,
      .Depth = request->Depth,
  };
  return copy_shape(&whole, handle, function, wait);
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *request, CUstream stream) {
  FAKE_ENTER(cuMemcpy3DPeerAsync, CONTEXT);
  return copy_peer(request, stream, "cuMemcpy3DPeerAsync", false);
}

/* Copies from or to a one-dimensional array. Offsets and sizes are in bytes. */
static CUresult copy_array(const CUDA_MEMCPY3D *request, size_t size, CUstream stream,
                           const char *function, bool wait) {
  CUDA_MEMCPY3D whole = *request;
  whole.WidthInBytes = size;
  whole.Height = 1;
  whole.Depth = 1;
  return copy_shape(&whole, stream, function, wait);
}

#define TO_ARRAY(array, offset)                                                                    \
  .dstMemoryType = CU_MEMORYTYPE_ARRAY, .dstArray = (array), .dstXInBytes = (offset)
#define FROM_ARRAY(array, offset)                                                                  \
  .srcMemoryType = CU_MEMORYTYPE_ARRAY, .srcArray = (array), .srcXInBytes = (offset)

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t size) {
  FAKE_ENTER(cuMemcpyHtoA, CONTEXT);
  const CUDA_MEMCPY3D request = {TO_ARRAY(to, offset), .srcMemoryType = CU_MEMORYTYPE_HOST,
                                 .srcHost = from};
  return copy_array(&request, size, NULL, "cuMemcpyHtoA", true);
}
