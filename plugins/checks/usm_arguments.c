#include "usm_arguments.h"

#include "../base/error.h"
#include "../base/names.h"

enum {
  PLACEMENTS = PI_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE | PI_MEM_ALLOC_INITIAL_PLACEMENT_HOST,
  ALLOC_FLAGS = PI_MEM_ALLOC_WRTITE_COMBINED | PI_MEM_ALLOC_DEVICE_READ_ONLY | PLACEMENTS,
};

static pi_result read_flags(unsigned long long value, unsigned *ret) {
  REQUIRE((value & ~(unsigned long long)ALLOC_FLAGS) == 0, PI_ERROR_INVALID_VALUE,
          "PI_MEM_ALLOC_FLAGS is 0x%llx, which has bits outside 0x%x", value,
          (unsigned)ALLOC_FLAGS);
  REQUIRE((value & PLACEMENTS) != PLACEMENTS, PI_ERROR_INVALID_VALUE,
          "PI_MEM_ALLOC_FLAGS is 0x%llx, which places the memory on host and device", value);
  *ret = (unsigned)value;
  return PI_SUCCESS;
}

pi_result read_usm_properties(const pi_usm_mem_properties *properties, usm_properties *ret) {
  usm_properties read = {0};
  bool has_flags = false;
  for (; properties && *properties != 0; properties += 2) {
    const bool is_flags = *properties == PI_MEM_ALLOC_FLAGS;
    REQUIRE(is_flags || *properties == PI_MEM_USM_ALLOC_BUFFER_LOCATION, PI_ERROR_INVALID_VALUE,
            "0x%llx is not a property of a USM allocation", (unsigned long long)*properties);
    REQUIRE(is_flags ? !has_flags : !read.has_location, PI_ERROR_INVALID_VALUE,
            "property %s is given twice",
            is_flags ? "PI_MEM_ALLOC_FLAGS" : "PI_MEM_USM_ALLOC_BUFFER_LOCATION");
    if (is_flags) {
      TRY(read_flags(properties[1], &read.flags));
      has_flags = true;
    } else {
      read.location = properties[1];
      read.has_location = true;
    }
  }
  *ret = read;
  return PI_SUCCESS;
}

pi_result check_usm_alloc(size_t size, pi_uint32 alignment) {
  REQUIRE(size != 0, PI_ERROR_INVALID_BUFFER_SIZE, "size is 0");
  REQUIRE((alignment & (alignment - 1)) == 0, PI_ERROR_INVALID_VALUE,
          "alignment is %u, not a power of two or 0", alignment);
  return PI_SUCCESS;
}

pi_result check_usm_pitched(size_t width_in_bytes, size_t height, unsigned element_size_bytes,
                            size_t alignment, size_t *ret_pitch) {
  REQUIRE(width_in_bytes != 0 && height != 0, PI_ERROR_INVALID_BUFFER_SIZE, "%s is 0",
          width_in_bytes ? "height" : "width_in_bytes");
  REQUIRE(element_size_bytes != 0 && (element_size_bytes & (element_size_bytes - 1)) == 0,
          PI_ERROR_INVALID_VALUE, "element_size_bytes is %u, not a power of two",
          element_size_bytes);
  size_t pitch, size;
  REQUIRE(!__builtin_add_overflow(width_in_bytes, alignment - 1, &pitch) &&
              !__builtin_mul_overflow(pitch / alignment * alignment, height, &size),
          PI_ERROR_INVALID_BUFFER_SIZE, "%zu rows of %zu bytes are more than an address reaches",
          height, width_in_bytes);
  *ret_pitch = pitch / alignment * alignment;
  return PI_SUCCESS;
}

pi_result check_usm_migration(pi_usm_migration_flags flags) {
  REQUIRE(flags == 0, PI_ERROR_INVALID_VALUE, "flags is 0x%llx, and PI defines none yet",
          (unsigned long long)flags);
  return PI_SUCCESS;
}

/* Even bits of pi_mem_advice set something, and the next higher bit undoes that. */
enum { ADVICE_THAT_SETS = 0x555 };

pi_result read_usm_advice(pi_mem_advice advice, unsigned *ret) {
  const unsigned bits = (unsigned)advice;
  const unsigned places = (unsigned)PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION |
                          (unsigned)PI_MEM_ADVICE_CUDA_SET_PREFERRED_LOCATION_HOST;
  if (advice == PI_MEM_ADVICE_RESET || advice == PI_MEM_ADVICE_UNKNOWN) {
    *ret = advice == PI_MEM_ADVICE_RESET ? (unsigned)ADVICE_THAT_SETS << 1 : 0;
    return PI_SUCCESS;
  }
  const unsigned set = bits & bits >> 1 & ADVICE_THAT_SETS, first = set & -set;
  REQUIRE(!set, PI_ERROR_INVALID_VALUE, "advice 0x%x has both %s and %s", bits,
          enumerator_name("pi_mem_advice", first), enumerator_name("pi_mem_advice", first << 1));
  REQUIRE((bits & places) != places, PI_ERROR_INVALID_VALUE,
          "advice 0x%x prefers the host and the device", bits);
  *ret = bits;
  return PI_SUCCESS;
}

pi_result rows_size(const char *name, const void *pointer, size_t pitch, size_t width,
                    size_t height, size_t *ret) {
  REQUIRE(pitch >= width, PI_ERROR_INVALID_VALUE, "%s is %zu, less than the width %zu", name, pitch,
          width);
  size_t size = 0;
  uintptr_t end;
  const bool fits = width == 0 || height == 0 ||
                    (!__builtin_mul_overflow(pitch, height - 1, &size) &&
                     !__builtin_add_overflow(size, width, &size) &&
                     !__builtin_add_overflow((uintptr_t)pointer, size, &end));
  REQUIRE(fits, PI_ERROR_INVALID_VALUE, "%zu rows with %s %zu are more than an address reaches",
          height, name, pitch);
  *ret = size;
  return PI_SUCCESS;
}

pi_result check_bytes(const char *name, const void *pointer, size_t size) {
  uintptr_t end;
  REQUIRE(!__builtin_add_overflow((uintptr_t)pointer, size, &end), PI_ERROR_INVALID_VALUE,
          "%s: %zu bytes are more than an address reaches", name, size);
  return PI_SUCCESS;
}

pi_result check_allocation(const char *name, const void *pointer, size_t size, uintptr_t base,
                           size_t whole) {
  TRY(check_bytes(name, pointer, size));
  const uintptr_t offset = (uintptr_t)pointer - base;
  REQUIRE(whole == 0 || (offset <= whole && size <= whole - offset), PI_ERROR_INVALID_VALUE,
          "%s: %zu bytes at offset %zu leave the allocation, which has %zu bytes", name, size,
          (size_t)offset, whole);
  return PI_SUCCESS;
}
