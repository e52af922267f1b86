/* Queries about a pointer in the fake CUDA driver. */
#include "memory.h"

/* An answer to a query. */
typedef struct fake_answer {
  size_t size;
  union {
    void *pointer;
    CUcontext context;
    unsigned number;
    int integer;
    unsigned char boolean;
    unsigned long long wide;
    size_t bytes;
  } value;
} fake_answer;

#define ANSWER(member, expression)                                                                 \
  *ret = (fake_answer){.size = sizeof ret->value.member, .value = {.member = (expression)}};       \
  return CUDA_SUCCESS

/* Returns the access flags; mapped memory may be inaccessible to the current context. */
static unsigned access_flags(const fake_memory *memory) {
  if (memory->head.kind == FAKE_MAPPED && !fake_memory_reaches(memory, fake_current()))
    return CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
  return fake_memory_takes(memory, fake_current()) ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE
                                                   : CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READ;
}

static CUresult find_attribute(const fake_memory *memory, CUpointer_attribute attribute,
                               CUdeviceptr pointer, fake_answer *ret) {
  const bool mapped = memory->head.kind == FAKE_MAPPED;
  const bool device = memory->head.kind == FAKE_MEMORY || mapped;
  const bool managed = memory->head.kind == FAKE_MANAGED;
  switch ((int)attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    /* Mapped memory and memory of pools belong to no context. */
    ANSWER(context, mapped || memory->pool ? NULL : FAKE_HANDLE(CUcontext, memory->head.context));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    ANSWER(number, device || managed ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    if (mapped && !fake_memory_reaches(memory, fake_current()))
      return fake_deny(CUDA_ERROR_INVALID_VALUE, "the device has no access to 0x%llx", pointer);
    ANSWER(wide, pointer);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (device)
      return fake_deny(CUDA_ERROR_INVALID_VALUE, "0x%llx has no address on the host", pointer);
    ANSWER(pointer, (void *)(uintptr_t)pointer);
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    ANSWER(boolean, 0);
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    ANSWER(wide, memory->head.serial);
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    ANSWER(boolean, managed);
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    ANSWER(integer, memory->device);
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    ANSWER(boolean, 0);
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    ANSWER(wide, mapped ? memory->reservation->base : memory->base);
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    ANSWER(bytes, mapped ? memory->reservation->size : memory->size);
  case CU_POINTER_ATTRIBUTE_MAPPED:
    ANSWER(boolean, 1);
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    ANSWER(wide, 0);
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    ANSWER(number, access_flags(memory));
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "no attribute of pointers is %d", (int)attribute);
  }
}

/*
 * Answers like cuPointerGetAttributes if the driver does not know the pointer or the answer.
 */
static CUresult find_unknown(CUpointer_attribute attribute, fake_answer *ret) {
  switch ((int)attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    ANSWER(pointer, NULL);
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    ANSWER(number, 0);
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    ANSWER(integer, CU_DEVICE_INVALID);
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    ANSWER(wide, 0);
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_MAPPED:
    ANSWER(boolean, 0);
  default:
    return fake_refuse(CUDA_ERROR_INVALID_VALUE, "no attribute of pointers is %d", (int)attribute);
  }
}

static const fake_memory *find_known(CUdeviceptr pointer) {
  const fake_memory *memory = fake_memory_at(pointer);
  return memory && !memory->leaving ? memory : NULL;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer) {
  FAKE_ENTER(cuPointerGetAttribute, CONTEXT);
  FAKE_REQUIRE(data, INVALID_VALUE, "cuPointerGetAttribute: data is NULL");
  const fake_memory *memory = find_known(pointer);
  if (!memory)
    return fake_deny(CUDA_ERROR_INVALID_VALUE,
                     "cuPointerGetAttribute: the driver does not know the memory at 0x%llx",
                     pointer);
  fake_answer answer;
  FAKE_TRY(find_attribute(memory, attribute, pointer, &answer));
  memcpy(data, &answer.value, answer.size);
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute *attributes, void **data,
                                CUdeviceptr pointer) {
  FAKE_ENTER(cuPointerGetAttributes, CONTEXT);
  FAKE_REQUIRE(count != 0 && attributes && data, INVALID_VALUE,
               "cuPointerGetAttributes: nothing is asked");
  const fake_memory *memory = find_known(pointer);
  for (unsigned i = 0; i < count; i++) {
    FAKE_REQUIRE(data[i], INVALID_VALUE, "cuPointerGetAttributes: data[%u] is NULL", i);
    fake_answer answer;
    if (!memory || find_attribute(memory, attributes[i], pointer, &answer) != CUDA_SUCCESS)
      FAKE_TRY(find_unknown(attributes[i], &answer));
    memcpy(data[i], &answer.value, answer.size);
  }
  return CUDA_SUCCESS;
}
