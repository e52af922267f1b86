#include "arguments.h"

#include "../base/error.h"

#include <stdio.h>

enum {
  KNOWN_FLAGS = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY | PI_MEM_FLAGS_HOST_PTR_USE |
                PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY,
  BOTH_ACCESSES = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY,
  MAP_FLAGS = PI_MAP_READ | PI_MAP_WRITE | PI_MAP_WRITE_INVALIDATE_REGION,
  NEEDS_HOST_PTR = PI_MEM_FLAGS_HOST_PTR_USE | PI_MEM_FLAGS_HOST_PTR_COPY,
};

static pi_result check_known_flags(pi_mem_flags flags) {
  PI_REQUIRE((flags & ~(pi_mem_flags)KNOWN_FLAGS) == 0, PI_ERROR_INVALID_VALUE,
             "flags 0x%llx has bits outside 0x%x, PI's pi_mem_flags", (unsigned long long)flags,
             (unsigned)KNOWN_FLAGS);
  PI_REQUIRE((flags & BOTH_ACCESSES) != BOTH_ACCESSES, PI_ERROR_INVALID_VALUE,
             "flags 0x%x has both PI_MEM_FLAGS_ACCESS_RW and PI_MEM_ACCESS_READ_ONLY",
             (unsigned)flags);
  return PI_SUCCESS;
}

pi_result pi_check_mem_flags(pi_mem_flags flags, const void *host_ptr) {
  PI_TRY(check_known_flags(flags));
  PI_REQUIRE((flags & PI_MEM_FLAGS_HOST_PTR_USE) == 0 ||
                 (flags & (PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY)) == 0,
             PI_ERROR_INVALID_VALUE,
             "flags 0x%x has PI_MEM_FLAGS_HOST_PTR_USE, which excludes ALLOC and COPY",
             (unsigned)flags);
  PI_REQUIRE(host_ptr || (flags & NEEDS_HOST_PTR) == 0, PI_ERROR_INVALID_HOST_PTR,
             "host_ptr is NULL and flags 0x%x asks to use or copy it", (unsigned)flags);
  PI_REQUIRE(!host_ptr || (flags & NEEDS_HOST_PTR) != 0, PI_ERROR_INVALID_HOST_PTR,
             "host_ptr is not NULL and flags 0x%x has neither PI_MEM_FLAGS_HOST_PTR_USE nor "
             "PI_MEM_FLAGS_HOST_PTR_COPY",
             (unsigned)flags);
  return PI_SUCCESS;
}

pi_result pi_check_sub_buffer(pi_mem_flags flags, pi_buffer_create_type type) {
  PI_TRY(check_known_flags(flags));
  PI_REQUIRE((flags & (NEEDS_HOST_PTR | PI_MEM_FLAGS_HOST_PTR_ALLOC)) == 0, PI_ERROR_INVALID_VALUE,
             "flags 0x%x has host pointer bits, which a sub-buffer has from its buffer",
             (unsigned)flags);
  PI_REQUIRE(type == PI_BUFFER_CREATE_TYPE_REGION, PI_ERROR_INVALID_VALUE,
             "buffer_create_type is 0x%x, not PI_BUFFER_CREATE_TYPE_REGION (0x%x)", (unsigned)type,
             (unsigned)PI_BUFFER_CREATE_TYPE_REGION);
  return PI_SUCCESS;
}

pi_result pi_check_mem_access(const pi_mem_obj_property *property, pi_uint32 index) {
  PI_REQUIRE(property->type == PI_KERNEL_ARG_MEM_OBJ_ACCESS, PI_ERROR_INVALID_VALUE,
             "property of argument %u has type %u, the only one is "
             "PI_KERNEL_ARG_MEM_OBJ_ACCESS (%u)",
             index, (unsigned)property->type, (unsigned)PI_KERNEL_ARG_MEM_OBJ_ACCESS);
  PI_REQUIRE(!property->pNext, PI_ERROR_INVALID_VALUE,
             "property of argument %u has a pNext, there is no second property", index);
  switch (property->mem_access) {
  case PI_ACCESS_READ_WRITE:
  case PI_ACCESS_WRITE_ONLY:
  case PI_ACCESS_READ_ONLY:
    return PI_SUCCESS;
  }
  return pi_error(PI_ERROR_INVALID_VALUE, "mem_access of argument %u is %u, not 1, 2 or 4", index,
                  (unsigned)property->mem_access);
}

