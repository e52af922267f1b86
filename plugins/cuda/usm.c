/*
 * Unified shared memory. Host memory is pinned and mapped for all contexts; shared memory is CUDA's
 * managed memory.
 */
#include "../objects/usm.h"

#include "../objects/driver.h"
#include "../objects/registry.h"
#include "../objects/virtual_memory.h"
#include "blocks.h"
#include "memory.h"
#include "memory_pool.h"

/* Write-combined memory bypasses the pool, which must not reuse it as ordinary host memory. */
static pi_result allocate_host(pi_context member, unsigned flags, size_t size, void **ret) {
  const unsigned kind =
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  return flags & PI_MEM_ALLOC_WRTITE_COMBINED
             ? memory_allocated(cu.MemHostAlloc(ret, size, kind), "cuMemHostAlloc", size)
             : blocks_allocate(member, BLOCK_HOST, size, ret);
}

static pi_result allocate_managed(pi_context member, size_t size, void **ret) {
  if (!memory_is_managed(member))
    return CUDA_UNSUPPORTED("the device has no managed memory, which shared memory is made of");
  return blocks_allocate(member, BLOCK_SHARED, size, ret);
}

static pi_result allocate_device(pi_context member, pi_native_handle pool, size_t size,
                                 void **ret) {
  return pool ? memory_pool_take(member, pool, size, ret)
              : blocks_allocate(member, BLOCK_DEVICE, size, ret);
}

static pi_result free_allocation(pi_context context, pi_usm_type type, void *pointer) {
  if (blocks_free(context, pointer))
    return PI_SUCCESS;
  context_synchronize(context);
  if (type == PI_MEM_TYPE_HOST)
    CU_TRY(MemFreeHost, pointer);
  else
    CU_TRY(MemFree, cu_pointer(pointer));
  return PI_SUCCESS;
}

/*
 * Ignores the flags DEVICE_READ_ONLY, a promise that CUDA has no use for, and INITIAL_PLACEMENT,
 * because CUDA places managed memory where it is first touched. Neither changes the results of a
 * program. CUDA takes no alignment: it aligns to 256 bytes, and large allocations to whole pages.
 */
pi_result driver_usm_allocate(pi_context context, pi_device device, pi_usm_type type,
                              pi_native_handle pool, unsigned flags, size_t size,
                              pi_uint32 alignment, void **ret) {
  void *memory = NULL;
  pi_context member;
  TRY(device ? context_member(context, device, &member) : context_any_member(context, &member));
  TRY(cuda_enter(member));
  if (type == PI_MEM_TYPE_HOST)
    TRY(allocate_host(member, flags, size, &memory));
  else if (type == PI_MEM_TYPE_SHARED)
    TRY(allocate_managed(member, size, &memory));
  else
    TRY(allocate_device(member, pool, size, &memory));
  if (alignment != 0 && (uintptr_t)memory % alignment != 0) {
    (void)free_allocation(context, type, memory);
    return plugin_error(
        PI_ERROR_INVALID_VALUE,
        "the CUDA driver's memory is not aligned to %u bytes, and the driver takes no alignment",
        alignment);
  }
  *ret = memory;
  return PI_SUCCESS;
}

/*
 * cuMemAllocPitch aligns rows for accesses of 4, 8 or 16 bytes. Smaller elements count as 4 bytes,
 * because one access serves several threads; larger ones count as 16.
 */
pi_result driver_usm_allocate_rows(pi_context context, pi_device device, unsigned flags,
                                   size_t width, size_t height, unsigned element_size, void **ret,
                                   size_t *ret_pitch) {
  (void)flags;
  const unsigned access = element_size < 4 ? 4 : element_size > 16 ? 16 : element_size;
  TRY(cuda_enter_device(context, device));
  CUdeviceptr pointer = 0;
  size_t pitch = 0;
  TRY(memory_allocated(cu.MemAllocPitch(&pointer, &pitch, width, height, access), "cuMemAllocPitch",
                       width * height));
  *ret = (void *)(uintptr_t)pointer; // NOLINT(performance-no-int-to-ptr)
  *ret_pitch = pitch;
  return PI_SUCCESS;
}

