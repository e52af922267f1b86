/* Hints for managed memory. The fake driver stores them and returns them to queries. */
#include "memory.h"

CUresult fake_check_managed(CUdeviceptr pointer, size_t size, const char *function) {
  const fake_memory *memory = fake_memory_at(pointer);
  FAKE_REQUIRE(memory && memory->head.kind == FAKE_MANAGED, INVALID_VALUE,
               "%s: no managed memory is at 0x%llx", function, pointer);
  FAKE_REQUIRE(size != 0 && size <= memory->size - (pointer - memory->base), INVALID_VALUE,
               "%s: %zu bytes at offset %llu of an allocation of %zu bytes", function, size,
               pointer - memory->base, memory->size);
  return CUDA_SUCCESS;
}

static CUresult check_place(CUdevice device) {
  return device == CU_DEVICE_CPU ? CUDA_SUCCESS : fake_check_device(device);
}

typedef struct prefetch_task {
  fake_task task;
  CUdeviceptr pointer;
  CUdevice device;
} prefetch_task;

static CUresult run_prefetch(fake_task *task) {
  const prefetch_task *prefetch = (prefetch_task *)task;
  fake_lock();
  fake_memory *memory = fake_memory_at(prefetch->pointer);
  if (memory)
    memory->prefetched = prefetch->device;
  fake_unlock();
  return CUDA_SUCCESS;
}

CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUdevice dstDevice,
                            CUstream hStream) {
  FAKE_ENTER(cuMemPrefetchAsync, CONTEXT);
  FAKE_TRY(fake_check_managed(devPtr, count, "cuMemPrefetchAsync"));
  FAKE_TRY(check_place(dstDevice));
  fake_stream *stream;
  FAKE_TRY(fake_stream_find(hStream, "cuMemPrefetchAsync", &stream));
  prefetch_task *task = fake_task_new(sizeof *task, CU_GRAPH_NODE_TYPE_EMPTY, stream->head.context,
                                      run_prefetch, NULL);
  task->pointer = devPtr;
  task->device = dstDevice;
  fake_issue(stream, task);
  return CUDA_SUCCESS;
}

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice device) {
  FAKE_ENTER(cuMemAdvise, CONTEXT);
  FAKE_TRY(fake_check_managed(devPtr, count, "cuMemAdvise"));
  const bool named = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ||
                     advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                     advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
  if (named)
    FAKE_TRY(check_place(device));
  fake_memory *memory = fake_memory_at(devPtr);
  switch (advice) {
  case CU_MEM_ADVISE_SET_READ_MOSTLY:
  case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
    memory->read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
    return CUDA_SUCCESS;
  case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
    memory->preferred = device;
    return CUDA_SUCCESS;
  case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
    memory->preferred = CU_DEVICE_INVALID;
    return CUDA_SUCCESS;
  case CU_MEM_ADVISE_SET_ACCESSED_BY:
  case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
    memory->accessed_by[device == CU_DEVICE_CPU ? FAKE_DEVICES_MAX : device] =
        advice == CU_MEM_ADVISE_SET_ACCESSED_BY;
    return CUDA_SUCCESS;
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "cuMemAdvise: no advice is %d", (int)advice);
  }
}

static CUresult answer(int value, void *data, size_t size) {
  FAKE_REQUIRE(size == sizeof value, INVALID_VALUE, "cuMemRangeGetAttribute: %zu bytes, not 4",
               size);
  memcpy(data, &value, sizeof value);
  return CUDA_SUCCESS;
}

static CUresult answer_accessed_by(const fake_memory *memory, int *devices, size_t size) {
  FAKE_REQUIRE(size != 0 && size % sizeof *devices == 0, INVALID_VALUE,
               "cuMemRangeGetAttribute: %zu bytes are no list of devices", size);
  size_t used = 0;
  for (int i = 0; i <= FAKE_DEVICES_MAX && used < size / sizeof *devices; i++)
    if (memory->accessed_by[i])
      devices[used++] = i == FAKE_DEVICES_MAX ? CU_DEVICE_CPU : i;
  while (used < size / sizeof *devices)
    devices[used++] = CU_DEVICE_INVALID;
  return CUDA_SUCCESS;
}

CUresult cuMemRangeGetAttribute(void *data, size_t size, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, size_t count) {
  FAKE_ENTER(cuMemRangeGetAttribute, CONTEXT);
  FAKE_REQUIRE(data, INVALID_VALUE, "cuMemRangeGetAttribute: data is NULL");
  FAKE_TRY(fake_check_managed(pointer, count, "cuMemRangeGetAttribute"));
  const fake_memory *memory = fake_memory_at(pointer);
  switch ((int)attribute) {
  case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
    return answer(memory->read_mostly, data, size);
  case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
    return answer(memory->preferred, data, size);
  case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
    return answer(memory->prefetched, data, size);
  case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
    return answer_accessed_by(memory, data, size);
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "cuMemRangeGetAttribute: no attribute is %d",
                       (int)attribute);
  }
}
