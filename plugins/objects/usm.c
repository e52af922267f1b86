#include "usm.h"

#include "../base/error.h"
#include "../checks/usm_arguments.h"
#include "driver.h"
#include "memory.h"

pi_result usm_check(pi_context context, const char *name, const void *pointer, size_t size,
                    usm_range *ret) {
  TRY(check_bytes(name, pointer, size));
  usm_range range;
  TRY(driver_usm_describe(context, pointer, &range));
  REQUIRE(range.type != PI_MEM_TYPE_UNKNOWN || !range.is_reserved, PI_ERROR_INVALID_VALUE,
          "%s is a reserved address at which nothing is mapped, or without access", name);
  REQUIRE(!range.is_freed, PI_ERROR_INVALID_VALUE, "%s is in memory that was freed", name);
  TRY(check_allocation(name, pointer, size, range.base, range.size));
  *ret = range;
  return PI_SUCCESS;
}

pi_result usm_check_written(const char *name, const usm_range *range, size_t size) {
  REQUIRE(!range->is_reserved || size <= range->writable, PI_ERROR_INVALID_OPERATION,
          "%s: of %zu bytes %zu may be written, the others are mapped for reading only", name, size,
          range->writable);
  return PI_SUCCESS;
}

pi_result usm_check_reached(pi_context context, pi_device device, const char *name,
                            const void *pointer, size_t size, usm_range *ret) {
  usm_range range;
  TRY(usm_check(context, name, pointer, size, &range));
  if (range.type == PI_MEM_TYPE_UNKNOWN) {
    bool reaches = false;
    TRY(driver_usm_reaches_pages(device, &reaches));
    REQUIRE(reaches, PI_ERROR_INVALID_VALUE,
            "%s is no USM allocation, and the device reaches no other memory", name);
  }
  *ret = range;
  return PI_SUCCESS;
}

/* Drivers return one code for sizes beyond the device's limit and for a lack of memory. */
pi_result usm_allocation_result(pi_context context, size_t size, pi_result result) {
  size_t most;
  if (result != PI_ERROR_OUT_OF_RESOURCES || memory_limit(context, &most) != PI_SUCCESS ||
      size <= most)
    return result;
  return plugin_error(PI_ERROR_INVALID_BUFFER_SIZE,
                      "size is %zu, and the context's devices have %zu bytes in one piece", size,
                      most);
}

/* Reads the flags of an allocation. Refuses a location, because devices have only one. */
static pi_result read_flags(const pi_usm_mem_properties *properties, unsigned *ret) {
  usm_properties read;
  TRY(read_usm_properties(properties, &read));
  REQUIRE(
      !read.has_location, PI_ERROR_UNSUPPORTED_FEATURE,
      "PI_MEM_USM_ALLOC_BUFFER_LOCATION is %llu, but the memory of a %s device has one location",
      (unsigned long long)read.location, driver_name);
  *ret = read.flags;
  return PI_SUCCESS;
}

pi_result usm_allocate_in(pi_native_handle pool, pi_context context, pi_device device,
                          pi_usm_type type, const pi_usm_mem_properties *properties, size_t size,
                          pi_uint32 alignment, void **ret) {
  unsigned flags = 0;
  TRY(check_usm_alloc(size, alignment));
  TRY(read_flags(properties, &flags));
  return usm_allocation_result(
      context, size, driver_usm_allocate(context, device, type, pool, flags, size, alignment, ret));
}

pi_result usm_allocate_rows(pi_context context, pi_device device,
                            const pi_usm_mem_properties *properties, size_t width, size_t height,
                            unsigned element_size, void **ret, size_t *ret_pitch) {
  unsigned flags = 0;
  size_t least;
  TRY(read_flags(properties, &flags));
  TRY(check_usm_pitched(width, height, element_size, 1, &least));
  return usm_allocation_result(context, width * height,
                               driver_usm_allocate_rows(context, device, flags, width, height,
                                                        element_size, ret, ret_pitch));
}

pi_result usm_describe(pi_context context, const void *pointer, usm_range *ret) {
  usm_range range;
  TRY(driver_usm_describe(context, pointer, &range));
  *ret = range.is_foreign || range.is_freed ? (usm_range){.type = PI_MEM_TYPE_UNKNOWN} : range;
  return PI_SUCCESS;
}

pi_result usm_free(pi_context context, void *pointer) {
  usm_range range;
  TRY(usm_describe(context, pointer, &range));
  REQUIRE(!range.is_reserved, PI_ERROR_INVALID_VALUE,
          "ptr is an address that was reserved, whose memory is unmapped and not freed");
  REQUIRE(range.type != PI_MEM_TYPE_UNKNOWN, PI_ERROR_INVALID_VALUE,
          "ptr is no USM allocation of the context");
  REQUIRE(range.size == 0 || range.base == (uintptr_t)pointer, PI_ERROR_INVALID_VALUE,
          "ptr is %zu bytes past the start of its allocation",
          (size_t)((uintptr_t)pointer - range.base));
  return driver_usm_free(context, range.type, pointer);
}

pi_result usm_import(pi_context context, void *pointer, size_t size) {
  REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  TRY(check_bytes("ptr", pointer, size));
  TRY(driver_usm_require_import(context));
  usm_range range;
  TRY(driver_usm_describe(context, pointer, &range));
  REQUIRE(range.type == PI_MEM_TYPE_UNKNOWN && !range.is_reserved && !range.is_freed,
          PI_ERROR_INVALID_VALUE,
          "ptr is a USM allocation, a reserved address, or imported already");
  registry_entry *entry;
  TRY(registry_new(REGISTRY_IMPORT, (uintptr_t)pointer, context, sizeof *entry, &entry));
  /* Listed before the import, so that only one of two threads imports the same memory. */
  if (!registry_add(entry)) {
    registry_free(entry);
    return plugin_error(PI_ERROR_INVALID_VALUE, "ptr is imported already");
  }
  const pi_result result = driver_usm_import(context, pointer, size);
  if (result != PI_SUCCESS) {
    registry_take(REGISTRY_IMPORT, (uintptr_t)pointer, context);
    registry_free(entry);
  }
  return result;
}

pi_result usm_release(pi_context context, void *pointer) {
  TRY(driver_usm_require_import(context));
  registry_entry *entry = registry_take(REGISTRY_IMPORT, (uintptr_t)pointer, context);
  REQUIRE(entry, PI_ERROR_INVALID_VALUE, "ptr is not what piextUSMImport took in this context");
  return registry_end(entry, driver_usm_release(context, pointer));
}

pi_result usm_answer(pi_context context, const void *pointer, pi_mem_alloc_info query,
                     const info_answer *answer) {
  usm_range range;
  TRY(usm_describe(context, pointer, &range));
  switch (query) {
  case PI_MEM_ALLOC_TYPE:
    return answer_uint32(answer, range.type);
  case PI_MEM_ALLOC_BASE_PTR:
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return answer_handle(answer, (void *)range.base);
  case PI_MEM_ALLOC_SIZE:
    return answer_size(answer, range.size);
  case PI_MEM_ALLOC_DEVICE:
    return answer_handle(answer, range.device);
  }
  return answer_unknown("pi_mem_alloc_info", (pi_uint32)query);
}
