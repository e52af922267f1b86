#include "arguments.h"

#include "../base/error.h"

#include <stdio.h>
#include <string.h>

enum {
  KNOWN_FLAGS = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY | PI_MEM_FLAGS_HOST_PTR_USE |
                PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY,
  BOTH_ACCESSES = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY,
  MAP_FLAGS = PI_MAP_READ | PI_MAP_WRITE | PI_MAP_WRITE_INVALIDATE_REGION,
  NEEDS_HOST_PTR = PI_MEM_FLAGS_HOST_PTR_USE | PI_MEM_FLAGS_HOST_PTR_COPY,
};

static pi_result check_known_flags(pi_mem_flags flags) {
  REQUIRE((flags & ~(pi_mem_flags)KNOWN_FLAGS) == 0, PI_ERROR_INVALID_VALUE,
          "flags 0x%llx has bits outside 0x%x, PI's pi_mem_flags", (unsigned long long)flags,
          (unsigned)KNOWN_FLAGS);
  REQUIRE((flags & BOTH_ACCESSES) != BOTH_ACCESSES, PI_ERROR_INVALID_VALUE,
          "flags 0x%x has both PI_MEM_FLAGS_ACCESS_RW and PI_MEM_ACCESS_READ_ONLY",
          (unsigned)flags);
  return PI_SUCCESS;
}

pi_result check_mem_flags(pi_mem_flags flags, const void *host_ptr) {
  TRY(check_known_flags(flags));
  REQUIRE((flags & PI_MEM_FLAGS_HOST_PTR_USE) == 0 ||
              (flags & (PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY)) == 0,
          PI_ERROR_INVALID_VALUE,
          "flags 0x%x has PI_MEM_FLAGS_HOST_PTR_USE, which excludes ALLOC and COPY",
          (unsigned)flags);
  REQUIRE(host_ptr || (flags & NEEDS_HOST_PTR) == 0, PI_ERROR_INVALID_HOST_PTR,
          "host_ptr is NULL and flags 0x%x asks to use or copy it", (unsigned)flags);
  REQUIRE(!host_ptr || (flags & NEEDS_HOST_PTR) != 0, PI_ERROR_INVALID_HOST_PTR,
          "host_ptr is not NULL and flags 0x%x has neither PI_MEM_FLAGS_HOST_PTR_USE nor "
          "PI_MEM_FLAGS_HOST_PTR_COPY",
          (unsigned)flags);
  return PI_SUCCESS;
}

pi_result check_sub_buffer(pi_mem_flags flags, pi_buffer_create_type type) {
  TRY(check_known_flags(flags));
  REQUIRE((flags & (NEEDS_HOST_PTR | PI_MEM_FLAGS_HOST_PTR_ALLOC)) == 0, PI_ERROR_INVALID_VALUE,
          "flags 0x%x has host pointer bits, which a sub-buffer has from its buffer",
          (unsigned)flags);
  REQUIRE(type == PI_BUFFER_CREATE_TYPE_REGION, PI_ERROR_INVALID_VALUE,
          "buffer_create_type is 0x%x, not PI_BUFFER_CREATE_TYPE_REGION (0x%x)", (unsigned)type,
          (unsigned)PI_BUFFER_CREATE_TYPE_REGION);
  return PI_SUCCESS;
}

pi_result check_mem_access(const pi_mem_obj_property *property, pi_uint32 index) {
  REQUIRE(property->type == PI_KERNEL_ARG_MEM_OBJ_ACCESS, PI_ERROR_INVALID_VALUE,
          "property of argument %u has type %u, the only one is "
          "PI_KERNEL_ARG_MEM_OBJ_ACCESS (%u)",
          index, (unsigned)property->type, (unsigned)PI_KERNEL_ARG_MEM_OBJ_ACCESS);
  REQUIRE(!property->pNext, PI_ERROR_INVALID_VALUE,
          "property of argument %u has a pNext, there is no second property", index);
  switch (property->mem_access) {
  case PI_ACCESS_READ_WRITE:
  case PI_ACCESS_WRITE_ONLY:
  case PI_ACCESS_READ_ONLY:
    return PI_SUCCESS;
  }
  return plugin_error(PI_ERROR_INVALID_VALUE, "mem_access of argument %u is %u, not 1, 2 or 4",
                      index, (unsigned)property->mem_access);
}

