#include "usm_arguments.h"

#include "../base/error.h"

enum {
  PLACEMENTS = PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE | PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST,
  ALLOC_FLAGS = PI_MEM_ALLOC_WRTITE_COMBINED | PI_MEM_ALLOC_DEVICE_READ_ONLY | PLACEMENTS,
};

pi_result pi_read_usm_properties(const pi_usm_mem_properties *properties, const char *backend,
                                 unsigned *ret_flags) {
  bool has_flags = false;
  unsigned flags = 0;
  for (; properties && *properties != 0; properties += 2) {
    const unsigned long long value = properties[1];
    if (properties[0] == PI_MEM_USM_ALLOC_BUFFER_LOCATION)
      return pi_error(PI_ERROR_UNSUPPORTED_FEATURE,
                      "PI_MEM_USM_ALLOC_BUFFER_LOCATION is %llu, but the memory of a %s device has "
                      "one location",
                      value, backend);
    PI_REQUIRE(properties[0] == PI_MEM_ALLOC_FLAGS, PI_ERROR_INVALID_VALUE,
               "0x%llx is not a property of a USM allocation", (unsigned long long)properties[0]);
    PI_REQUIRE(!has_flags, PI_ERROR_INVALID_VALUE, "property PI_MEM_ALLOC_FLAGS is given twice");
    PI_REQUIRE((value & ~(unsigned long long)ALLOC_FLAGS) == 0, PI_ERROR_INVALID_VALUE,
               "PI_MEM_ALLOC_FLAGS is 0x%llx, which has bits outside 0x%x", value,
               (unsigned)ALLOC_FLAGS);
    PI_REQUIRE((value & PLACEMENTS) != PLACEMENTS, PI_ERROR_INVALID_VALUE,
               "PI_MEM_ALLOC_FLAGS is 0x%llx, which places the memory on host and device", value);
    has_flags = true;
    flags = (unsigned)value;
  }
  *ret_flags = flags;
  return PI_SUCCESS;
}

pi_result pi_check_usm_alloc(const pi_usm_mem_properties *properties, const char *backend,
                             size_t size, pi_uint32 alignment, unsigned *ret_flags) {
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "size is 0");
  PI_REQUIRE((alignment & (alignment - 1)) == 0, PI_ERROR_INVALID_VALUE,
             "alignment is %u, not a power of two or 0", alignment);
  return pi_read_usm_properties(properties, backend, ret_flags);
}

pi_result pi_check_usm_pitched(size_t width_in_bytes, size_t height, unsigned element_size_bytes) {
  PI_REQUIRE(width_in_bytes != 0 && height != 0, PI_ERROR_INVALID_BUFFER_SIZE, "%s is 0",
             width_in_bytes ? "height" : "width_in_bytes");
  PI_REQUIRE(element_size_bytes != 0 && (element_size_bytes & (element_size_bytes - 1)) == 0,
             PI_ERROR_INVALID_VALUE, "element_size_bytes is %u, not a power of two",
             element_size_bytes);
  size_t size;
  PI_REQUIRE(!__builtin_mul_overflow(width_in_bytes, height, &size), PI_ERROR_INVALID_BUFFER_SIZE,
             "%zu rows of %zu bytes are more than an address reaches", height, width_in_bytes);
  return PI_SUCCESS;
}

pi_result pi_rows_size(const char *name, const void *pointer, size_t pitch, size_t width,
                       size_t height, size_t *ret) {
  PI_REQUIRE(pitch >= width, PI_ERROR_INVALID_VALUE, "%s is %zu, less than the width %zu", name,
             pitch, width);
  size_t size = 0;
  uintptr_t end;
  const bool fits = width == 0 || height == 0 ||
                    (!__builtin_mul_overflow(pitch, height - 1, &size) &&
                     !__builtin_add_overflow(size, width, &size) &&
                     !__builtin_add_overflow((uintptr_t)pointer, size, &end));
  PI_REQUIRE(fits, PI_ERROR_INVALID_VALUE, "%zu rows with %s %zu are more than an address reaches",
             height, name, pitch);
  *ret = size;
  return PI_SUCCESS;
}

pi_result pi_check_bytes(const char *name, const void *pointer, size_t size) {
  uintptr_t end;
  PI_REQUIRE(!__builtin_add_overflow((uintptr_t)pointer, size, &end), PI_ERROR_INVALID_VALUE,
             "%s: %zu bytes are more than an address reaches", name, size);
  return PI_SUCCESS;
}

pi_result pi_check_allocation(const char *name, const void *pointer, size_t size, uintptr_t base,
                              size_t whole) {
  PI_TRY(pi_check_bytes(name, pointer, size));
  const uintptr_t offset = (uintptr_t)pointer - base;
  PI_REQUIRE(whole == 0 || (offset <= whole && size <= whole - offset), PI_ERROR_INVALID_VALUE,
             "%s: %zu bytes at offset %zu leave the allocation, which has %zu bytes", name, size,
             (size_t)offset, whole);
  return PI_SUCCESS;
}
