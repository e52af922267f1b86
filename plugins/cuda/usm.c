/*
 * Unified shared memory: host memory is pinned and mapped for every context, device memory is the
 * device's, and shared memory is CUDA's managed memory. The driver knows each pointer, so nothing
 * is kept beside it.
 */
#include "usm.h"

#include "../objects/registry.h"
#include "checks.h"

#include "../objects/usm_arguments.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * DEVICE_READ_ONLY is a promise of the application which CUDA has nobody to tell; managed memory is
 * placed where it is touched first, whatever INITIAL_PLACEMENT says. Both are accepted: neither
 * changes what a program computes.
 */
static pi_result check_allocation(void **result_ptr, pi_context context,
                                  const pi_usm_mem_properties *properties, size_t size,
                                  pi_uint32 alignment, unsigned *ret_flags) {
  REQUIRE_POINTER(result_ptr);
  REQUIRE_CONTEXT(context);
  return pi_check_usm_alloc(properties, "CUDA", size, alignment, ret_flags);
}

/* The result of a driver's allocation of size bytes. */
static pi_result allocated(CUresult code, const char *call, size_t size) {
  if (code == CUDA_SUCCESS)
    return PI_SUCCESS;
  char text[80];
  snprintf(text, sizeof text, "%s of %zu bytes", call, size);
  return cu_error(code, text);
}

/* The driver takes no alignment: what it gives is 256 bytes at least, and whole pages for more. */
static bool is_aligned(uintptr_t pointer, pi_uint32 alignment) {
  return alignment == 0 || pointer % alignment == 0;
}

static pi_result misaligned(pi_uint32 alignment) {
  return pi_error(PI_ERROR_INVALID_VALUE,
                  "the CUDA driver's memory did not begin at a multiple of %u, and it cannot be "
                  "asked for one",
                  alignment);
}

pi_result piextUSMHostAlloc(void **result_ptr, pi_context context,
                            pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  unsigned flags = 0;
  PI_TRY(check_allocation(result_ptr, context, properties, size, alignment, &flags));
  PI_TRY(cuda_enter(context));
  void *pointer = NULL;
  const unsigned kind = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP |
                        (flags & PI_MEM_ALLOC_WRTITE_COMBINED ? CU_MEMHOSTALLOC_WRITECOMBINED : 0u);
  PI_TRY(allocated(cu.MemHostAlloc(&pointer, size, kind), "cuMemHostAlloc", size));
  if (!is_aligned((uintptr_t)pointer, alignment)) {
    cu.MemFreeHost(pointer);
    return misaligned(alignment);
  }
  *result_ptr = pointer;
  return PI_SUCCESS;
}