pi_result check_command_buffer_desc(const pi_ext_command_buffer_desc *desc) {
  if (!desc)
    return PI_SUCCESS;
  REQUIRE(desc->stype == PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC, PI_ERROR_INVALID_VALUE,
          "desc->stype is %u, not %u", (unsigned)desc->stype,
          (unsigned)PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC);
  REQUIRE(!desc->pNext, PI_ERROR_INVALID_VALUE, "desc->pNext is not NULL");
  REQUIRE(!desc->properties || desc->properties[0] == 0, PI_ERROR_INVALID_PROPERTY,
          "0x%llx is not a property of a command buffer", (unsigned long long)desc->properties[0]);
  return PI_SUCCESS;
}

pi_result check_devices_get(pi_device_type type, pi_uint32 num_entries, const pi_device *devices,
                            const pi_uint32 *num_devices) {
  const pi_device_type known = PI_DEVICE_TYPE_DEFAULT | PI_DEVICE_TYPE_CPU | PI_DEVICE_TYPE_GPU |
                               PI_DEVICE_TYPE_ACC | PI_DEVICE_TYPE_CUSTOM;
  REQUIRE(type == PI_DEVICE_TYPE_ALL || (type && !(type & ~known)), PI_ERROR_INVALID_DEVICE_TYPE,
          "device_type 0x%llx is neither PI_DEVICE_TYPE_ALL nor a mask of bits 0x%llx",
          (unsigned long long)type, (unsigned long long)known);
  REQUIRE(devices || num_devices, PI_ERROR_INVALID_VALUE, "devices and num_devices are both NULL");
  REQUIRE(!devices || num_entries != 0, PI_ERROR_INVALID_VALUE,
          "num_entries is 0 although devices is not NULL");
  return PI_SUCCESS;
}

pi_result check_platforms_get(pi_uint32 num_entries, const pi_platform *platforms,
                              const pi_uint32 *num_platforms) {
  REQUIRE(platforms || num_platforms, PI_ERROR_INVALID_VALUE,
          "platforms and num_platforms are both NULL");
  REQUIRE(!platforms || num_entries != 0, PI_ERROR_INVALID_VALUE,
          "num_entries is 0 although platforms is not NULL");
  return PI_SUCCESS;
}

pi_result check_partition_get(const pi_device *out_devices, const pi_uint32 *out_num_devices) {
  REQUIRE(out_devices || out_num_devices, PI_ERROR_INVALID_VALUE,
          "out_devices and out_num_devices are both NULL");
  return PI_SUCCESS;
}

pi_result check_map(pi_map_flags flags, size_t size) {
  REQUIRE((flags & ~(pi_map_flags)MAP_FLAGS) == 0, PI_ERROR_INVALID_VALUE,
          "map_flags 0x%llx has bits outside 0x%x, PI's pi_map_flags", (unsigned long long)flags,
          (unsigned)MAP_FLAGS);
  REQUIRE(!(flags & PI_MAP_WRITE_INVALIDATE_REGION) ||
              flags == (pi_map_flags)PI_MAP_WRITE_INVALIDATE_REGION,
          PI_ERROR_INVALID_VALUE,
          "map_flags 0x%x has PI_MAP_WRITE_INVALIDATE_REGION, which excludes READ and WRITE",
          (unsigned)flags);
  REQUIRE(size != 0, PI_ERROR_INVALID_VALUE, "size is 0");
  return PI_SUCCESS;
}

pi_result fill_check(size_t pattern_size, const char *name, size_t size) {
  REQUIRE(pattern_size != 0, PI_ERROR_INVALID_VALUE, "pattern_size is 0");
  REQUIRE(size % pattern_size == 0, PI_ERROR_INVALID_VALUE,
          "%s is %zu, not a multiple of pattern_size %zu", name, size, pattern_size);
  return PI_SUCCESS;
}

size_t fill_period(const void *pattern, size_t size) {
  const unsigned char *bytes = pattern;
  for (size_t period = 1; period <= size / 2; period++)
    if (size % period == 0 && memcmp(bytes, bytes + period, size - period) == 0)
      return period;
  return size;
}

