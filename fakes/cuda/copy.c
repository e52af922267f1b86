/* Copies of the fake CUDA driver: checks the source and the destination, and copies. */
#include "memory.h"

#include <stdlib.h>

typedef struct copy_task {
  fake_task task;
  fake_shape shape;
  unsigned char *staged; /* a copy of a pageable source */
} copy_task;

static CUresult run_copy(fake_task *task) {
  const fake_shape *shape = &((copy_task *)task)->shape;
  for (size_t z = 0; z < shape->depth; z++)
    for (size_t y = 0; y < shape->height; y++)
      memmove(shape->to.bytes + z * shape->to.slice + y * shape->to.pitch,
              shape->from.bytes + z * shape->from.slice + y * shape->from.pitch, shape->width);
  return CUDA_SUCCESS;
}

static void end_copy(fake_task *task) {
  free(((copy_task *)task)->staged);
}

static bool is_empty(const fake_shape *shape) {
  return shape->width == 0 || shape->height == 0 || shape->depth == 0;
}

fake_task *fake_copy_task(fake_context *context, const fake_shape *shape) {
  copy_task *copy =
      fake_task_new(sizeof *copy, CU_GRAPH_NODE_TYPE_MEMCPY, context, run_copy, end_copy);
  copy->shape = *shape;
  if (is_empty(shape))
    copy->shape.depth = 0;
  return &copy->task;
}

/* Copies the source now, so that the application may change it after the call returns. */
static void stage(copy_task *copy) {
  fake_shape *shape = &copy->shape;
  const size_t slice = shape->width * shape->height;
  copy->staged = fake_allocate(slice * shape->depth);
  for (size_t z = 0; z < shape->depth; z++)
    for (size_t y = 0; y < shape->height; y++)
      memcpy(copy->staged + z * slice + y * shape->width,
             shape->from.bytes + z * shape->from.slice + y * shape->from.pitch, shape->width);
  shape->from = (fake_side){.bytes = copy->staged, .pitch = shape->width, .slice = slice};
}

CUresult fake_copy_issue(fake_stream *stream, const fake_shape *shape, bool wait) {
  fake_task *task = fake_copy_task(stream->head.context, shape);
  const bool empty = is_empty(shape);
  if (wait || (shape->to.pageable && !empty))
    return fake_issue_wait(stream, task);
  if (shape->from.pageable && !empty)
    stage((copy_task *)task);
  fake_issue(stream, task);
  return CUDA_SUCCESS;
}

/* The source or the destination of a CUDA_MEMCPY3D, with the same member names for both. */
typedef struct side_request {
  const char *name; /* "source" or "destination" */
  bool is_written;
  size_t x, y, z, lod;
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t pitch, height;
} side_request;