pi_result pi_check_command_buffer_desc(const pi_ext_command_buffer_desc *desc) {
  if (!desc)
    return PI_SUCCESS;
  PI_REQUIRE(desc->stype == PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC, PI_ERROR_INVALID_VALUE,
             "desc->stype is %u, not %u", (unsigned)desc->stype,
             (unsigned)PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC);
  PI_REQUIRE(!desc->pNext, PI_ERROR_INVALID_VALUE, "desc->pNext is not NULL");
  PI_REQUIRE(!desc->properties || desc->properties[0] == 0, PI_ERROR_INVALID_PROPERTY,
             "0x%llx is not a property of a command buffer",
             (unsigned long long)desc->properties[0]);
  return PI_SUCCESS;
}

pi_result pi_check_devices_get(pi_device_type type, pi_uint32 num_entries, const pi_device *devices,
                               const pi_uint32 *num_devices) {
  const pi_device_type known = PI_DEVICE_TYPE_DEFAULT | PI_DEVICE_TYPE_CPU | PI_DEVICE_TYPE_GPU |
                               PI_DEVICE_TYPE_ACC | PI_DEVICE_TYPE_CUSTOM;
  PI_REQUIRE(type == PI_DEVICE_TYPE_ALL || (type && !(type & ~known)), PI_ERROR_INVALID_DEVICE_TYPE,
             "device_type 0x%llx is neither PI_DEVICE_TYPE_ALL nor a mask of bits 0x%llx",
             (unsigned long long)type, (unsigned long long)known);
  PI_REQUIRE(devices || num_devices, PI_ERROR_INVALID_VALUE,
             "devices and num_devices are both NULL");
  PI_REQUIRE(!devices || num_entries != 0, PI_ERROR_INVALID_VALUE,
             "num_entries is 0 although devices is not NULL");
  return PI_SUCCESS;
}

pi_result pi_check_map(pi_map_flags flags, size_t size) {
  PI_REQUIRE((flags & ~(pi_map_flags)MAP_FLAGS) == 0, PI_ERROR_INVALID_VALUE,
             "map_flags 0x%llx has bits outside 0x%x, PI's pi_map_flags", (unsigned long long)flags,
             (unsigned)MAP_FLAGS);
  PI_REQUIRE(!(flags & PI_MAP_WRITE_INVALIDATE_REGION) ||
                 flags == (pi_map_flags)PI_MAP_WRITE_INVALIDATE_REGION,
             PI_ERROR_INVALID_VALUE,
             "map_flags 0x%x has PI_MAP_WRITE_INVALIDATE_REGION, which excludes READ and WRITE",
             (unsigned)flags);
  PI_REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  return PI_SUCCESS;
}

pi_result fill_check(size_t pattern_size, const char *name, size_t size) {
  PI_REQUIRE(pattern_size != 0, PI_ERROR_INVALID_VALUE, "pattern_size is 0");
  PI_REQUIRE(size % pattern_size == 0, PI_ERROR_INVALID_VALUE,
             "%s is %zu, not a multiple of pattern_size %zu", name, size, pattern_size);
  return PI_SUCCESS;
}

pi_result pi_check_callback_type(pi_int32 type) {
  PI_REQUIRE(type == PI_EVENT_COMPLETE || type == PI_EVENT_RUNNING || type == PI_EVENT_SUBMITTED,
             PI_ERROR_INVALID_VALUE,
             "command_exec_callback_type %d is none of complete (0), running (1), submitted (2)",
             type);
  return PI_SUCCESS;
}

pi_sizes_text pi_text_of_sizes(const size_t *sizes, pi_uint32 dimensions) {
  pi_sizes_text text = {""};
  int length = 0;
  for (pi_uint32 i = 0; i < dimensions; i++)
    length += snprintf(text.text + length, sizeof text.text - (size_t)length, "%s%zu",
                       i == 0 ? "" : "x", sizes[i]);
  return text;
}