/* Returns the index of a device among the context's roots, or root_count if it is not there. */
static pi_uint32 find_root(pi_context context, int ordinal) {
  pi_uint32 root = 0;
  while (root < context->root_count && context->roots[root]->driver.ordinal != ordinal)
    root++;
  return root;
}

/*
 * Returns whether memory on a device of this context belongs to another context. owner is NULL for
 * memory of a pool and for mapped memory, which have no CUcontext. Pool memory is foreign if the
 * registry lists it for another context only.
 */
static bool is_foreign(pi_context context, pi_uint32 root, CUcontext owner, CUdeviceptr base) {
  registry_entry entry;
  const pi_context member = context_found_member(context, root);
  return owner ? !member || owner != member->driver.context
               : registry_read(REGISTRY_POOLED, base, NULL, &entry, sizeof entry) &&
                     !registry_read(REGISTRY_POOLED, base, context, &entry, sizeof entry);
}

pi_result driver_usm_describe(pi_context context, const void *pointer, usm_range *ret) {
  if (virtual_describe(context, pointer, ret))
    return PI_SUCCESS;
  CUcontext owner = NULL;
  unsigned type = 0, is_managed = 0;
  int ordinal = 0;
  CUdeviceptr base = 0;
  size_t size = 0;
  CUpointer_attribute attributes[] = {
      CU_POINTER_ATTRIBUTE_CONTEXT,          CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
      CU_POINTER_ATTRIBUTE_IS_MANAGED,       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
      CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
  };
  void *values[] = {&owner, &type, &is_managed, &ordinal, &base, &size};
  TRY(cuda_enter(context));
  /* Succeeds with values of 0 if the driver does not know the pointer. */
  CU_TRY(PointerGetAttributes, sizeof values / sizeof values[0], attributes, values,
         cu_pointer(pointer));
  if (type == 0) {
    *ret = (usm_range){.type = PI_MEM_TYPE_UNKNOWN};
    return PI_SUCCESS;
  }
  size_t asked = size;
  if (blocks_find(context, base, &asked) && asked == 0) {
    *ret = (usm_range){.type = PI_MEM_TYPE_UNKNOWN, .is_freed = true};
    return PI_SUCCESS;
  }
  const bool is_host = type == CU_MEMORYTYPE_HOST && !is_managed;
  const pi_uint32 root = find_root(context, ordinal);
  const bool is_known = root < context->root_count;
  *ret = (usm_range){.type = is_managed ? PI_MEM_TYPE_SHARED
                             : is_host  ? PI_MEM_TYPE_HOST
                                        : PI_MEM_TYPE_DEVICE,
                     .base = base,
                     .size = asked,
                     .device = is_host || !is_known ? NULL : context->roots[root],
                     .is_foreign = !is_known || is_foreign(context, root, owner, base)};
  return PI_SUCCESS;
}

pi_result driver_usm_reaches_pages(pi_device device, bool *ret) {
  *ret = cuda_attribute(device, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0) != 0;
  return PI_SUCCESS;
}

pi_result driver_usm_free(pi_context context, pi_usm_type type, void *pointer) {
  registry_entry import;
  REQUIRE(!registry_read(REGISTRY_IMPORT, cu_pointer(pointer), NULL, &import, sizeof import),
          PI_ERROR_INVALID_VALUE,
          "ptr is the application's own memory, which piextUSMRelease gives back");
  TRY(cuda_enter(context));
  return free_allocation(context, type, pointer);
}

pi_result driver_usm_import(pi_context context, void *pointer, size_t size) {
  TRY(cuda_enter(context));
  CU_TRY(MemHostRegister, pointer, size,
         CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
  return PI_SUCCESS;
}

pi_result driver_usm_release(pi_context context, void *pointer) {
  TRY(cuda_enter(context));
  CU_TRY(MemHostUnregister, pointer);
  return PI_SUCCESS;
}