static bool add_product(size_t *sum, size_t a, size_t b) {
  size_t product;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

static CUresult find_linear(const side_request *request, const CUDA_MEMCPY3D *copy,
                            const char *function, fake_side *ret) {
  size_t pitch = request->pitch;
  size_t rows = request->height;
  /* The pitch may be 0 if there is only one row, and the height if there is only one slice. */
  if (pitch == 0 && copy->Height <= 1 && copy->Depth <= 1 && request->y == 0 && request->z == 0)
    pitch = request->x + copy->WidthInBytes;
  if (rows == 0 && copy->Depth <= 1 && request->z == 0)
    rows = request->y + copy->Height;
  FAKE_REQUIRE(pitch >= copy->WidthInBytes && pitch - copy->WidthInBytes >= request->x &&
                   pitch <= (size_t)fake_attribute(CU_DEVICE_ATTRIBUTE_MAX_PITCH),
               INVALID_VALUE, "%s: the %s's pitch of %zu bytes for %zu bytes from %zu on", function,
               request->name, pitch, copy->WidthInBytes, request->x);
  FAKE_REQUIRE(copy->Depth <= 1 || (rows >= copy->Height && rows - copy->Height >= request->y),
               INVALID_VALUE, "%s: the %s has slices of %zu rows, for %zu from %zu on", function,
               request->name, rows, copy->Height, request->y);
  /* first is the first byte's offset from the base; size is the number of bytes to the last one. */
  size_t first = request->x;
  size_t slice = 0;
  size_t size = copy->WidthInBytes;
  FAKE_REQUIRE(add_product(&slice, pitch, rows) && add_product(&first, request->y, pitch) &&
                   add_product(&first, request->z, slice) &&
                   add_product(&size, copy->Height - 1, pitch) &&
                   add_product(&size, copy->Depth - 1, slice) && size <= SIZE_MAX - first,
               INVALID_VALUE, "%s: the %s is larger than memory", function, request->name);
  const CUdeviceptr base =
      request->type == CU_MEMORYTYPE_HOST ? (CUdeviceptr)(uintptr_t)request->host : request->device;
  const fake_side_kind kind = request->type == CU_MEMORYTYPE_HOST     ? FAKE_SIDE_HOST
                              : request->type == CU_MEMORYTYPE_DEVICE ? FAKE_SIDE_DEVICE
                                                                      : FAKE_SIDE_ANY;
  FAKE_REQUIRE(base != 0, INVALID_VALUE, "%s: the %s is NULL", function, request->name);
  FAKE_TRY(fake_side_find(kind, base + first, size, request->is_written, function, ret));
  ret->pitch = pitch;
  ret->slice = slice;
  return CUDA_SUCCESS;
}

static CUresult find_array(const side_request *request, const CUDA_MEMCPY3D *copy,
                           const char *function, fake_side *ret) {
  FAKE_FIND(fake_array, array, request->array, ARRAY);
  const size_t row = array->width * array->element;
  FAKE_REQUIRE(request->x % array->element == 0 && copy->WidthInBytes % array->element == 0,
               INVALID_VALUE,
               "%s: the %s's elements have %zu bytes, which do not divide %zu or %zu", function,
               request->name, array->element, request->x, copy->WidthInBytes);
  FAKE_REQUIRE(request->x <= row && copy->WidthInBytes <= row - request->x &&
                   request->y <= array->height && copy->Height <= array->height - request->y &&
                   request->z <= array->depth && copy->Depth <= array->depth - request->z,
               INVALID_VALUE,
               "%s: the %s is an array of %zu bytes * %zu * %zu, not enough for %zu * "
               "%zu * %zu from %zu, %zu, %zu on",
               function, request->name, row, array->height, array->depth, copy->WidthInBytes,
               copy->Height, copy->Depth, request->x, request->y, request->z);
  *ret = (fake_side){.bytes = array->bytes + request->x + request->y * row +
                              request->z * row * array->height,
                     .pitch = row,
                     .slice = row * array->height};
  return CUDA_SUCCESS;
}

static CUresult find_side(const side_request *request, const CUDA_MEMCPY3D *copy,
                          const char *function, fake_side *ret) {
  FAKE_REQUIRE(request->lod == 0, INVALID_VALUE, "%s: the %s's level of detail is not 0", function,
               request->name);
  switch (request->type) {
  case CU_MEMORYTYPE_HOST:
  case CU_MEMORYTYPE_DEVICE:
  case CU_MEMORYTYPE_UNIFIED:
    return find_linear(request, copy, function, ret);
  case CU_MEMORYTYPE_ARRAY:
    return find_array(request, copy, function, ret);
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "%s: the %s's memory type is %d", function,
                       request->name, (int)request->type);
  }
}

CUresult fake_shape_find(const CUDA_MEMCPY3D *copy, const char *function, fake_shape *ret) {
  FAKE_REQUIRE(copy, INVALID_VALUE, "%s: the description is NULL", function);
  fake_shape shape = {.width = copy->WidthInBytes, .height = copy->Height, .depth = copy->Depth};
  if (is_empty(&shape)) {
    *ret = (fake_shape){.depth = 0};
    return CUDA_SUCCESS;
  }
  const side_request from = {"source",        false,          copy->srcXInBytes,   copy->srcY,
                             copy->srcZ,      copy->srcLOD,   copy->srcMemoryType, copy->srcHost,
                             copy->srcDevice, copy->srcArray, copy->srcPitch,      copy->srcHeight};
  const side_request to = {"destination",   true,           copy->dstXInBytes,   copy->dstY,
                           copy->dstZ,      copy->dstLOD,   copy->dstMemoryType, copy->dstHost,
                           copy->dstDevice, copy->dstArray, copy->dstPitch,      copy->dstHeight};
  FAKE_TRY(find_side(&from, copy, function, &shape.from));
  FAKE_TRY(find_side(&to, copy, function, &shape.to));
  *ret = shape;
  return CUDA_SUCCESS;
}