/* Takes over device or managed memory that was just made. */
static pi_result take(CUdeviceptr pointer, pi_uint32 alignment, void **result_ptr) {
  if (!is_aligned((uintptr_t)pointer, alignment)) {
    cu.MemFree(pointer);
    return misaligned(alignment);
  }
  *result_ptr = (void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
  return PI_SUCCESS;
}

pi_result piextUSMDeviceAlloc(void **result_ptr, pi_context context, pi_device device,
                              pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  unsigned flags = 0;
  PI_TRY(check_allocation(result_ptr, context, properties, size, alignment, &flags));
  REQUIRE_DEVICE_OF(context, device);
  PI_TRY(cuda_enter(context));
  CUdeviceptr pointer = 0;
  PI_TRY(allocated(cu.MemAlloc(&pointer, size), "cuMemAlloc", size));
  return take(pointer, alignment, result_ptr);
}

/* device may be NULL: the memory then belongs to no device in particular. */
pi_result piextUSMSharedAlloc(void **result_ptr, pi_context context, pi_device device,
                              pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment) {
  unsigned flags = 0;
  PI_TRY(check_allocation(result_ptr, context, properties, size, alignment, &flags));
  if (device)
    REQUIRE_DEVICE_OF(context, device);
  if (!cuda_attribute(context->devices[0], CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0))
    return CUDA_UNSUPPORTED("the device has no managed memory, which shared memory is made of");
  PI_TRY(cuda_enter(context));
  CUdeviceptr pointer = 0;
  PI_TRY(allocated(cu.MemAllocManaged(&pointer, size, CU_MEM_ATTACH_GLOBAL), "cuMemAllocManaged",
                   size));
  return take(pointer, alignment, result_ptr);
}

/*
 * The driver aligns rows for accesses of 4, 8 or 16 bytes; smaller pixels are read by several
 * threads at once, and larger ones do not exist.
 */
pi_result piextUSMPitchedAlloc(void **result_ptr, size_t *result_pitch, pi_context context,
                               pi_device device, pi_usm_mem_properties *properties,
                               size_t width_in_bytes, size_t height,
                               unsigned int element_size_bytes) {
  REQUIRE_POINTER(result_ptr);
  REQUIRE_POINTER(result_pitch);
  REQUIRE_CONTEXT(context);
  REQUIRE_DEVICE_OF(context, device);
  unsigned flags = 0;
  PI_TRY(pi_read_usm_properties(properties, "CUDA", &flags));
  PI_TRY(pi_check_usm_pitched(width_in_bytes, height, element_size_bytes));
  const unsigned access = element_size_bytes < 4    ? 4
                          : element_size_bytes > 16 ? 16
                                                    : element_size_bytes;
  PI_TRY(cuda_enter(context));
  CUdeviceptr pointer = 0;
  size_t pitch = 0;
  PI_TRY(allocated(cu.MemAllocPitch(&pointer, &pitch, width_in_bytes, height, access),
                   "cuMemAllocPitch", width_in_bytes * height));
  *result_ptr = (void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
  *result_pitch = pitch;
  return PI_SUCCESS;
}

pi_result usm_describe(const void *pointer, usm_range *ret) {
  CUcontext context = NULL;
  unsigned type = 0, is_managed = 0;
  CUdeviceptr base = 0;
  size_t size = 0;
  CUpointer_attribute attributes[] = {
      CU_POINTER_ATTRIBUTE_CONTEXT,    CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
      CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
      CU_POINTER_ATTRIBUTE_RANGE_SIZE,
  };
  void *values[] = {&context, &type, &is_managed, &base, &size};
  /* A pointer that the driver does not know is no failure: the values are 0 then. */
  CU_TRY(PointerGetAttributes, sizeof values / sizeof values[0], attributes, values,
         cu_pointer(pointer));
  if (type == 0) {
    *ret = (usm_range){.type = PI_MEM_TYPE_UNKNOWN};
    return PI_SUCCESS;
  }
  *ret = (usm_range){.type = is_managed                   ? PI_MEM_TYPE_SHARED
                             : type == CU_MEMORYTYPE_HOST ? PI_MEM_TYPE_HOST
                                                          : PI_MEM_TYPE_DEVICE,
                     .base = base,
                     .size = size,
                     .context = context};
  return PI_SUCCESS;
}

pi_result usm_check(pi_context context, const char *name, const void *pointer, size_t size,
                    usm_range *ret) {
  PI_TRY(pi_check_bytes(name, pointer, size));
  PI_TRY(cuda_enter(context));
  usm_range range;
  PI_TRY(usm_describe(pointer, &range));
  PI_TRY(pi_check_allocation(name, pointer, size, (uintptr_t)range.base, range.size));
  *ret = range;
  return PI_SUCCESS;
}

pi_result usm_check_reached(pi_context context, pi_device device, const char *name,
                            const void *pointer, size_t size, usm_range *ret) {
  usm_range range;
  PI_TRY(usm_check(context, name, pointer, size, &range));
  PI_REQUIRE(range.type != PI_MEM_TYPE_UNKNOWN ||
                 cuda_attribute(device, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0),
             PI_ERROR_INVALID_VALUE,
             "%s is no USM allocation, and the device reaches no other memory", name);
  *ret = range;
  return PI_SUCCESS;
}

/* Memory of another context than this one is unknown to it. */
static pi_result describe_in(pi_context context, const void *pointer, usm_range *ret) {
  PI_TRY(cuda_enter(context));
  usm_range range;
  PI_TRY(usm_describe(pointer, &range));
  if (range.context && range.context != context->driver.context)
    range = (usm_range){.type = PI_MEM_TYPE_UNKNOWN};
  *ret = range;
  return PI_SUCCESS;
}

/*
 * Kernels may use any USM, so the driver cannot know what is still in use: everything in the
 * context is complete before memory goes.
 */
pi_result piextUSMFree(pi_context context, void *ptr) {
  REQUIRE_CONTEXT(context);
  if (!ptr)
    return PI_SUCCESS;
  usm_range range;
  PI_TRY(describe_in(context, ptr, &range));
  PI_REQUIRE(range.type != PI_MEM_TYPE_UNKNOWN, PI_ERROR_INVALID_VALUE,
             "ptr is no USM allocation of the context");
  PI_REQUIRE(range.size == 0 || range.base == cu_pointer(ptr), PI_ERROR_INVALID_VALUE,
             "ptr lies %llu bytes behind the begin of its allocation",
             (unsigned long long)(cu_pointer(ptr) - range.base));
  registry_entry import;
  PI_REQUIRE(!registry_read(REGISTRY_IMPORT, cu_pointer(ptr), NULL, &import, sizeof import),
             PI_ERROR_INVALID_VALUE,
             "ptr is the application's own memory, which piextUSMRelease gives back");
  /* A failure is that of a command before, which says so elsewhere; none runs any more then. */
  cu.CtxSynchronize();
  if (range.type == PI_MEM_TYPE_HOST)
    CU_TRY(MemFreeHost, ptr);
  else
    CU_TRY(MemFree, cu_pointer(ptr));
  return PI_SUCCESS;
}

pi_result piextUSMGetMemAllocInfo(pi_context context, const void *ptr, pi_mem_alloc_info param_name,
                                  size_t param_value_size, void *param_value,
                                  size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_CONTEXT(context);
  PI_TRY(pi_answer_check(&answer));
  usm_range range;
  PI_TRY(describe_in(context, ptr, &range));
  switch (param_name) {
  case PI_MEM_ALLOC_TYPE:
    return pi_answer_uint32(&answer, range.type);
  case PI_MEM_ALLOC_BASE_PTR:
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return pi_answer_handle(&answer, (void *)(uintptr_t)range.base);
  case PI_MEM_ALLOC_SIZE:
    return pi_answer_size(&answer, range.size);
  case PI_MEM_ALLOC_DEVICE: {
    const bool has_device = range.type == PI_MEM_TYPE_DEVICE || range.type == PI_MEM_TYPE_SHARED;
    return pi_answer_handle(&answer, has_device ? context->devices[0] : NULL);
  }
  }
  return pi_answer_unknown("pi_mem_alloc_info", (pi_uint32)param_name);
}

/* Pins memory of the application, so that copies need no other memory on their way. */
pi_result piextUSMImport(const void *ptr, size_t size, pi_context context) {
  REQUIRE_POINTER(ptr);
  REQUIRE_CONTEXT(context);
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  PI_TRY(pi_check_bytes("ptr", ptr, size));
  PI_TRY(cuda_enter(context));
  usm_range range;
  PI_TRY(usm_describe(ptr, &range));
  PI_REQUIRE(range.type == PI_MEM_TYPE_UNKNOWN, PI_ERROR_INVALID_VALUE,
             "ptr is a USM allocation or imported already");
  registry_entry *entry = malloc(sizeof *entry);
  PI_REQUIRE(entry, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for an import of USM");
  *entry = (registry_entry){.kind = REGISTRY_IMPORT, .number = cu_pointer(ptr), .context = context};
  /* The driver takes no const pointer; it does not write. */
  const pi_result result =
      cu_result(cu.MemHostRegister((void *)(uintptr_t)ptr, size,
                                   CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP),
                "cuMemHostRegister");
  if (result != PI_SUCCESS) {
    free(entry);
    return result;
  }
  context_retain(context);
  /* The driver has refused what is listed. */
  registry_add(entry);
  return PI_SUCCESS;
}

pi_result piextUSMRelease(const void *ptr, pi_context context) {
  REQUIRE_POINTER(ptr);
  REQUIRE_CONTEXT(context);
  registry_entry *entry = registry_take(REGISTRY_IMPORT, cu_pointer(ptr), context);
  PI_REQUIRE(entry, PI_ERROR_INVALID_VALUE, "ptr is not what piextUSMImport took in this context");
  pi_result result = cuda_enter(context);
  if (result == PI_SUCCESS)
    result = cu_result(cu.MemHostUnregister((void *)(uintptr_t)ptr), "cuMemHostUnregister");
  return registry_end(entry, result);
}