pi_result check_buffer_range(size_t offset, size_t size, size_t all) {
  REQUIRE(offset <= all && size <= all - offset, PI_ERROR_INVALID_VALUE,
          "%zu bytes from offset %zu on are not all inside of the buffer, which has %zu", size,
          offset, all);
  return PI_SUCCESS;
}

pi_result check_buffer_property(pi_mem_properties key) {
  REQUIRE(key == PI_MEM_PROPERTIES_CHANNEL || key == PI_MEM_PROPERTIES_ALLOC_BUFFER_LOCATION,
          PI_ERROR_INVALID_VALUE, "0x%llx is not a property of a buffer", (unsigned long long)key);
  return PI_SUCCESS;
}

pi_result check_notify(bool has_notify, const void *user_data) {
  REQUIRE(has_notify || !user_data, PI_ERROR_INVALID_VALUE,
          "user_data is given without pfn_notify");
  return PI_SUCCESS;
}

pi_result check_argument_value(pi_uint32 index, const void *value) {
  REQUIRE(value, PI_ERROR_INVALID_VALUE, "arg_value of argument %u is NULL", index);
  return PI_SUCCESS;
}

pi_result refuse_argument_pointer(pi_uint32 index, size_t size, const void *value) {
  TRY(check_argument_value(index, value));
  return plugin_error(PI_ERROR_INVALID_ARG_SIZE,
                      "arg_size of argument %u is %zu, a pointer has %zu bytes", index, size,
                      sizeof(void *));
}

pi_result refuse_kernel_name(const char *name) {
  return plugin_error(PI_ERROR_INVALID_KERNEL_NAME, "the program has no kernel \"%s\"", name);
}

pi_result check_event_set(pi_int32 status, bool is_user) {
  REQUIRE(status <= 0, PI_ERROR_INVALID_VALUE,
          "execution_status is %d, a user event ends with 0 or with a negative error", status);
  REQUIRE(is_user, PI_ERROR_INVALID_EVENT,
          "event is that of a command, which sets its status itself");
  return PI_SUCCESS;
}

pi_result check_recording(bool is_finalized, pi_uint32 commands, pi_uint32 count,
                          const pi_ext_sync_point *sync_points) {
  REQUIRE(!is_finalized, PI_ERROR_INVALID_OPERATION,
          "the command buffer is finalized, nothing can be added");
  REQUIRE((count == 0) == (sync_points == NULL), PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR,
          "num_sync_points_in_wait_list is %u and sync_point_wait_list is %sNULL", count,
          sync_points ? "not " : "");
  for (pi_uint32 i = 0; i < count; i++)
    REQUIRE(sync_points[i] < commands, PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR,
            "sync point %u is %u, the command buffer has %u commands", i, sync_points[i], commands);
  return PI_SUCCESS;
}

pi_result check_finalizing(bool is_finalized) {
  REQUIRE(!is_finalized, PI_ERROR_INVALID_OPERATION, "the command buffer is finalized already");
  return PI_SUCCESS;
}

pi_result check_finalized(bool is_finalized) {
  REQUIRE(is_finalized, PI_ERROR_INVALID_OPERATION, "the command buffer is not finalized");
  return PI_SUCCESS;
}

pi_result check_running(bool is_finalized, bool is_same_context, bool is_same_device) {
  TRY(check_finalized(is_finalized));
  REQUIRE(is_same_context && is_same_device, PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR,
          "the queue is of another %s than the command buffer",
          is_same_context ? "device" : "context");
  return PI_SUCCESS;
}

pi_result check_callback_type(pi_int32 type) {
  REQUIRE(type == PI_EVENT_COMPLETE || type == PI_EVENT_RUNNING || type == PI_EVENT_SUBMITTED,
          PI_ERROR_INVALID_VALUE,
          "command_exec_callback_type %d is none of complete (0), running (1), submitted (2)",
          type);
  return PI_SUCCESS;
}

sizes_text text_of_sizes(const size_t *sizes, pi_uint32 dimensions) {
  sizes_text text = {""};
  int length = 0;
  for (pi_uint32 i = 0; i < dimensions; i++)
    length += snprintf(text.text + length, sizeof text.text - (size_t)length, "%s%zu",
                       i == 0 ? "" : "x", sizes[i]);
  return text;
}
